import type { PaymentId } from '@slipway/contract/invoices'
import type { Context } from '../../../context.ts'
import { deadline } from '../../../engines/payments/deadline.ts'
import type { Outcome } from '../../../engines/payments/gateway.ts'
import { isAbandoned, lateCheckTime, nextCheckTime } from '../payments.policy.ts'
import * as store from '../payments.store.ts'
import { settle } from './settlement.ts'

export const resolveJob = 'payments.resolve'

/** Enqueues a status check of every payment that is due. */
export async function sweep(ctx: Context): Promise<void> {
  // Sorted, so that two concurrent sweeps cannot deadlock.
  const ids = (await store.listDue(ctx.db, ctx.clock.now())).sort()
  if (ids.length === 0) return
  await ctx.write(async (tx) => {
    for (const id of ids)
      await ctx.jobs.send(tx, resolveJob, { paymentId: id }, { singletonKey: id })
  })
}

/** The gateway's outcome of a payment. `no_response` leaves it unknown. */
async function findOutcome(
  ctx: Context,
  payment: store.Payment,
): Promise<Outcome | 'never_received' | 'no_response'> {
  const { id, gateway } = payment
  if (gateway !== ctx.paymentGateway.name) {
    ctx.log.error(
      { paymentId: id, gateway },
      'a payment is in progress at a gateway that is not the one in use: its status cannot be checked',
    )
    return 'no_response'
  }
  try {
    return (await ctx.paymentGateway.find(id, deadline())) ?? 'never_received'
  } catch (err) {
    ctx.log.warn({ err, paymentId: id }, 'the status check of a payment failed')
    return 'no_response'
  }
}

/**
 * Checks a payment's status at the gateway, if the check is due, and settles the payment. Without a
 * response another check follows. A payment that the gateway has never received fails after 15
 * minutes.
 */
export async function resolve(ctx: Context, id: PaymentId): Promise<void> {
  const payment = await store.find(ctx.db, id)
  if (!payment?.nextCheckAt || payment.nextCheckAt > ctx.clock.now()) return
  const outcome = await findOutcome(ctx, payment)
  const mailed = true
  if (typeof outcome === 'object') {
    await settle(ctx, id, outcome, { mailed })
    return
  }
  const now = ctx.clock.now()
  const inProgress = payment.state === 'in_progress'
  if (inProgress && outcome === 'never_received' && isAbandoned(payment, now)) {
    await settle(ctx, id, { state: 'declined', failure: 'not_charged' }, { mailed })
    return
  }
  const nextCheckAt = inProgress
    ? nextCheckTime(payment.checkCount + 1, now)
    : lateCheckTime(payment, now)
  await ctx.write((tx) => store.recordCheck(tx, payment, nextCheckAt, now))
}
