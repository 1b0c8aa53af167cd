import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClusterPart } from '@slipway/contract/clusters'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { createLog } from '../../../log.ts'
import { root } from '../../../root.ts'
import { sendJson, startApiServer } from './api/api-server.fixture.ts'
import { defaultSize } from './objects/size.ts'
import {
  type ClusterCheckOptions,
  checkCluster,
  edgePermissions,
  permissions,
} from './self-check.ts'

const settings = {
  installation: 'slipway',
  pods: {
    size: defaultSize,
    runtimeClassName: undefined,
    userNamespaces: false,
    imagePullPolicy: 'IfNotPresent' as const,
  },
  network: { gateways: [], closed: [], service: [], servicePorts: [] },
  storageClass: undefined,
  edge: undefined,
}

type Cluster = {
  denied?: string
  hasApply?: boolean
  classes?: object[]
  /** The address that the API server names. */
  address?: string
  version?: string
  /** Whether it keeps `hostUsers` of a pod. */
  keepsHostUsers?: boolean
  /** The resources of the Gateway API; undefined where it is not installed. */
  gatewayApi?: string[]
}
const defaultClass = {
  metadata: {
    name: 'standard',
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
  },
}

/** An API server that allows everything but `denied`, a verb and a resource. */
const startCluster = ({
  denied,
  hasApply = true,
  classes = [defaultClass],
  address = '10.0.0.1:6443',
  version = 'v1.33.1',
  keepsHostUsers = true,
  gatewayApi,
}: Cluster) =>
  startApiServer((request, response, url) => {
    if (url.pathname === '/version') return sendJson(response, { gitVersion: version })
    if (url.pathname === '/api') {
      const named = [{ clientCIDR: '0.0.0.0/0', serverAddress: address }]
      return sendJson(response, { serverAddressByClientCIDRs: named })
    }
    if (url.pathname.endsWith('/storageclasses')) return sendJson(response, { items: classes })
    if (url.pathname === '/apis/gateway.networking.k8s.io/v1')
      return gatewayApi
        ? sendJson(response, { resources: gatewayApi.map((name) => ({ name })) })
        : sendJson(response, { message: 'not found' }, 404)
    if (url.pathname.endsWith('/deployments/slipway-check')) {
      const spec = keepsHostUsers ? { hostUsers: false } : {}
      return sendJson(response, { spec: { template: { spec } } })
    }
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

const byDigest = `registry.example/runtime@sha256:${'0'.repeat(64)}`

const check = (
  cluster: ClusterCheckOptions['cluster'],
  changes: Partial<ClusterCheckOptions> = {},
) =>
  checkCluster({
    cluster,
    settings,
    images: { node: byDigest, php: byDigest },
    wantsUserNamespaces: false,
    networkPolicy: 'enforced',
    signal: new AbortController().signal,
    log: createLog('silent'),
    ...changes,
  })

const findingOn = async (
  part: ClusterPart,
  properties: Cluster,
  changes?: Partial<ClusterCheckOptions>,
) => {
  const { cluster } = await startCluster(properties)
  const item = (await check(cluster, changes)).find((result) => result.part === part)
  return item && [item.finding, item.detail]
}

describe('the self-check of a cluster', () => {
  it('finds a cluster that has everything, and changes nothing in it', async () => {
    const { cluster, requests } = await startCluster({})
    expect(await check(cluster)).toEqual([
      { part: 'api_server', finding: 'reachable', detail: 'v1.33.1' },
      { part: 'permissions', finding: 'permissions_granted', detail: null },
      { part: 'server_side_apply', finding: 'server_side_apply', detail: null },
      { part: 'storage', finding: 'storage_class', detail: 'standard' },
      { part: 'network_policy', finding: 'network_policy_declared', detail: null },
      { part: 'api_access', finding: 'api_closed', detail: null },
      { part: 'user_namespaces', finding: 'user_namespaces_off', detail: null },
      { part: 'edge', finding: 'no_edge', detail: null },
      { part: 'images', finding: 'images_by_digest', detail: null },
    ])
    const writes = requests.filter((request) => !/selfsubjectaccessreviews|^GET/.test(request))
    // Tried without effect (`dryRun`).
    expect(writes).toEqual(['PATCH /api/v1/namespaces/slipway-check'])
  })

  it('names each permission that is missing', async () => {
    expect(await findingOn('permissions', { denied: 'patch deployments' })).toEqual([
      'permissions_missing',
      'patch deployments',
    ])
  })

  it('says that the API server is too old for server-side apply', async () => {
    const outcome = await findingOn('server_side_apply', { hasApply: false })
    expect(outcome?.[0]).toBe('no_server_side_apply')
  })

  it('says that no StorageClass is the default one, or that the configured one is missing', async () => {
    const finding = async (storageClass: string | undefined) =>
      findingOn(
        'storage',
        { classes: [{ metadata: { name: 'slow' } }] },
        { settings: { ...settings, storageClass } },
      )
    expect(await finding(undefined)).toEqual(['no_default_storage_class', null])
    expect(await finding('fast')).toEqual(['storage_class_missing', 'fast'])
    expect(await finding('slow')).toEqual(['storage_class', 'slow'])
  })

  it('does not try NetworkPolicy where the operator trusts all customers, or without an image', async () => {
    expect(await findingOn('network_policy', {}, { networkPolicy: 'trusted' })).toEqual([
      'programs_trusted',
      null,
    ])
    const images = { node: undefined, php: undefined }
    expect(await findingOn('network_policy', {}, { networkPolicy: undefined, images })).toEqual([
      'network_policy_not_tried',
      'KUBERNETES_NODE_IMAGE is not set',
    ])
  })

  it('says whether the cluster has the API of the edge, and which permissions that needs', async () => {
    const edge = { kind: 'gateway' as const, namespace: 'infra', name: 'public' }
    const changes = { settings: { ...settings, edge } }
    const api = 'gateway.networking.k8s.io/v1 HTTPRoute'
    const edgeFinding = (cluster: Cluster) => findingOn('edge', cluster, changes)
    expect(await edgeFinding({})).toEqual(['edge_api_missing', api])
    expect(await edgeFinding({ gatewayApi: ['gateways'] })).toEqual(['edge_api_missing', api])
    expect(await edgeFinding({ gatewayApi: ['gateways', 'httproutes'] })).toEqual(['edge_api', api])
    const denied = { denied: 'create httproutes' }
    expect(await findingOn('permissions', denied, changes)).toEqual([
      'permissions_missing',
      'create httproutes',
    ])
    expect((await findingOn('permissions', denied))?.[0]).toBe('permissions_granted')
  })

  it.each([
    ['203.0.113.5:443', [], [], '203.0.113.5'],
    ['203.0.113.5:443', ['203.0.113.0/24'], [], null],
    ['[2001:db8::5]:443', [], [], '2001:db8::5'],
    ['[2001:db8::5]:443', ['2001:db8::/64'], [], null],
    ['[fd00::5]:443', [], [], null],
    ['10.0.0.1:6443', [], [], null],
    ['10.0.0.1:6443', [], ['10.0.0.0/24'], '10.0.0.1'],
    ['10.0.0.1:443', [], ['10.0.0.0/24'], null],
  ])(
    'says whether sites may reach the API server at %s, without %j and with %j',
    async (address, closed, service, open) => {
      const network = { gateways: [], closed, service, servicePorts: [6443] }
      expect(
        await findingOn('api_access', { address }, { settings: { ...settings, network } }),
      ).toEqual(open === null ? ['api_closed', null] : ['api_open', open])
    },
  )

  it('says that it does not know whether sites may reach an API server it cannot look up', async () => {
    const addressesOf = () => Promise.reject(new Error('getaddrinfo EAI_AGAIN'))
    expect(await findingOn('api_access', {}, { addressesOf })).toEqual([
      'not_checked',
      'getaddrinfo EAI_AGAIN',
    ])
    expect(await findingOn('api_access', {}, { addressesOf: async () => [] })).toEqual([
      'api_closed',
      null,
    ])
  })

  it.each([
    ['v1.33.1', true, ['user_namespaces', null]],
    ['v1.30.1', false, ['user_namespaces_ignored', 'v1.30.1']],
    ['v1.24.1', true, ['no_user_namespaces', 'v1.24.1']],
  ])(
    'says whether user namespaces work on %s, which keeps their field: %s',
    async (version, keepsHostUsers, found) => {
      const cluster = { version, keepsHostUsers }
      expect(await findingOn('user_namespaces', cluster, { wantsUserNamespaces: true })).toEqual(
        found,
      )
    },
  )

  it('names the images that are not set by their digests', async () => {
    const images = { node: byDigest, php: 'registry.example/php:8' }
    expect(await findingOn('images', {}, { images })).toEqual([
      'images_not_by_digest',
      'KUBERNETES_PHP_IMAGE',
    ])
  })

  it('says that the cluster does not respond, and checks nothing else in it', async () => {
    const { cluster, requests } = await startApiServer((request) => request.socket.destroy(), {
      attempts: 1,
    })
    expect((await check(cluster)).map(({ finding }) => finding)).toEqual([
      'unreachable',
      'not_checked',
      'not_checked',
      'not_checked',
      'not_checked',
      'not_checked',
      'user_namespaces_off',
      'no_edge',
      'images_by_digest',
    ])
    expect(requests).toEqual(['GET /version'])
  })
})

type Rules = { rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[] }

/** The permissions of the roles in a file, as `verb group/resource`. */
async function allowedBy(file: string): Promise<string[]> {
  const documents = parseAllDocuments(await readFile(join(root, file), 'utf8'))
  return documents
    .map((document) => document.toJS() as Partial<Rules>)
    .flatMap(({ rules = [] }) => rules)
    .flatMap(({ apiGroups: [group = ''], resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
    )
    .sort()
}

const textsOf = (used: typeof permissions) =>
  used.flatMap(({ kind, subresource, verbs }) => {
    const group = kind.apiVersion.includes('/') ? kind.apiVersion.replace(/\/.*/, '') : ''
    const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`
    return verbs.map((verb) => `${verb} ${group}/${resource}`)
  })

describe('deploy/kubernetes/components/edge/edge-role.yaml', () => {
  it('allows exactly what the engine does for both kinds of edge', async () => {
    const used = textsOf([
      ...edgePermissions({ kind: 'ingress', className: undefined }),
      ...edgePermissions({ kind: 'gateway', namespace: 'infra', name: 'public' }),
    ])
    expect(await allowedBy('deploy/kubernetes/components/edge/edge-role.yaml')).toEqual(
      [...new Set(used)].sort(),
    )
  })
})

describe('deploy/kubernetes/base/engine-role.yaml', () => {
  it('allows exactly what the engine does', async () => {
    expect(await allowedBy('deploy/kubernetes/base/engine-role.yaml')).toEqual(
      textsOf(permissions).sort(),
    )
  })
})
