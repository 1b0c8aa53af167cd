import type { Job } from '../../jobs.ts'
import * as devices from './devices.service.ts'

export const jobs: Job[] = [
  {
    name: 'devices.remove-expired',
    schedule: '47 4 * * *',
    handle: (ctx) => devices.removeExpired(ctx),
  },
]
