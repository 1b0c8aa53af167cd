import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createArtifactStore } from '../../../artifacts/artifact-store.ts'
import { zipOf } from '../../../testing/archives.ts'
import {
  type ClusterWorld,
  createClusterWorld,
  image,
  instance,
} from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { until } from '../../../testing/until.ts'
import type { Instance } from '../engine.ts'
import { fieldManager } from './api/cluster.ts'
import { kinds, type ManagedFields } from './api/resources.ts'
import { withUpdatesApplied } from './field-owners.ts'
import { names, namespaceOf, projectLabels, selectorOf } from './objects/names.ts'

const longTest = 120_000
const archiveLimits = { archiveBytes: 1e8, unpackedBytes: 1e8, files: 1000 }
/** The stand-in rejects the pods of this registry. */
const reference = `rejected.example/site@sha256:${'b'.repeat(64)}`
const rejected = { failure: 'configuration_rejected' }

describe('a release that does not start', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    world = await createClusterWorld({
      kubeconfig: standIn.kubeconfig,
      installation: 'staging',
      images: { node: reference, php: undefined },
      times: { rejectionMs: 100 },
    })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  const read = async (
    key: string,
    kind: (typeof kinds)['Deployment' | 'PersistentVolumeClaim' | 'Secret'],
    name: string,
  ) => {
    const object = await world.cluster.read(kind, name, namespaceOf(world.installation, key))
    if (!object) throw new Error(`${key} has no ${kind.kind} ${name}`)
    return object
  }
  /** The parts of the site that its release decides. */
  const contentOf = async (key: string) => {
    const { spec } = await read(key, kinds.Deployment, names.site)
    const secrets = await world.cluster.list(
      kinds.Secret,
      selectorOf(projectLabels(world.installation, key)),
    )
    const environments = secrets.filter(({ metadata }) => metadata.name.startsWith('environment'))
    return { spec, environments: environments.map((secret) => (secret as { data?: unknown }).data) }
  }
  const portsOf = async (key: string) => {
    const { spec } = await read(key, kinds.Deployment, names.site)
    const { template } = spec as { template: { spec: { containers: [{ ports: unknown[] }] } } }
    return template.spec.containers[0].ports
  }

  async function liveSite(key: string): Promise<Instance> {
    const live = instance(key, { environment: { GREETING: 'live' } })
    await world.applyUntilHealthy(live)
    return live
  }

  const brokenImage = (live: Instance): Instance => ({
    ...live,
    image: image({ reference, port: 3000 }),
    environment: { GREETING: 'broken' },
  })

  async function nodeApp(key: string): Promise<Instance> {
    const store = createArtifactStore(world.ctx.env.DATA_DIR, archiveLimits)
    const files = { 'package.json': '{"main":"app.js"}', 'app.js': '' }
    const { digest: artifact } = await store.receive(Readable.from([zipOf(files)]))
    await store.unpack(artifact)
    return instance(key, { runtime: 'node', image: null, artifact })
  }

  it.each(['volume', 'namespace'] as const)(
    'creates no %s in place of a lost one',
    async (part) => {
      const key = `lost-${part}`
      const live = instance(key, { image: image({ dataPath: '/data' }) })
      if (part === 'volume') {
        await world.applyUntilHealthy(live)
        const volume = await read(key, kinds.PersistentVolumeClaim, names.data)
        await world.cluster.remove(volume)
      }
      const problem = await world.engine.stage({ ...live, restarts: 1 })
      expect(problem).toEqual({ failure: 'data_missing' })
      const selector = selectorOf(projectLabels(world.installation, key))
      expect(await world.cluster.list(kinds.PersistentVolumeClaim, selector)).toEqual([])
      const namespace = await world.cluster.read(
        kinds.Namespace,
        namespaceOf(world.installation, key),
      )
      expect(namespace !== null).toBe(part === 'volume')
    },
  )

  it('leaves nothing of its pods and its variables', async () => {
    const live = await liveSite('restored')
    const content = await contentOf(live.key)
    expect(await world.engine.stage(brokenImage(live))).toEqual(rejected)
    expect(await contentOf(live.key)).toEqual(content)
    await until(async () => (await world.engine.list([live.key]))[0]?.running === true)
  })

  it('leaves no container that fetches its files', async () => {
    const live = await liveSite('first-node')
    const content = await contentOf(live.key)
    expect(await world.engine.stage(await nodeApp(live.key))).toEqual(rejected)
    expect(await contentOf(live.key)).toEqual(content)
  })

  it('does not fail the next one', async () => {
    const live = await liveSite('next')
    expect(await world.engine.stage(brokenImage(live))).toEqual(rejected)
    const next = { ...live, image: image({ port: 3000 }) }
    expect(await world.engine.stage(next)).toBeNull()
    expect(await portsOf(live.key)).toMatchObject([{ containerPort: 3000 }])
    await world.engine.unstage(live.key)
    expect(await portsOf(live.key)).toMatchObject([{ containerPort: 8080 }])
  })

  it.each([
    ['tried again', 'again'],
    ['given up', 'given-up'],
  ] as const)('leaves nothing when its worker is killed, and it is %s', async (how, key) => {
    const live = await liveSite(key)
    const content = await contentOf(key)
    // Another worker left them in mid-stage.
    const broken = brokenImage(live)
    const killed = await world.startOther({ rejectionMs: longTest })
    const staging = killed.stage(broken)
    const isStaged = async () => JSON.stringify(await contentOf(key)).includes(reference)
    await until(isStaged)
    // The running pod may restart meanwhile.
    expect((await contentOf(key)).environments).toEqual(
      expect.arrayContaining(content.environments),
    )
    const stopped = expect(staging).rejects.toThrow()
    await killed.close()
    await stopped
    expect(await isStaged()).toBe(true)

    if (how === 'given up') await world.engine.unstage(key)
    else expect(await world.engine.stage(broken)).toEqual(rejected)
    expect(await contentOf(key)).toEqual(content)
  })

  it('does not start in a site that was stopped meanwhile, such as for a move', async () => {
    const live = await liveSite('moving')
    const staging = world.engine.stage({ ...live, image: image({ port: 3000 }) })
    const stopping = world.engine.apply({ ...live, power: 'stopped' }, { mayCreate: false })
    await expect(staging).rejects.toThrow('The site moving was stopped before its release started')
    await stopping
    expect(await portsOf(live.key)).toMatchObject([{ containerPort: 8080 }])
  })

  it('does not fail the next one after a restore by an earlier version', async () => {
    const live = await liveSite('damaged')
    const before = await read(live.key, kinds.Deployment, names.site)
    // Earlier versions updated the template instead of applying it.
    const { template } = before.spec as { template: unknown }
    await world.cluster.merge(before, { spec: { template } })
    await world.engine.apply({ ...live, image: image({ port: 3000 }) }, { mayCreate: false })
    expect(await portsOf(live.key)).toMatchObject([{ containerPort: 3000 }])
  })
})

