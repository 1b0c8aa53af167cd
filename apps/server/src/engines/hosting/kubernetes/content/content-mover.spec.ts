import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ClusterWorld,
  createClusterWorld,
  image,
  instance,
} from '../../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../../testing/stand-in-cluster.ts'
import { until } from '../../../../testing/until.ts'
import { tooLargeExitCode } from '../../content/content-program.ts'
import { ContentTooLargeError, type Instance, MissingDataError } from '../../engine.ts'
import { type Connection, createConnection } from '../api/connection.ts'
import { readKubeconfig } from '../api/kubeconfig.ts'
import { type KubeObject, kinds } from '../api/resources.ts'
import { evictedPod } from '../fixtures/evicted-pod.fixture.ts'
import { labels, names, namespaceOf } from '../objects/names.ts'

const longTest = 120_000

type Copy = {
  spec: {
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        securityContext: object
        affinity?: object
        containers: {
          image: string
          command: string[]
          resources: { limits: Record<string, string> }
        }[]
        volumes: object[]
      }
    }
  }
}
type Pod = {
  metadata: { labels: Record<string, string> }
  spec: { nodeName: string; containers: object[] }
  status: object
}

const archive = { file: '/archive', url: 'http://127.0.0.1/archive', digest: 'd'.repeat(64) }
const never = new AbortController().signal

