import type { Job } from '../../jobs.ts'
import * as captcha from './captcha.service.ts'

export const jobs: Job[] = [
  { name: 'captcha.tidy', schedule: '27 * * * *', handle: (ctx) => captcha.tidy(ctx) },
]
