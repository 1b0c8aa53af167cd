import type { InvoiceId, Payment } from '@slipway/contract/invoices'
import { sumAmounts, toChargedAmount } from '@slipway/contract/money'
import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Context, Tx, UserContext } from '../../context.ts'
import type { Outcome } from '../../engines/payments/gateway.ts'
import { problem } from '../../problem.ts'
import * as invoices from '../invoices/invoices.service.ts'
import { isExpired } from '../payment-methods/payment-methods.policy.ts'
import * as paymentMethods from '../payment-methods/payment-methods.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { chargeTimeout, firstCheckTime, isStalled, isTooSmall } from './payments.policy.ts'
import * as store from './payments.store.ts'
import { settle, succeed } from './settlement/settlement.ts'

type PayForm = { invoiceIds: InvoiceId[]; paymentMethodId: PaymentMethodId }

const toResponse = (payment: store.Payment, invoiceIds: InvoiceId[]): Payment => ({
  id: payment.id,
  state: payment.state,
  invoiceIds,
  amount: payment.amount,
  chargedAmount: payment.chargedAmount,
  createdAt: payment.createdAt.toISOString(),
})

/** Throws `invoice_already_paid` or `payment_in_progress` unless every invoice can be charged. */
function requirePayable(selected: readonly invoices.Payable[]) {
  if (selected.some(({ paidAt }) => paidAt !== null)) throw problem('invoice_already_paid')
  if (selected.some(({ paymentState }) => paymentState === 'in_progress'))
    throw problem('payment_in_progress')
}

/** Throws `payment_failed` for an expired card, and for one of another gateway. */
function requireUsable(
  ctx: Pick<Context, 'clock' | 'paymentGateway'>,
  card: paymentMethods.PayingCard,
) {
  if (isExpired(card, ctx.clock.now())) throw problem('payment_failed', 'card_expired')
  if (card.gateway !== ctx.paymentGateway.name) throw problem('payment_failed', 'card_not_usable')
}

/** Counts an attempt of the user. Throws `too_many_requests`. */
const throttlePayments = (ctx: UserContext, tx: Tx) =>
  throttle.consume(
    tx,
    ctx.clock.now(),
    `payment:${ctx.user.id}`,
    serviceLimits.paymentsPerUser,
    'too_many_requests',
  )

/**
 * Stores the payment: from then on no other payment can charge its invoices, even after a crash.
 */
const storePayment = (ctx: UserContext, { invoiceIds, paymentMethodId }: PayForm) =>
  ctx.write(async (tx) => {
    const selected = await invoices.lockForPayment(tx, ctx.user.id, invoiceIds)
    const card = await paymentMethods.lockForPayment(ctx, tx, ctx.user.id, paymentMethodId)
    requirePayable(selected)
    requireUsable(ctx, card)
    await throttlePayments(ctx, tx)

    const now = ctx.clock.now()
    const amount = sumAmounts(selected.map((invoice) => invoice.amount))
    const payment = await store.insert(
      tx,
      {
        userId: ctx.user.id,
        paymentMethodId,
        gateway: card.gateway,
        paidWith: { cardAssoc: card.cardAssoc, lastDigits: card.lastDigits },
        billedTo: card.billing,
        amount,
        chargedAmount: toChargedAmount(amount),
        locale: ctx.locale,
        nextCheckAt: firstCheckTime(now),
      },
      invoiceIds,
      now,
    )
    if (isTooSmall(payment.chargedAmount))
      return { payment: await succeed(ctx, tx, payment, null), card }
    await invoices.setPaymentState(tx, invoiceIds, { state: 'in_progress' })
    return { payment, card }
  })

/** Charges the card; undefined when the outcome is unknown. */
async function charge(
  ctx: UserContext,
  payment: store.Payment,
  card: paymentMethods.PayingCard,
): Promise<Outcome | undefined> {
  if (isStalled(payment, ctx.clock.now())) return undefined
  const { id, name, email } = ctx.user
  try {
    const outcome = await ctx.paymentGateway.charge(
      {
        idempotencyKey: payment.id,
        token: card.token,
        amount: payment.chargedAmount,
        customer: { id, name, email, address: ctx.address },
        billing: payment.billedTo,
      },
      // Not aborted by a client that disconnects, nor by the shutdown.
      AbortSignal.timeout(chargeTimeout),
    )
    if (outcome.state === 'declined' && outcome.cause !== undefined)
      ctx.log.warn({ err: outcome.cause, paymentId: payment.id }, 'a charge was not sent')
    return outcome
  } catch (err) {
    ctx.log.warn({ err, paymentId: payment.id }, 'the outcome of a charge is unknown')
    return undefined
  }
}

/**
 * Charges the user's card once for all selected invoices. Amounts in US dollars; the charge is
 * rounded to the cent. The payment stays in progress when the gateway does not respond in time;
 * status checks settle it later. Throws `invoice_not_found`, `payment_method_not_found`,
 * `invoice_already_paid`, `payment_in_progress`, `too_many_requests`, and `payment_failed` with the
 * reason.
 */
export async function pay(ctx: UserContext, form: PayForm): Promise<Payment> {
  const { payment, card } = await storePayment(ctx, form)
  const outcome = payment.state === 'in_progress' ? await charge(ctx, payment, card) : undefined
  const settled = outcome ? await settle(ctx, payment.id, outcome) : payment
  if (settled.failure !== null) throw problem('payment_failed', settled.failure)
  return toResponse(settled, form.invoiceIds)
}
