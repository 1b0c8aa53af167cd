import { ageInSeconds, type Measurement } from '../../metrics/measurement.ts'
import { listUnreachable } from './clusters.store.ts'

const name = 'slipway_cluster_unreachable_seconds'

export const metrics: Measurement[] = [
  {
    name: 'clusters',
    gauges: [
      {
        name,
        help: 'For how long no worker has reached a cluster; absent for one that responds.',
        labels: ['cluster'],
      },
    ],
    async read({ db, clock }) {
      return (await listUnreachable(db)).map((cluster) => ({
        name,
        labels: { cluster: cluster.name },
        value: ageInSeconds(cluster.unreachableSince, clock.now()),
      }))
    },
  },
]
