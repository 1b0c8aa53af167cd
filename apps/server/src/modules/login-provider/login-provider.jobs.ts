import type { Job } from '../../jobs.ts'
import * as loginProvider from './login-provider.service.ts'

export const jobs: Job[] = [
  {
    name: 'login-provider.maintain',
    schedule: '47 3 * * *',
    handle: (ctx) => loginProvider.rotateKeysAndRemoveExpired(ctx),
  },
]
