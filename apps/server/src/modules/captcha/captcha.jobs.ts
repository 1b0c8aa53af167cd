import type { Job } from '../../jobs.ts'
import * as captcha from './captcha.service.ts'

export const jobs: Job[] = [
  {
    name: 'captcha.remove-expired',
    schedule: '27 * * * *',
    handle: (ctx) => captcha.removeExpired(ctx),
  },
]
