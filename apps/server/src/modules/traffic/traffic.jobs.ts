import type { Job } from '../../jobs.ts'
import { countDays, removeOld } from './traffic.service.ts'

export const jobs: Job[] = [
  // Just after midnight in UTC, so that the salt of the past day is deleted soon.
  { name: 'traffic.remove-old', schedule: '1 * * * *', handle: (ctx) => removeOld(ctx) },
  { name: 'traffic.count-days', schedule: '41 2 * * *', handle: (ctx) => countDays(ctx) },
]
