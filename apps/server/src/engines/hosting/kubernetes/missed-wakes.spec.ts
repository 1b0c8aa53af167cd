import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { pollOptions, until } from '../../../testing/until.ts'
import { ApiError } from './api/api-error.ts'
import { type Connection, createConnection } from './api/connection.ts'
import { readKubeconfig } from './api/kubeconfig.ts'
import { kinds } from './api/resources.ts'
import type { InstanceTable, InstanceTables } from './instance-table.ts'
import { createKubernetesEngine, type KubernetesEngineOptions } from './kubernetes-engine.ts'
import { names, namespaceOf } from './objects/names.ts'

const longTest = 120_000
const sleepAfterMs = 60_000
const noResponse = new ApiError('no response', {
  failure: 'retry',
  status: 0,
  retryAfterMs: undefined,
})

describe('a site whose wake its worker has missed gets a pod', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  let isDown = false

  const connect = () =>
    createConnection(() => readKubeconfig({ file: standIn.kubeconfig, context: undefined }))

  beforeAll(async () => {
    standIn = await startStandInCluster()
    const connection = connect()
    const requireUp = () => {
      if (isDown) throw noResponse
    }
    // Requests that began before the outage continue: only new ones are counted as failures.
    const failing: Connection = {
      ...connection,
      async call(method, path, options) {
        requireUp()
        return connection.call(method, path, options)
      },
      async text(path, options) {
        requireUp()
        return connection.text(path, options)
      },
      async *lines(path, options) {
        requireUp()
        yield* connection.lines(path, options)
      },
      async *chunks(path, options) {
        requireUp()
        yield* connection.chunks(path, options)
      },
    }
    world = await createClusterWorld({
      connection: failing,
      kubeconfig: standIn.kubeconfig,
      installation: 'wakes',
      sleepAfterMs,
      times: { sleepCheckMs: 100 },
    })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  const replicas = async (key: string) => {
    const namespace = namespaceOf(world.installation, key)
    const stored = await world.cluster.read(kinds.Deployment, names.site, namespace)
    return (stored?.spec as { replicas: number } | undefined)?.replicas
  }
  const stateOf = (key: string) => world.table.find(key)?.state

  async function startAwake(key: string) {
    // No request through the gateway, which would renew the site's lease later.
    await world.engine.apply(instance(key), { mayCreate: true })
    await until(() => stateOf(key) === 'awake')
  }
  /** The cluster no longer responds to the worker. */
  async function startOutage(key: string) {
    isDown = true
    await until(async () => {
      await world.engine.apply(instance(key), { mayCreate: false }).catch(() => undefined)
      return !world.engine.isReachable()
    })
  }
  /** A site that sleeps, whose cluster does not respond to the worker. */
  async function startAsleep(key: string) {
    await startAwake(key)
    world.clock.forward(sleepAfterMs)
    await until(async () => stateOf(key) === 'asleep' && (await replicas(key)) === 0)
    await startOutage(key)
  }
  async function wake(key: string) {
    await world.table.renew(key, sleepAfterMs)
    await until(() => stateOf(key) === 'waking')
    expect(await replicas(key)).toBe(0)
  }
  async function expectAwake(key: string) {
    await expect.poll(() => stateOf(key), pollOptions).toBe('awake')
    expect(await replicas(key)).toBe(1)
  }
  async function endOutage() {
    isDown = false
    await until(() => world.engine.isReachable())
  }
  type Listener = Parameters<InstanceTable['onChange']>[0]
  /** The tables of a worker that reads a change of a row only when `notify` is called. */
  function silentTables() {
    let listener: Listener = () => undefined
    const tables: InstanceTables = {
      of: (cluster) => ({
        ...world.engineOptions.tables.of(cluster),
        onChange(added) {
          listener = added
        },
      }),
    }
    return { tables, notify: (key: string | null) => listener(key) }
  }
  /** The engine of the next worker. */
  async function startNext(changes: Partial<KubernetesEngineOptions> = {}) {
    const next = createKubernetesEngine({
      ...world.engineOptions,
      connection: connect(),
      ...changes,
    })
    onTestFinished(async () => {
      await next.close()
      await endOutage()
    })
    await next.start()
  }

  it(
    'once the cluster responds again',
    async () => {
      await startAsleep('outage')
      await wake('outage')
      await endOutage()
      await expectAwake('outage')
    },
    longTest,
  )

  it(
    'at the start of the next worker',
    async () => {
      await startAsleep('restart')
      await wake('restart')
      await startNext()
      await expectAwake('restart')
    },
    longTest,
  )

  it(
    'once all rows are read after a gap in the notifications',
    async () => {
      await startAsleep('gap')
      const { tables, notify } = silentTables()
      await startNext({ tables, times: { repairMs: longTest } })
      await wake('gap')
      notify(null)
      await expectAwake('gap')
    },
    longTest,
  )

  it(
    'which is its previous one, if the worker has not read that it slept',
    async () => {
      await startAwake('early')
      await startOutage('early')
      const { tables, notify } = silentTables()
      await startNext({ tables, times: { repairMs: longTest } })
      world.clock.forward(sleepAfterMs)
      await world.table.sleepIdle(10)
      await world.table.renew('early', sleepAfterMs)
      await until(() => stateOf('early') === 'waking')
      notify('early')
      await expectAwake('early')
    },
    longTest,
  )

  it(
    'whose address is stored once the database responds again',
    async () => {
      await startAsleep('unstored')
      const { publish } = world.table
      let failures = 0
      world.table.publish = async () => {
        failures += 1
        throw new Error('the database restarts')
      }
      onTestFinished(() => void Object.assign(world.table, { publish }))
      await startNext({ times: { repairMs: 100 } })
      await world.table.renew('unstored', sleepAfterMs)
      await until(async () => (await replicas('unstored')) === 1 && failures > 1)
      world.table.publish = publish
      await expectAwake('unstored')
    },
    longTest,
  )

  it(
    'also when the cluster has rejected the change at first',
    async () => {
      await startAsleep('rejected')
      let rejections = 0
      const connection = connect()
      const rejecting: Connection = {
        ...connection,
        async call(method, path, options) {
          if (method !== 'PATCH' || rejections > 0) return connection.call(method, path, options)
          rejections += 1
          throw new ApiError('denied', { failure: 'denied', status: 403, retryAfterMs: undefined })
        },
      }
      await startNext({ connection: rejecting, times: { repairMs: 100 } })
      await world.table.renew('rejected', sleepAfterMs)
      await expectAwake('rejected')
      expect(rejections).toBe(1)
    },
    longTest,
  )
})
