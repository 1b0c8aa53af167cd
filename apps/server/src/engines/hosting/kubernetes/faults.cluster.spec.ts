import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClusterProxy, startClusterProxy } from '../../../testing/cluster-proxy.ts'
import {
  type ClusterWorld,
  createClusterWorld,
  instance,
  lack,
  testCluster,
} from '../../../testing/cluster-world.ts'
import { until } from '../../../testing/until.ts'
import { UnhealthyError } from '../engine.ts'
import { createConnection } from './api/connection.ts'
import { readKubeconfig } from './api/kubeconfig.ts'
import { kinds, objectOf } from './api/resources.ts'
import { names, namespaceOf } from './objects/names.ts'

const longTest = 240_000

describe.skipIf(lack)('faults of sites on Kubernetes', () => {
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
    'name a program that uses more memory than its limit, and the previous one keeps serving',
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
    'name a quota that is used up, and end when it is free again',
    async () => {
      const desired = instance('crowded')
      await world.engine.apply({ ...desired, power: 'stopped' }, { mayCreate: true })
      const quota = await world.cluster.apply({
        ...objectOf(kinds.ResourceQuota, { name: 'full', namespace: namespace('crowded') }),
        spec: { hard: { pods: '0' } },
      })
      // The API server enforces a quota once it has counted what exists.
      await until(async () => {
        const found = await world.cluster.read(kinds.ResourceQuota, 'full', namespace('crowded'))
        return (found?.status as { used?: object } | undefined)?.used !== undefined
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
    'do not include a watch that is cut: each change is seen, ten times in a row',
    async () => {
      const desired = instance('watched')
      await world.applyUntilHealthy(desired)
      await until(() => isRunning('watched'))
      const { cluster, engine } = world
      for (let cut = 1; cut <= 10; cut++) {
        proxy.break()
        const found = await cluster.read(kinds.Deployment, names.site, namespace('watched'))
        if (!found) throw new Error('the Deployment is gone')
        await cluster.merge(found, { spec: { revisionHistoryLimit: 1 + cut } })
        await until(async () => (await isRunning('watched')) === false)
        expect((await world.visit('watched')).status).toBe(200)
        await engine.apply(desired, { mayCreate: false })
        await until(() => isRunning('watched'))
      }
    },
    longTest,
  )
})
