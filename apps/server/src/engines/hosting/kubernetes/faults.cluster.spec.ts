import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClusterProxy, startClusterProxy } from '../../../testing/cluster-proxy.ts'
import {
  type ClusterWorld,
  createClusterWorld,
  image,
  instance,
  lack,
  objectSettings,
  testCluster,
} from '../../../testing/cluster-world.ts'
import { until } from '../../../testing/until.ts'
import { UnhealthyError } from '../engine.ts'
import { createConnection } from './api/connection.ts'
import { readKubeconfig } from './api/kubeconfig.ts'
import { kinds, objectOf } from './api/resources.ts'
import { names, namespaceOf } from './objects/names.ts'

const longTest = 240_000

describe.skipIf(lack)('a site on Kubernetes with a fault', () => {
  let proxy: ClusterProxy
  let world: ClusterWorld
  beforeAll(async () => {
    const { kubeconfig, installation } = testCluster('f')
    proxy = await startClusterProxy(kubeconfig)
    const access = { file: proxy.file, context: undefined }
    const connection = createConnection(() => readKubeconfig(access))
    world = await createClusterWorld({ connection, installation })
  })
  afterAll(async () => {
    await world?.close()
    await proxy?.close()
  }, longTest)

  const namespace = (key: string) => namespaceOf(world.installation, key)
  const isRunning = async (key: string) => (await world.engine.list([key]))[0]?.running

  it(
    'reports a program that exceeds its memory limit, and keeps serving with the previous one',
    async () => {
      const desired = instance('greedy', { environment: { GREETING: 'modest' } })
      await world.applyUntilHealthy(desired)
      const greedy = { ...desired, environment: { FAIL: 'memory' } }
      const error = await world.engine.apply(greedy, { mayCreate: false }).then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(UnhealthyError)
      expect((error as UnhealthyError).problem.failure).toBe('out_of_memory')
      expect(world.engine.problemOf('greedy')).toBe('out_of_memory')
      expect((await world.visit('greedy')).body).toBe('modest 0')

      await world.engine.apply(desired, { mayCreate: false })
      await until(() => world.engine.problemOf('greedy') === null)
      expect((await world.visit('greedy')).body).toBe('modest 0')
    },
    longTest,
  )

  it(
    'reports a quota that is used up until it is free again',
    async () => {
      const desired = instance('crowded')
      await world.engine.apply({ ...desired, power: 'stopped' }, { mayCreate: true })
      const quota = await world.cluster.apply({
        ...objectOf(kinds.ResourceQuota, { name: 'full', namespace: namespace('crowded') }),
        spec: { hard: { pods: '0' } },
      })
      // The API server enforces a quota once it has counted what exists.
      await until(async () => {
        const quota = await world.cluster.read(kinds.ResourceQuota, 'full', namespace('crowded'))
        return (quota?.status as { used?: object } | undefined)?.used !== undefined
      })
      world.route(desired)
      await world.engine.apply(desired, { mayCreate: false })
      await until(() => world.engine.problemOf('crowded') === 'quota_exceeded')
      expect(world.engine.addressOf('crowded')).toBeNull()

      await world.cluster.remove(quota)
      await until(async () => (await world.visit('crowded')).status === 200)
      await until(() => world.engine.problemOf('crowded') === null)
    },
    longTest,
  )

  it(
    'tells a quota that is used up at once from a configuration that the cluster rejects',
    async () => {
      const key = 'refused'
      await world.engine.apply(instance(key, { runtime: 'static' }), { mayCreate: true })
      const quota = await world.cluster.apply({
        ...objectOf(kinds.ResourceQuota, { name: 'full', namespace: namespace(key) }),
        spec: { hard: { 'count/deployments.apps': '0' } },
      })
      await until(async () => {
        const found = await world.cluster.read(kinds.ResourceQuota, 'full', namespace(key))
        return (found?.status as { used?: object } | undefined)?.used !== undefined
      })
      const apply = (port: number) =>
        world.engine.apply(instance(key, { image: image({ port }) }), { mayCreate: true })
      await expect(apply(8080)).rejects.toMatchObject({
        name: 'QuotaError',
        message: expect.stringContaining('exceeded quota: full'),
      })
      await world.cluster.remove(quota)
      await expect(apply(70_000)).rejects.toMatchObject({
        name: 'RejectedError',
        message: expect.stringContaining('must be between 1 and 65535'),
      })
    },
    longTest,
  )

  it(
    'reports that no node has room for it, and runs with a smaller size once it was stopped',
    async () => {
      const key = 'huge'
      const desired = instance(key)
      const { settings } = world.engineOptions
      // Half of it is reserved: 8 TiB.
      const size = { ...settings.pods.size, memoryMiB: 2 ** 24 }
      const wasteful = await world.startOther({}, { ...settings, pods: { ...settings.pods, size } })
      world.route(desired)
      await wasteful.apply(desired, { mayCreate: true })
      await wasteful.close()
      await until(() => world.engine.problemOf(key) === 'no_capacity')
      expect(world.engine.addressOf(key)).toBeNull()

      // Until its pod is gone, the quota of the smaller size has no room for another.
      await world.engine.apply({ ...desired, power: 'stopped' }, { mayCreate: false })
      await world.engine.apply(desired, { mayCreate: false })
      await until(async () => (await world.visit(key)).status === 200)
      await until(() => world.engine.problemOf(key) === null)
    },
    longTest,
  )

  it(
    'sees each change although its watch is cut, ten times in a row',
    async () => {
      const desired = instance('watched')
      await world.applyUntilHealthy(desired)
      await until(() => isRunning('watched'))
      const { cluster, engine } = world
      for (let cut = 1; cut <= 10; cut++) {
        proxy.break()
        const deployment = await cluster.read(kinds.Deployment, names.site, namespace('watched'))
        if (!deployment) throw new Error('the Deployment is gone')
        await cluster.merge(deployment, { spec: { revisionHistoryLimit: 1 + cut } })
        await until(async () => (await isRunning('watched')) === false)
        expect((await world.visit('watched')).status).toBe(200)
        await engine.apply(desired, { mayCreate: false })
        await until(() => isRunning('watched'))
      }
    },
    longTest,
  )
})

