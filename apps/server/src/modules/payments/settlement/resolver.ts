import type { PaymentId } from '@slipway/contract/invoices'
import type { Context } from '../../../context.ts'
import { deadline } from '../../../engines/payments/deadline.ts'
import type { Outcome } from '../../../engines/payments/gateway.ts'
import { isAbandoned, lateCheckAt, nextCheckAt } from '../payments.policy.ts'
import * as store from '../payments.store.ts'
import { settle } from './settlement.ts'

/** Asks the gateway what became of one payment. */
export const resolveJob = 'payments.resolve'

/** Makes a job of each payment that the gateway is to be asked about by now. */
export async function sweep(ctx: Context): Promise<void> {
  // In order, so that two sweeps at once do not wait for one another in a ring.
  const ids = (await store.listDue(ctx.db, ctx.clock.now())).sort()
  if (ids.length === 0) return
  await ctx.write(async (tx) => {
    for (const id of ids)
      await ctx.jobs.send(tx, resolveJob, { paymentId: id }, { singletonKey: id })
  })
}

/** What the gateway knows of a payment; that it gave no answer says nothing. */
async function find(
  ctx: Context,
  payment: store.Payment,
): Promise<Outcome | 'never_received' | 'no_response'> {
  const { id, gateway } = payment
  if (gateway !== ctx.paymentGateway.name) {
    ctx.log.error(
      { paymentId: id, gateway },
      'a payment is in progress at a gateway that is not the one in use: nobody can ask after it',
    )
    return 'no_response'
  }
  try {
    return (await ctx.paymentGateway.find(id, deadline())) ?? 'never_received'
  } catch (err) {
    ctx.log.warn({ err, paymentId: id }, 'the gateway did not say what became of a payment')
    return 'no_response'
  }
}

/**
 * Asks the gateway what became of a payment, if that is due, and settles it. Without an answer it is asked
 * again later; that it has never heard of the payment is believed once that is 15 minutes old.
 */
export async function resolve(ctx: Context, id: PaymentId): Promise<void> {
  const payment = await store.find(ctx.db, id)
  if (!payment?.askAt || payment.askAt > ctx.clock.now()) return
  const found = await find(ctx, payment)
  const mailed = true
  if (typeof found === 'object') {
    await settle(ctx, id, found, { mailed })
    return
  }
  const now = ctx.clock.now()
  const inProgress = payment.state === 'in_progress'
  if (inProgress && found === 'never_received' && isAbandoned(payment, now)) {
    await settle(ctx, id, { state: 'declined', failure: 'not_charged' }, { mailed })
    return
  }
  const askAt = inProgress ? nextCheckAt(payment.asked + 1, now) : lateCheckAt(payment, now)
  await ctx.write((tx) => store.recordCheck(tx, payment, askAt, now))
}
