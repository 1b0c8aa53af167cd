import type { Job } from '../../jobs.ts'
import * as devices from './device-authorizations.service.ts'
import * as tokens from './personal-tokens.service.ts'

export const jobs: Job[] = [
  {
    name: 'personal-tokens.remove-expired',
    schedule: '23 * * * *',
    async handle(ctx) {
      await tokens.removeExpired(ctx)
      await devices.removeExpired(ctx)
    },
  },
]
