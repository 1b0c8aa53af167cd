import type { Job } from '../../jobs.ts'
import * as externalLogin from './external-login.service.ts'

export const jobs: Job[] = [
  {
    name: 'external-login.tidy',
    schedule: '57 * * * *',
    handle: (ctx) => externalLogin.tidy(ctx),
  },
]
