import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../../root.ts'
import { sendJson, startApiServer } from './api/api-server.fixture.ts'
import { defaultSize } from './objects/size.ts'
import { checkCluster, permissions } from './self-check.ts'

const settings = {
  installation: 'slipway',
  pods: {
    size: defaultSize,
    runtimeClassName: undefined,
    userNamespaces: false,
    imagePullPolicy: 'IfNotPresent' as const,
  },
  network: { gateways: [], closed: [], service: [] },
  storageClass: undefined,
}

type Cluster = { denied?: string; hasApply?: boolean; classes?: object[] }
const defaultClass = {
  metadata: {
    name: 'standard',
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
  },
}

/** An API server that allows everything but `denied`, a verb and a resource. */
const startCluster = ({ denied, hasApply = true, classes = [defaultClass] }: Cluster) =>
  startApiServer((request, response, url) => {
    if (url.pathname.endsWith('/storageclasses')) return sendJson(response, { items: classes })
    if (request.method === 'PATCH')
      return hasApply
        ? sendJson(response, {})
        : sendJson(response, { message: 'the body is not understood' }, 415)
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      const { verb, resource } = JSON.parse(body).spec.resourceAttributes
      sendJson(response, { status: { allowed: `${verb} ${resource}` !== denied } })
    })
  })

describe('the self-check of a cluster', () => {
  it('finds nothing in a cluster that has everything, and changes nothing in it', async () => {
    const { cluster, requests } = await startCluster({})
    expect(await checkCluster(cluster, settings)).toEqual([])
    const writes = requests.filter((request) => !/selfsubjectaccessreviews|^GET/.test(request))
    // Tried without effect (`dryRun`).
    expect(writes).toEqual(['PATCH /api/v1/namespaces/slipway-check'])
  })

  it('names each permission that is missing', async () => {
    const { cluster } = await startCluster({ denied: 'patch deployments' })
    expect(await checkCluster(cluster, settings)).toEqual([
      {
        code: 'permission',
        message: "Slipway's account in the cluster must be allowed to patch deployments",
      },
    ])
  })

  it('says that the API server is too old for server-side apply', async () => {
    const { cluster } = await startCluster({ hasApply: false })
    expect((await checkCluster(cluster, settings)).map(({ code }) => code)).toEqual([
      'server_side_apply',
    ])
  })

  it('says that no StorageClass is the default one, or that the configured one is missing', async () => {
    const { cluster } = await startCluster({ classes: [{ metadata: { name: 'slow' } }] })
    const codes = async (storageClass: string | undefined) =>
      (await checkCluster(cluster, { ...settings, storageClass })).map(({ code }) => code)
    expect(await codes(undefined)).toEqual(['storage_class'])
    expect(await codes('fast')).toEqual(['storage_class'])
    expect(await codes('slow')).toEqual([])
  })

  it('says that the cluster does not respond', async () => {
    const { cluster } = await startApiServer((request) => request.socket.destroy(), { attempts: 1 })
    expect((await checkCluster(cluster, settings)).map(({ code }) => code)).toEqual(['unreachable'])
  })
})

describe('deploy/kubernetes/engine-role.yaml', () => {
  it('allows exactly what the engine does', async () => {
    const { rules } = parse(
      await readFile(join(root, 'deploy/kubernetes/engine-role.yaml'), 'utf8'),
    ) as { rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[] }
    const allowed = rules.flatMap(({ apiGroups: [group = ''], resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
    )
    const used = permissions.flatMap(({ kind, subresource, verbs }) => {
      const group = kind.apiVersion.includes('/') ? kind.apiVersion.replace(/\/.*/, '') : ''
      const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`
      return verbs.map((verb) => `${verb} ${group}/${resource}`)
    })
    expect(allowed.sort()).toEqual(used.sort())
  })
})
