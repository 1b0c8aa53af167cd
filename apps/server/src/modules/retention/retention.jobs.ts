import type { Job } from '../../jobs.ts'
import * as retention from './retention.service.ts'

export const jobs: Job[] = [
  {
    name: 'retention.remove-unverified',
    schedule: '47 3 * * *',
    handle: (ctx) => retention.removeUnverified(ctx),
  },
]
