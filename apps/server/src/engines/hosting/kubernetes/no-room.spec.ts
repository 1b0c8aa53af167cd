import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClusterWorld, createClusterWorld, instance } from '../../../testing/cluster-world.ts'
import { type StandInCluster, startStandInCluster } from '../../../testing/stand-in-cluster.ts'
import { until } from '../../../testing/until.ts'
import { CapacityError } from '../engine.ts'
import { type KubeObject, kinds } from './api/resources.ts'
import { labels } from './objects/names.ts'

const longTest = 120_000

let standIn: StandInCluster
let world: ClusterWorld
beforeAll(async () => {
  standIn = await startStandInCluster()
  world = await createClusterWorld({
    kubeconfig: standIn.kubeconfig,
    installation: 'room',
    // An attempt that waits for the pod does not end within the test.
    times: { changeMs: longTest, removalMs: 100 },
  })
}, longTest)
afterAll(async () => {
  await world?.close()
  await standIn?.stop()
}, longTest)

it('another attempt at a change whose pod finds no room does not wait for it again', async () => {
  const desired = instance('shop')
  await world.engine.apply(desired, { mayCreate: true })
  await until(() => world.table.find('shop')?.state === 'awake')
  const [next] = await world.cluster.list(kinds.Pod, `${labels.key}=shop`)
  if (!next) throw new Error('the site has no pod')
  const serving: KubeObject = {
    ...next,
    ...kinds.Pod,
    metadata: {
      ...next.metadata,
      name: 'serving',
      uid: 'serving',
      labels: { ...next.metadata.labels, [labels.launch]: 'previous' },
    },
  }
  await world.cluster.apply(serving)
  const message = '0/1 nodes are available: 1 Insufficient memory.'
  const conditions = [{ type: 'PodScheduled', status: 'False', message }]
  await world.cluster.merge(
    { ...next, ...kinds.Pod },
    { status: { conditions, containerStatuses: [] } },
  )
  await until(() => world.engine.problemOf('shop') === 'no_capacity')
  await expect(world.engine.apply(desired, { mayCreate: false })).rejects.toThrow(CapacityError)
})
