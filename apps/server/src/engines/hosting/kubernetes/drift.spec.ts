import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { until } from '../../../testing/until.ts'
import { kinds, objectOf } from './api/resources.ts'
import { annotations, names, namespaceOf } from './objects/names.ts'

const longTest = 120_000

describe('objects that another user of the cluster has changed', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    world = await createClusterWorld({
      kubeconfig: standIn.kubeconfig,
      installation: 'drift',
      // The tests put the objects back themselves.
      times: { repairMs: longTest },
    })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  const deploymentOf = (key: string) =>
    objectOf(kinds.Deployment, {
      name: names.site,
      namespace: namespaceOf(world.installation, key),
    })
  const isRunning = async (key: string) => (await world.engine.list([key]))[0]?.running
  const replicas = async (key: string) => {
    const { metadata } = deploymentOf(key)
    const stored = await world.cluster.read(kinds.Deployment, metadata.name, metadata.namespace)
    return (stored?.spec as { replicas: number } | undefined)?.replicas
  }

  it.each([
    ['running', 1],
    ['stopped', 0],
  ] as const)('the number of pods of a %s site is put back to %i', async (power, expected) => {
    const desired = instance(`scaled-${power}`, { power })
    const { key } = desired
    await world.engine.apply(desired, { mayCreate: true })
    await until(() => isRunning(key))
    await world.cluster.merge(deploymentOf(key), { spec: { replicas: 1 - expected } })
    await until(async () => (await isRunning(key)) === false)
    await world.engine.apply(desired, { mayCreate: false })
    expect(await replicas(key)).toBe(expected)
    await until(() => isRunning(key))
  })

  it('the label that restricts the pods of a namespace is put back', async () => {
    const desired = instance('unrestricted')
    const { key } = desired
    const namespace = objectOf(kinds.Namespace, { name: namespaceOf(world.installation, key) })
    const restriction = 'pod-security.kubernetes.io/enforce'
    await world.engine.apply(desired, { mayCreate: true })
    await until(() => isRunning(key))
    await world.cluster.merge(namespace, { metadata: { labels: { [restriction]: 'privileged' } } })
    await until(async () => (await isRunning(key)) === false)
    await world.engine.apply(desired, { mayCreate: false })
    const stored = await world.cluster.read(kinds.Namespace, namespace.metadata.name)
    expect(stored?.metadata.labels?.[restriction]).toBe('restricted')
    await until(() => isRunning(key))
  })

  it('the networks that a site may reach follow the settings of the next worker', async () => {
    const desired = instance('reaching')
    const { key } = desired
    await world.engine.apply(desired, { mayCreate: true })
    await until(() => isRunning(key))
    const { settings } = world.engineOptions
    const network = { ...settings.network, closed: ['203.0.113.5/32'] }
    const other = await world.startOther({}, { ...settings, network })
    const isRunningThere = async () => (await other.list([key]))[0]?.running
    expect(await isRunningThere()).toBe(false)
    await other.apply(desired, { mayCreate: false })
    const policy = await world.cluster.read(
      kinds.NetworkPolicy,
      names.policy,
      namespaceOf(world.installation, key),
    )
    expect(JSON.stringify(policy)).toContain('203.0.113.5/32')
    await until(isRunningThere)
    await other.close()
  })

  it('the processor that a site reserves follows the settings of the next worker', async () => {
    const desired = instance('reserving')
    const { key } = desired
    await world.engine.apply(desired, { mayCreate: true })
    await until(() => isRunning(key))
    const { settings } = world.engineOptions
    const size = { ...settings.pods.size, reservedCpuMillis: 7 }
    const other = await world.startOther({}, { ...settings, pods: { ...settings.pods, size } })
    const isRunningThere = async () => (await other.list([key]))[0]?.running
    expect(await isRunningThere()).toBe(false)
    await other.apply(desired, { mayCreate: false })
    const { metadata } = deploymentOf(key)
    const stored = await world.cluster.read(kinds.Deployment, metadata.name, metadata.namespace)
    expect(JSON.stringify(stored)).toContain('"cpu":"7m"')
    await until(isRunningThere)
    await other.close()
  })

  it('the image of a site follows the settings of the next worker', async () => {
    const desired = instance('starting', { runtime: 'starter', artifact: null, image: null })
    const { key } = desired
    const { settings } = world.engineOptions
    const [previous, next] = await Promise.all(
      ['previous', 'next'].map((name) =>
        world.startOther({}, settings, { node: `registry.example/${name}`, php: undefined }),
      ),
    )
    await previous?.apply(desired, { mayCreate: true })
    await until(async () => (await previous?.list([key]))?.[0]?.running)
    const isRunningThere = async () => (await next?.list([key]))?.[0]?.running
    expect(await isRunningThere()).toBe(false)
    await next?.apply(desired, { mayCreate: false })
    const { metadata } = deploymentOf(key)
    const stored = await world.cluster.read(kinds.Deployment, metadata.name, metadata.namespace)
    expect(JSON.stringify(stored)).toContain('registry.example/next')
    await until(isRunningThere)
    await previous?.close()
    await next?.close()
  })

  it('a site of an earlier version, which recorded no settings, is applied once', async () => {
    const desired = instance('upgraded')
    const { key } = desired
    const namespace = objectOf(kinds.Namespace, { name: namespaceOf(world.installation, key) })
    await world.engine.apply(desired, { mayCreate: true })
    await until(() => isRunning(key))
    const stored = await world.cluster.read(kinds.Namespace, namespace.metadata.name)
    const record = JSON.parse(stored?.metadata.annotations?.[annotations.applied] ?? '')
    const earlier = JSON.stringify({ ...record, settings: undefined })
    await world.cluster.merge(namespace, {
      metadata: { annotations: { [annotations.applied]: earlier } },
    })
    await until(async () => (await isRunning(key)) === false)
    await world.engine.apply(desired, { mayCreate: false })
    await until(() => isRunning(key))
    expect(await isRunning(key)).toBe(true)
  })
})
