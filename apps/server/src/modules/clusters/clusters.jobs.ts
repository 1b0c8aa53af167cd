import { hour, second } from '@slipway/contract/limits'
import type { Job, Timer } from '../../jobs.ts'
import * as clusters from './clusters.service.ts'

export const jobs: Job[] = [
  {
    name: clusters.checkJob,
    concurrency: 1,
    // One queued or running check: a trial of NetworkPolicy removes what others have made.
    options: { policy: 'exclusive', retryLimit: 2, expireInSeconds: 900 },
    handle: (ctx) => clusters.check(ctx),
  },
]

export const timers: Timer[] = [
  { name: 'clusters.check', every: hour, run: clusters.requestIfDue },
  { name: 'clusters.reachability', every: 5 * second, run: clusters.recordReachability },
]
