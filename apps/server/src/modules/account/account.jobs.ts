import type { Job } from '../../jobs.ts'
import * as account from './account.service.ts'

export const jobs: Job[] = [
  { name: 'account.tidy', schedule: '47 3 * * *', handle: (ctx) => account.tidy(ctx) },
]
