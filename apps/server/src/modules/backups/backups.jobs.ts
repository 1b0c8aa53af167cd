import { hour, second } from '@slipway/contract/limits'
import type { Job } from '../../jobs.ts'
import * as backups from './backups.service.ts'

export const jobs: Job[] = [
  {
    name: 'backups.create',
    concurrency: 1,
    schedule: '17 2 * * *',
    options: {
      policy: 'exclusive',
      // Retries with backoff, for about four hours.
      retryLimit: 5,
      retryDelay: 15 * 60,
      retryBackoff: true,
      retryDelayMax: hour / second,
      expireInSeconds: (12 * hour) / second,
    },
    handle: (ctx) => backups.create(ctx),
  },
]
