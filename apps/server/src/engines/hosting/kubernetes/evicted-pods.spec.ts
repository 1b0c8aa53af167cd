import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { pollOptions, until } from '../../../testing/until.ts'
import { kinds } from './api/resources.ts'
import { evictedPod } from './fixtures/evicted-pod.fixture.ts'
import { labels } from './objects/names.ts'

const longTest = 120_000
const sleepAfterMs = 60_000

describe('a pod that was evicted', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    world = await createClusterWorld({
      kubeconfig: standIn.kubeconfig,
      installation: 'evicted',
      sleepAfterMs,
      // A wait for the evicted pod to end does not end within a test.
      times: { sleepCheckMs: 100, replacementMs: longTest },
    })
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  const stateOf = (key: string) => world.table.find(key)?.state
  async function launchOf(key: string) {
    const [pod] = await world.cluster.list(kinds.Pod, `${labels.key}=${key}`)
    return pod?.metadata.labels?.[labels.launch]
  }
  /** A site that runs again after its pod was evicted. */
  async function evict(key: string) {
    await world.engine.apply(instance(key), { mayCreate: true })
    await until(() => stateOf(key) === 'awake')
    const launch = await launchOf(key)
    if (launch === undefined) throw new Error(`${key} has no pod`)
    await world.cluster.apply(evictedPod(world.installation, key, { launch }))
  }

  it(
    'does not delay the wake of its site',
    async () => {
      await evict('sleeper')
      world.clock.forward(sleepAfterMs)
      await until(() => stateOf('sleeper') === 'asleep')
      await world.table.renew('sleeper', sleepAfterMs)
      await expect.poll(() => stateOf('sleeper'), pollOptions).toBe('awake')
    },
    longTest,
  )

  it('does not delay the next release of its site', async () => {
    await evict('shop')
    const next = instance('shop', { environment: { COLOR: 'blue' } })
    await world.engine.apply(next, { mayCreate: false })
    expect(await world.engine.stage(instance('shop', { restarts: 1 }))).toBeNull()
  }, 30_000)

  it('is no problem of its site, which runs in another pod', async () => {
    await evict('healthy')
    await world.engine.apply(instance('healthy'), { mayCreate: false })
    expect(world.engine.problemOf('healthy')).toBeNull()
    expect(world.engine.crashesOf('healthy')).toBeNull()
  })
})
