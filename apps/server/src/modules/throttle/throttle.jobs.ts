import type { Job } from '../../jobs.ts'
import * as throttle from './throttle.service.ts'

export const jobs: Job[] = [
  {
    name: 'throttle.remove-expired',
    schedule: '7 * * * *',
    handle: (ctx) => throttle.removeExpired(ctx),
  },
]
