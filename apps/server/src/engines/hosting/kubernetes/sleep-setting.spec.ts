import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { pollOptions, until } from '../../../testing/until.ts'
import { createConnection } from './api/connection.ts'
import { readKubeconfig } from './api/kubeconfig.ts'
import { createKubernetesEngine } from './kubernetes-engine.ts'

const longTest = 120_000
const sleepAfterMs = 60_000

describe('another SLEEP_AFTER', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    world = await createClusterWorld({
      kubeconfig: standIn.kubeconfig,
      installation: 'setting',
      sleepAfterMs,
      times: { sleepCheckMs: 100 },
    })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  const stateOf = (key: string) => world.table.find(key)?.state
  const access = () => readKubeconfig({ file: standIn.kubeconfig, context: undefined })
  /** Starts the next worker, with this setting. */
  async function startNext(setting: number) {
    const next = createKubernetesEngine({
      ...world.engineOptions,
      connection: createConnection(access),
      sleepAfterMs: setting,
    })
    onTestFinished(() => next.close())
    await next.start()
    return next
  }

  it(
    'of 0 wakes the sites that sleep, which no gateway would',
    async () => {
      await world.engine.apply(instance('sleeper'), { mayCreate: true })
      await until(() => stateOf('sleeper') === 'awake')
      world.clock.forward(sleepAfterMs)
      await until(() => stateOf('sleeper') === 'asleep')
      await startNext(0)
      await expect.poll(() => stateOf('sleeper'), pollOptions).toBe('awake')
    },
    longTest,
  )

  it(
    'lets sites sleep that were not to sleep before',
    async () => {
      const before = await startNext(0)
      await before.apply(instance('sleepless'), { mayCreate: true })
      await until(() => stateOf('sleepless') === 'awake')
      world.clock.forward(sleepAfterMs)
      await world.table.sleepIdle(10)
      expect(stateOf('sleepless')).toBe('awake')
      await before.close()
      await startNext(sleepAfterMs)
      world.clock.forward(sleepAfterMs)
      await expect.poll(() => stateOf('sleepless'), pollOptions).toBe('asleep')
    },
    longTest,
  )
})
