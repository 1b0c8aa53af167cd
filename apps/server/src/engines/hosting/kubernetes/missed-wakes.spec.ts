import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { pollOptions, until } from '../../../testing/until.ts'
import { ApiError } from './api/api-error.ts'
import { type Connection, createConnection } from './api/connection.ts'
import { readKubeconfig } from './api/kubeconfig.ts'
import { kinds } from './api/resources.ts'
import type { InstanceTables } from './instance-table.ts'
import { createKubernetesEngine } from './kubernetes-engine.ts'
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

  /** A site that sleeps, whose cluster does not respond to the worker. */
  async function startAsleep(key: string) {
    const desired = instance(key)
    // No request through the gateway, which would renew the site's lease later.
    await world.engine.apply(desired, { mayCreate: true })
    await until(() => stateOf(key) === 'awake')
    world.clock.forward(sleepAfterMs)
    await until(async () => stateOf(key) === 'asleep' && (await replicas(key)) === 0)
    isDown = true
    await until(async () => {
      await world.engine.apply(desired, { mayCreate: false }).catch(() => undefined)
      return !world.engine.isReachable()
    })
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
  /** The engine of the next worker. */
  async function startNext(tables: InstanceTables) {
    const next = createKubernetesEngine({ ...world.engineOptions, tables, connection: connect() })
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
      await startNext(world.engineOptions.tables)
      await expectAwake('restart')
    },
    longTest,
  )

  it(
    'once all rows are read after a gap in the notifications',
    async () => {
      await startAsleep('gap')
      let listener: Parameters<typeof world.table.onChange>[0] = () => undefined
      await startNext({
        of: (cluster) => ({
          ...world.engineOptions.tables.of(cluster),
          onChange(added) {
            listener = added
          },
        }),
      })
      await wake('gap')
      listener(null)
      await expectAwake('gap')
    },
    longTest,
  )
})
