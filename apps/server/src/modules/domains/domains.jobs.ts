import { minute, second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { Job, Timer } from '../../jobs.ts'
import { check, checkJob, sweep } from './domains.service.ts'

export const jobs: Job[] = [
  {
    name: checkJob,
    // The jobs only wait for name servers.
    concurrency: 4,
    options: {
      policy: 'exclusive',
      // No retry: the next sweep enqueues another job while the check is due.
      retryLimit: 0,
      deleteAfterSeconds: (10 * minute) / second,
    },
    async handle(ctx, { projectId = '' }) {
      await check(ctx, projectId as ProjectId)
    },
  },
]

export const timers: Timer[] = [{ name: 'domains.sweep', every: 15 * second, run: sweep }]
