import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { until } from '../../../testing/until.ts'
import { createConnection } from './api/connection.ts'
import { readKubeconfig } from './api/kubeconfig.ts'
import type { InstanceTables, NetworkAddress } from './instance-table.ts'
import { createKubernetesEngine } from './kubernetes-engine.ts'

const longTest = 120_000
const keys = Array.from({ length: 12 }, (_, index) => `site-${index}`)

describe('the next worker of running sites', () => {
  let standIn: StandInCluster
  let world: ClusterWorld
  beforeAll(async () => {
    standIn = await startStandInCluster()
    world = await createClusterWorld({ kubeconfig: standIn.kubeconfig, installation: 'rows' })
    for (const key of keys) await world.engine.apply(instance(key), { mayCreate: true })
    await until(() => keys.every((key) => world.table.find(key)?.state === 'awake'))
  }, longTest)
  afterAll(async () => {
    await world?.close()
    await standIn?.stop()
  }, longTest)

  const access = () => readKubeconfig({ file: standIn.kubeconfig, context: undefined })

  /** Starts a worker that finds these addresses in its table, and has compared them. */
  async function startNext(stored: (key: string) => NetworkAddress | null | undefined) {
    const writes: string[] = []
    let open = 0
    let mostAtOnce = 0
    const tables: InstanceTables = {
      of: (cluster) => ({
        ...world.engineOptions.tables.of(cluster),
        find(key) {
          const address = stored(key)
          return address === undefined ? world.table.find(key) : { state: 'awake', address }
        },
        async publish(key, address) {
          writes.push(key)
          open += 1
          mostAtOnce = Math.max(mostAtOnce, open)
          await world.table.publish(key, address)
          open -= 1
        },
      }),
    }
    const next = createKubernetesEngine({
      ...world.engineOptions,
      tables,
      connection: createConnection(access),
      times: { repairMs: longTest },
    })
    await next.start()
    await until(() => next.isReachable())
    return { next, writes, mostAtOnce: () => mostAtOnce }
  }

  it('writes no address that is stored already', async () => {
    const { next, writes } = await startNext(() => undefined)
    await next.close()
    expect(writes).toEqual([])
  })

  it('writes the addresses that have changed, a few at a time', async () => {
    const { next, writes, mostAtOnce } = await startNext(() => null)
    await until(() => new Set(writes).size === keys.length)
    await next.close()
    expect(mostAtOnce()).toBe(4)
  })
})
