import type { Job } from '../../jobs.ts'
import * as retention from './retention.service.ts'

export const jobs: Job[] = [
  {
    name: 'retention.remove-unverified',
    schedule: '47 3 * * *',
    handle: (ctx) => retention.removeUnverified(ctx),
  },
  {
    name: 'retention.remove-of-deleted-projects',
    schedule: '7 * * * *',
    handle: (ctx) => retention.removeOfDeletedProjects(ctx),
  },
]
