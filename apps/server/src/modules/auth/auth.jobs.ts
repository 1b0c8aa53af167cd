import { parseLocale } from '@slipway/phrases'
import type { Job } from '../../jobs.ts'
import { lockoutJob } from './auth.attempts.ts'
import * as auth from './auth.service.ts'

export const jobs: Job[] = [
  {
    name: auth.forgotJob,
    handle: (ctx, { email = '', locale, requestId = '' }) =>
      auth.mailReset(ctx, { email, locale: parseLocale(locale), requestId }),
  },
  {
    name: lockoutJob,
    handle: (ctx, { email = '', address = '', time = '', lockoutId = '' }) =>
      auth.mailLockout(ctx, { email, address, time, lockoutId }),
  },
  { name: 'auth.remove-expired', schedule: '37 3 * * *', handle: (ctx) => auth.removeExpired(ctx) },
]