describe.skipIf(lack)('a site on Kubernetes whose StorageClass is missing', () => {
  const { installation } = testCluster('v')
  const name = `${installation}-storage`
  let world: ClusterWorld
  beforeAll(async () => {
    const settings = { ...objectSettings(installation), storageClass: name }
    world = await createClusterWorld({ installation, settings })
  })
  afterAll(async () => {
    await world?.cluster.remove(objectOf(kinds.StorageClass, { name }))
    await world?.close()
  }, longTest)

  it(
    'reports it until the class exists',
    async () => {
      const key = 'unbound'
      const desired = instance(key, {
        image: image({ dataPath: '/data' }),
        environment: { DATA: '/data' },
      })
      world.route(desired)
      await world.engine.apply(desired, { mayCreate: true })
      await until(() => world.engine.problemOf(key) === 'volume_unbound')
      expect(world.engine.addressOf(key)).toBeNull()

      const classes = await world.cluster.list(kinds.StorageClass, '')
      const usual = classes.find(
        ({ metadata }) =>
          metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true',
      )
      if (!usual) throw new Error('the cluster has no default StorageClass')
      await world.cluster.apply({ ...usual, ...objectOf(kinds.StorageClass, { name }) })
      await until(async () => (await world.visit(key)).body === 'hello 1')
      await until(() => world.engine.problemOf(key) === null)
      // Its volume is removed while its class exists.
      await world.engine.remove(key)
    },
    longTest,
  )
})

describe.skipIf(lack)('changes in a cluster whose events are lost', () => {
  let world: ClusterWorld
  let isDeaf = false
  beforeAll(async () => {
    const { kubeconfig, installation } = testCluster('l')
    const access = { file: kubeconfig, context: undefined }
    const connection = createConnection(() => readKubeconfig(access))
    world = await createClusterWorld({
      installation,
      connection: {
        ...connection,
        async *lines(path, options) {
          for await (const event of connection.lines(path, options)) if (!isDeaf) yield event
        },
      },
      times: { relistMs: 2_000 },
    })
  })
  afterAll(() => world?.close(), longTest)

  it(
    'are seen by the next list, and put back',
    async () => {
      const { cluster, engine } = world
      const desired = instance('unheard')
      await world.applyUntilHealthy(desired)
      const isRunning = async () => (await engine.list(['unheard']))[0]?.running
      await until(isRunning)
      const namespace = namespaceOf(world.installation, 'unheard')
      isDeaf = true
      const policy = objectOf(kinds.NetworkPolicy, { name: names.policy, namespace })
      await cluster.remove(policy)
      const deployment = await cluster.read(kinds.Deployment, names.site, namespace)
      if (!deployment) throw new Error('the Deployment is gone')
      await cluster.merge(deployment, { spec: { revisionHistoryLimit: 7 } })
      await until(async () => (await isRunning()) === false)

      // Each kind has its own list, so a sweep may put back one object and the next the other.
      await until(async () => {
        if (!(await isRunning())) await engine.apply(desired, { mayCreate: false })
        const found = await cluster.read(kinds.NetworkPolicy, names.policy, namespace)
        const restored = await cluster.read(kinds.Deployment, names.site, namespace)
        const spec = restored?.spec as { revisionHistoryLimit?: number } | undefined
        return found !== null && spec?.revisionHistoryLimit === 1
      })
      await until(isRunning)
      expect((await world.visit('unheard')).status).toBe(200)
    },
    longTest,
  )
})