describe('the owners of the fields of a Deployment', () => {
  const template = { 'f:spec': { 'f:template': { 'f:metadata': {} } } }
  const applied: ManagedFields = {
    manager: fieldManager,
    operation: 'Apply',
    fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:template': { 'f:spec': {} } } },
  }
  const updated: ManagedFields = { manager: fieldManager, operation: 'Update', fieldsV1: template }
  const status: ManagedFields = {
    manager: 'kube-controller-manager',
    operation: 'Update',
    subresource: 'status',
    fieldsV1: { 'f:status': {} },
  }

  it('get the updated fields of its template as applied ones', () => {
    expect(withUpdatesApplied([applied, updated, status])).toEqual([
      status,
      {
        ...applied,
        fieldsV1: {
          'f:spec': { 'f:replicas': {}, 'f:template': { 'f:metadata': {}, 'f:spec': {} } },
        },
      },
    ])
    expect(withUpdatesApplied([updated])).toEqual([{ ...updated, operation: 'Apply' }])
  })

  it.each([
    ['an application alone', [applied, status]],
    ['an update of the replicas', [{ ...updated, fieldsV1: { 'f:spec': { 'f:replicas': {} } } }]],
    ['an update by another manager', [{ ...updated, manager: 'kubectl' }]],
  ])('stay as they are after %s', (_, managedFields) => {
    expect(withUpdatesApplied(managedFields)).toBeNull()
  })
})
