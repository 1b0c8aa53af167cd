import { hour, minute, second } from '@slipway/contract/limits'
import type { Job, Timer } from '../../jobs.ts'
import * as clusters from './clusters.service.ts'

export const jobs: Job[] = [
  {
    name: clusters.clusterCheckJob,
    concurrency: 1,
    // One at a time: a check removes the objects with which another check tests NetworkPolicy.
    options: { policy: 'exclusive', retryLimit: 2, expireInSeconds: 900 },
    handle: (ctx) => clusters.check(ctx),
  },
]

export const timers: Timer[] = [
  { name: 'clusters.check', every: hour, run: clusters.requestIfDue },
  // During an update, a server of the old version may still create projects with the old name.
  { name: 'clusters.name-local', every: minute, run: clusters.nameLocalProjects },
  { name: 'clusters.reachability', every: 5 * second, run: clusters.recordReachability },
]
