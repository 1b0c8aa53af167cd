import type { Job } from '../../jobs.ts'
import { removeOld } from './activity.service.ts'

export const jobs: Job[] = [
  { name: 'activity.remove-old', schedule: '11 3 * * *', handle: (ctx) => removeOld(ctx) },
]