describe('the pod that copies the files of a site', () => {
  const copies: Copy[] = []
  /** Other fields of the pods that copy files than those of the stand-in. */
  let copyFields: Partial<Pod> = {}
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    const { kubeconfig: file } = standIn
    const connection = createConnection(() => readKubeconfig({ file, context: undefined }))
    const recording: Connection = {
      ...connection,
      async call(method, path, options) {
        if (method === 'PATCH' && path.endsWith(`/deployments/${names.content}`))
          copies.push(options?.body as Copy)
        const response = await connection.call(method, path, options)
        if (method === 'GET' && path.endsWith('/pods'))
          for (const pod of (response as { items: Pod[] }).items)
            if (labels.content in pod.metadata.labels) Object.assign(pod, copyFields)
        return response
      },
    }
    world = await createClusterWorld({
      kubeconfig: file,
      installation: 'content',
      connection: recording,
      images: { node: 'node', php: undefined },
    })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  beforeEach(() => {
    copies.length = 0
    copyFields = {}
  })

  it.each([
    [4321, 4321],
    [undefined, 1000],
  ])('has the user %s of the image, to whom the files belong: %i', async (userId, expected) => {
    const settings = image({ dataPath: '/data' })
    const moved = instance(`user-${expected}`, {
      image: userId === undefined ? null : { ...settings, userId },
      runtime: userId === undefined ? 'starter' : 'image',
      power: 'stopped',
    })
    await world.engine.importContent(moved, archive, never)
    await world.engine.exportContent(moved, archive, never)
    const pods = copies.map(({ spec }) => spec.template.spec)
    expect(pods.map(({ containers }) => containers[0]?.command[2])).toEqual(['receive', 'send'])
    for (const { securityContext } of pods)
      expect(securityContext).toMatchObject({ runAsUser: expected })
    for (const { affinity, volumes } of pods) {
      expect(affinity).toBeUndefined()
      expect(volumes).toContainEqual({ name: 'tmp', emptyDir: { sizeLimit: '16Mi' } })
    }
  })

  /** Applies a site with a volume. */
  async function applySite(name: string, changes: Partial<Instance> = {}) {
    const site = instance(name, { image: image({ dataPath: '/data' }), ...changes })
    await world.engine.apply(site, { mayCreate: true })
    return site
  }
  function onlyPod() {
    const [copy, ...others] = copies
    if (!copy || others.length > 0) throw new Error(`${copies.length} pods were applied`)
    return copy.spec.template
  }
  const podsOf = (name: string) => world.cluster.list(kinds.Pod, `${labels.key}=${name}`)

  it('runs on the node of the site, and gets none of its requests', async () => {
    const site = await applySite('running')
    const pods = await podsOf('running')
    expect(pods).toHaveLength(1)
    await world.engine.exportContent(site, archive, never)
    expect(await podsOf('running')).toEqual(pods)
    const { metadata, spec } = onlyPod()
    expect(metadata.labels).toMatchObject({ [labels.content]: 'running' })
    expect(metadata.labels).not.toHaveProperty(labels.key)
    expect(spec.containers[0]?.command[2]).toBe('send-snapshot')
    expect(spec.affinity).toEqual({
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: {
              matchLabels: { [labels.key]: 'running' },
              matchExpressions: [{ key: labels.launch, operator: 'Exists' }],
            },
            topologyKey: 'kubernetes.io/hostname',
          },
        ],
      },
    })
    // The copy of a database is a temporary file.
    expect(spec.volumes).toContainEqual({ name: 'tmp', emptyDir: { sizeLimit: '2064Mi' } })
    expect(spec.containers[0]?.resources.limits).toMatchObject({ 'ephemeral-storage': '2304Mi' })
  })

  it('runs on any node for a site without a pod', async () => {
    const site = await applySite('stopped', { power: 'stopped' })
    await world.engine.exportContent({ ...site, power: 'running' }, archive, never)
    expect(onlyPod().spec).not.toHaveProperty('affinity')
    expect(await podsOf('stopped')).toEqual([])
  })

  it('does not wait for an evicted pod of a stopped site, nor starts beside it', async () => {
    const { key } = await applySite('evicted')
    await world.cluster.apply(evictedPod(world.installation, key, { nodeName: 'other' }))
    await world.engine.exportContent(instance(key), archive, never)
    copies.length = 0
    const stopped = await applySite(key, { power: 'stopped' })
    await world.engine.exportContent(stopped, archive, never)
    expect(onlyPod().spec.containers[0]?.command[2]).toBe('send')
    copies.length = 0
    await world.engine.exportContent({ ...stopped, power: 'running' }, archive, never)
    expect(onlyPod().spec).not.toHaveProperty('affinity')
  })

  it('ends when its site has started on another node, which needs the volume', async () => {
    const site = await applySite('woken')
    copyFields = { spec: { nodeName: 'other', containers: [] }, status: {} }
    await expect(world.engine.exportContent(site, archive, never)).rejects.toThrow(
      'The site woken has started on another node than its copy',
    )
    copyFields = {}
    expect(await world.cluster.list(kinds.Pod, `${labels.content}=woken`)).toEqual([])
  })

  it('fits into the quota beside the three pods of a release, also in an older namespace', async () => {
    const site = await applySite('full')
    const find = () =>
      world.cluster.read(kinds.ResourceQuota, names.quota, namespaceOf('content', 'full'))
    const quota = (await find()) as KubeObject & { spec: { hard: Record<string, string> } }
    const { hard } = quota.spec
    await world.cluster.apply({ ...quota, spec: { hard: { ...hard, pods: '3' } } } as KubeObject)
    await world.engine.exportContent(site, archive, never)
    expect(await find()).toMatchObject({ spec: { hard } })

    const limits = onlyPod().spec.containers[0]?.resources.limits ?? {}
    const { size } = world.engineOptions.settings.pods
    const numberOf = (quantity: string | undefined) => Number.parseInt(quantity ?? '', 10)
    expect(numberOf(hard.pods)).toBe(4)
    expect(numberOf(hard['limits.memory'])).toBe(3 * size.memoryMiB + numberOf(limits.memory))
    expect(numberOf(hard['limits.cpu'])).toBe(3 * size.cpuMillis + numberOf(limits.cpu))
  })

  it('reports files that are too large, and a missing volume', async () => {
    const site = await applySite('large')
    const state = { terminated: { exitCode: tooLargeExitCode } }
    copyFields = { status: { containerStatuses: [{ name: names.site, restartCount: 0, state }] } }
    await expect(world.engine.exportContent(site, archive, never)).rejects.toThrow(
      ContentTooLargeError,
    )
    copyFields = {}
    await expect(world.engine.exportContent(instance('nothing'), archive, never)).rejects.toThrow(
      MissingDataError,
    )
  })

  it('ends before its site is removed', async () => {
    const site = await applySite('removed')
    copyFields = { status: {} }
    const copying = world.engine.exportContent(site, archive, never)
    const result = copying.catch((error: Error) => error.message)
    await until(() => copies.length > 0)
    await world.engine.remove('removed')
    expect(await result).toBe('The copy of removed was ended for another change')
    expect(await world.cluster.list(kinds.Pod, `${labels.content}=removed`)).toEqual([])
  })
})
