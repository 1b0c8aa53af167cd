import type { PaymentFailure, PaymentId } from '@slipway/contract/invoices'
import type { Context, Tx } from '../../../context.ts'
import type { Outcome } from '../../../engines/payments/gateway.ts'
import { type Entry, recordActivity } from '../../activity/activity.service.ts'
import * as invoices from '../../invoices/invoices.service.ts'
import { isPayable, lateCheckTime } from '../payments.policy.ts'
import * as store from '../payments.store.ts'
import { mailFailure, mailLateCharge, mailReceipt } from './settlement.mailing.ts'
import { countSettled } from './settlement.metrics.ts'

type SettlementContext = Pick<Context, 'clock' | 'jobs' | 'env' | 'log' | 'write'>

/** Locks the payment's invoices in the order of their ids, as `pay` does. */
async function lockInvoices(tx: Tx, payment: store.Payment) {
  const ids = (await store.listInvoices(tx, payment.id)).map(({ id }) => id)
  return invoices.lockForPayment(tx, payment.userId, ids)
}

const idsOf = (locked: readonly invoices.Payable[]) => locked.map(({ id }) => id)

/** Records the outcome of a payment for each of its invoices; `after` is its amount by default. */
async function record(
  ctx: SettlementContext,
  tx: Tx,
  { userId }: store.Payment,
  locked: readonly invoices.Payable[],
  entry: Pick<Entry, 'kind' | 'after'>,
) {
  const [concerns, actor] = [{ accountId: userId }, { id: userId }]
  for (const { id, amount } of locked)
    await recordActivity(ctx, tx, { after: amount, ...entry, concerns, subject: id, actor })
}

/** Settles a payment as succeeded: marks the invoices as paid and mails the receipt. */
export async function succeed(
  ctx: SettlementContext,
  tx: Tx,
  payment: store.Payment,
  chargeId: string | null,
): Promise<store.Payment> {
  const now = ctx.clock.now()
  const locked = await lockInvoices(tx, payment)
  const ids = idsOf(locked)
  const settled = await store.change(
    tx,
    payment,
    { state: 'succeeded', failure: null, chargeId, nextCheckAt: null, settledAt: now },
    now,
  )
  await store.setLive(tx, payment.id, true)
  const { paidWith, billedTo, amount, chargedAmount } = payment
  const charge = { amount, chargedAmount, invoiceCount: ids.length }
  await invoices.markPaid(tx, ids, { paidAt: now, paidWith, billedTo, charge })
  await record(ctx, tx, payment, locked, { kind: 'invoice_paid' })
  await mailReceipt(ctx, tx, settled)
  return settled
}

/** Settles a payment as failed: its invoices can be paid again. */
async function fail(
  ctx: SettlementContext,
  tx: Tx,
  payment: store.Payment,
  failure: PaymentFailure,
): Promise<store.Payment> {
  const now = ctx.clock.now()
  const locked = await lockInvoices(tx, payment)
  // `not_charged` is only assumed: keep checking for a late charge.
  const nextCheckAt = failure === 'not_charged' ? lateCheckTime(payment, now) : null
  const settled = await store.change(
    tx,
    payment,
    { state: 'failed', failure, nextCheckAt, settledAt: now },
    now,
  )
  await store.setLive(tx, payment.id, false)
  await invoices.setPaymentState(tx, idsOf(locked), { state: 'failed', failure })
  await record(ctx, tx, payment, locked, { kind: 'invoice_unpaid', after: failure })
  return settled
}

/**
 * Settles a charge that appears after its payment failed. It pays the invoices if they are all
 * still payable. Otherwise it must be refunded: the customer gets an email, and invoices that still
 * say "not charged" are corrected.
 */
async function settleLateCharge(
  ctx: SettlementContext,
  tx: Tx,
  payment: store.Payment,
  chargeId: string,
): Promise<store.Payment> {
  if (payment.refundDueAt) return payment
  const locked = await lockInvoices(tx, payment)
  if (locked.every(isPayable)) return succeed(ctx, tx, payment, chargeId)
  const now = ctx.clock.now()
  const failure = 'charged_late'
  const due = await store.change(
    tx,
    payment,
    { failure, chargeId, nextCheckAt: null, refundDueAt: now },
    now,
  )
  const outdated = locked.filter(
    (invoice) => isPayable(invoice) && invoice.paymentFailure === payment.failure,
  )
  await invoices.setPaymentState(tx, idsOf(outdated), { state: 'failed', failure })
  await mailLateCharge(ctx, tx, due)
  return due
}

/**
 * Settles a payment with the gateway's outcome and returns it. Idempotent: a second outcome changes
 * nothing, except a charge after a failure, which pays the invoices or becomes a refund. `mailed`:
 * no client is waiting, so a failure is mailed.
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
  if (before.state !== settled.state) countSettled(settled)
  if (settled.refundDueAt && !before.refundDueAt)
    ctx.log.error(
      { paymentId: id, chargeId: settled.chargeId, chargedAmount: settled.chargedAmount },
      'a card was charged for invoices that another payment pays: the charge has to be refunded',
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
    return store.change(tx, payment, { nextCheckAt: null }, ctx.clock.now())
  if (charged) return succeed(ctx, tx, payment, outcome.chargeId)
  const failed = await fail(ctx, tx, payment, outcome.failure)
  if (mailed) await mailFailure(ctx, tx, failed)
  return failed
}
