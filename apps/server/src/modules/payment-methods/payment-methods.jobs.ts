import type { UserId } from '@slipway/contract/account'
import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import type { Job } from '../../jobs.ts'
import * as tokens from './payment-methods.tokens.ts'

const options: Job['options'] = {
  // About a day of attempts: longer than a gateway's outage.
  retryLimit: 20,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 7200,
}

const deadLetter: Job['deadLetter'] = async (ctx, { gateway, paymentMethodId }) =>
  ctx.log.error({ gateway, paymentMethodId }, 'a payment gateway did not remove a card')

export const jobs: Job[] = [
  {
    name: tokens.removeCardJob,
    options,
    handle: (ctx, { userId, paymentMethodId }) =>
      tokens.removeDeletedCard(ctx, userId as UserId, paymentMethodId as PaymentMethodId),
    deadLetter,
  },
  {
    // Jobs of version 0.1.0, which contain the token.
    name: 'payment-methods.forget',
    options,
    handle: (ctx, { gateway = '', token = '' }) => tokens.removeToken(ctx, { gateway, token }),
    deadLetter,
  },
]
