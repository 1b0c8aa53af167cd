import type { Job } from '../../jobs.ts'
import * as externalLogin from './external-login.service.ts'

export const jobs: Job[] = [
  {
    name: 'external-login.remove-expired',
    schedule: '57 * * * *',
    handle: (ctx) => externalLogin.removeExpired(ctx),
  },
]
