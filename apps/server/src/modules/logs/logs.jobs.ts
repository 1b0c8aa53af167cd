import type { Job } from '../../jobs.ts'
import { removeOld } from './logs.service.ts'

export const jobs: Job[] = [
  { name: 'logs.remove-old', schedule: '23 * * * *', handle: (ctx) => removeOld(ctx) },
]
