import type { Job } from '../../jobs.ts'
import * as tokens from './payment-methods.tokens.ts'

export const jobs: Job[] = [
  {
    name: tokens.removeTokenJob,
    options: {
      // About a day of attempts: longer than a gateway's outage.
      retryLimit: 20,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 7200,
    },
    handle: (ctx, { gateway = '', token = '' }) => tokens.removeToken(ctx, { gateway, token }),
    deadLetter: async (ctx, { gateway, paymentMethodId }) =>
      ctx.log.error({ gateway, paymentMethodId }, 'a payment gateway did not forget a card'),
  },
]
