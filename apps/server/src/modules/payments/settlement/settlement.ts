import type { PaymentFailure, PaymentId } from '@slipway/contract/invoices'
import type { Context, Tx } from '../../../context.ts'
import type { Outcome } from '../../../engines/payments/gateway.ts'
import * as invoices from '../../invoices/invoices.service.ts'
import { isPayable, lateCheckAt } from '../payments.policy.ts'
import * as store from '../payments.store.ts'
import { mailFailure, mailLateCharge, mailReceipt } from './settlement.mailing.ts'

type SettlementContext = Pick<Context, 'clock' | 'jobs' | 'env' | 'log' | 'write'>

/** In the order of their ids, as whoever begins a payment locks them. */
async function lockInvoices(tx: Tx, payment: store.Payment) {
  const ids = (await store.listInvoices(tx, payment.id)).map(({ id }) => id)
  return invoices.lockForPayment(tx, payment.userId, ids)
}

const idsOf = (locked: readonly invoices.Payable[]) => locked.map(({ id }) => id)

/** A charge that was made, or was not needed: the invoices are paid, and a receipt is mailed. */
export async function succeed(
  ctx: SettlementContext,
  tx: Tx,
  payment: store.Payment,
  chargeId: string | null,
): Promise<store.Payment> {
  const now = ctx.clock.now()
  const ids = idsOf(await lockInvoices(tx, payment))
  const settled = await store.change(
    tx,
    payment,
    { state: 'succeeded', failure: null, chargeId, askAt: null, settledAt: now },
    now,
  )
  await store.setLive(tx, payment.id, true)
  const { paidWith, billedTo, amount, chargedAmount } = payment
  const charge = { amount, chargedAmount, invoiceCount: ids.length }
  await invoices.markPaid(tx, ids, { paidAt: now, paidWith, billedTo, charge })
  await mailReceipt(ctx, tx, settled)
  return settled
}

/** No charge was made: the invoices can be paid again. */
async function fail(
  ctx: SettlementContext,
  tx: Tx,
  payment: store.Payment,
  failure: PaymentFailure,
): Promise<store.Payment> {
  const now = ctx.clock.now()
  const ids = idsOf(await lockInvoices(tx, payment))
  // That nobody has heard of a charge is no word of the gateway's that there is none: it is asked on.
  const askAt = failure === 'not_charged' ? lateCheckAt(payment, now) : null
  const settled = await store.change(
    tx,
    payment,
    { state: 'failed', failure, askAt, settledAt: now },
    now,
  )
  await store.setLive(tx, payment.id, false)
  await invoices.setPaymentState(tx, ids, { state: 'failed', failure })
  return settled
}

/**
 * A charge that shows up after its payment has failed: it pays what it was for, if nothing else does. If not,
 * it is to be given back: the customer is told, and what says that nothing was charged says so no longer.
 */
async function settleLateCharge(
  ctx: SettlementContext,
  tx: Tx,
  payment: store.Payment,
  chargeId: string,
): Promise<store.Payment> {
  if (payment.refundDueAt) return payment
  const wanted = await lockInvoices(tx, payment)
  if (wanted.every(isPayable)) return succeed(ctx, tx, payment, chargeId)
  const now = ctx.clock.now()
  const failure = 'charged_late'
  const due = await store.change(
    tx,
    payment,
    { failure, chargeId, askAt: null, refundDueAt: now },
    now,
  )
  const outdated = wanted.filter(
    (invoice) => isPayable(invoice) && invoice.paymentFailure === payment.failure,
  )
  await invoices.setPaymentState(tx, idsOf(outdated), { state: 'failed', failure })
  await mailLateCharge(ctx, tx, due)
  return due
}

/**
 * Ends a payment with what the gateway said; gives it as it is then. Whoever comes second changes nothing,
 * but for a charge that was not known of when the payment failed: it pays the invoices if they are free, and
 * is noted to be given back if they are not. `mailed`: nobody waits for the answer, so a failure is mailed.
 */
export async function settle(
  ctx: SettlementContext,
  id: PaymentId,
  outcome: Outcome,
  { mailed = false } = {},
): Promise<store.Payment> {
  const { before, settled } = await ctx.write(async (tx) => {
    const payment = await store.lock(tx, id)
    return { before: payment, settled: await settleLocked(ctx, tx, payment, outcome, mailed) }
  })
  if (settled.refundDueAt && !before.refundDueAt)
    ctx.log.error(
      { paymentId: id, chargeId: settled.chargeId, chargedAmount: settled.chargedAmount },
      'a card was charged for invoices that another payment pays: the charge has to be given back',
    )
  return settled
}

async function settleLocked(
  ctx: SettlementContext,
  tx: Tx,
  payment: store.Payment,
  outcome: Outcome,
  mailed: boolean,
) {
  const charged = outcome.state === 'charged'
  if (payment.state === 'failed' && charged)
    return settleLateCharge(ctx, tx, payment, outcome.chargeId)
  if (payment.state !== 'in_progress')
    return store.change(tx, payment, { askAt: null }, ctx.clock.now())
  if (charged) return succeed(ctx, tx, payment, outcome.chargeId)
  const failed = await fail(ctx, tx, payment, outcome.failure)
  if (mailed) await mailFailure(ctx, tx, failed)
  return failed
}
