import type { InvoiceId, Payment } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import { sumAmounts, toChargedAmount } from '@slipway/contract/money'
import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import type { Context, Tx, UserContext } from '../../context.ts'
import type { Outcome } from '../../engines/payments/gateway.ts'
import { problem } from '../../problem.ts'
import * as invoices from '../invoices/invoices.service.ts'
import { isExpired } from '../payment-methods/payment-methods.policy.ts'
import * as paymentMethods from '../payment-methods/payment-methods.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { chargeDeadline, firstCheckAt, isStalled, isTooSmall } from './payments.policy.ts'
import * as store from './payments.store.ts'
import { settle, succeed } from './settlement/settlement.ts'

type PayForm = { invoiceIds: InvoiceId[]; paymentMethodId: PaymentMethodId }

const present = (payment: store.Payment, invoiceIds: InvoiceId[]): Payment => ({
  id: payment.id,
  state: payment.state,
  invoiceIds,
  amount: payment.amount,
  chargedAmount: payment.chargedAmount,
  createdAt: payment.createdAt.toISOString(),
})

/** Throws unless each of the invoices can be charged. */
function requirePayable(chosen: readonly invoices.Payable[]) {
  if (chosen.some(({ paidAt }) => paidAt !== null)) throw problem('invoice_already_paid')
  if (chosen.some(({ paymentState }) => paymentState === 'in_progress'))
    throw problem('payment_in_progress')
}

/** Throws for a card that needs no gateway to be refused. */
function requireUsable(
  ctx: Pick<Context, 'clock' | 'paymentGateway'>,
  card: paymentMethods.PayingCard,
) {
  if (isExpired(card, ctx.clock.now())) throw problem('payment_failed', 'card_expired')
  if (card.gateway !== ctx.paymentGateway.name) throw problem('payment_failed', 'card_not_usable')
}

/** Counts an attempt of the user. Throws `too_many_requests` for more than somebody makes who pays. */
const throttlePayments = (ctx: UserContext, tx: Tx) =>
  throttle.take(
    tx,
    ctx.clock.now(),
    `payment:${ctx.user.id}`,
    limits.paymentsPerUser,
    'too_many_requests',
  )

/** Stores the payment: from then on its invoices are in no other, whatever becomes of this process. */
const storePayment = (ctx: UserContext, { invoiceIds, paymentMethodId }: PayForm) =>
  ctx.write(async (tx) => {
    const chosen = await invoices.lockForPayment(tx, ctx.user.id, invoiceIds)
    const card = await paymentMethods.lockForPayment(tx, ctx.user.id, paymentMethodId)
    requirePayable(chosen)
    requireUsable(ctx, card)
    await throttlePayments(ctx, tx)

    const now = ctx.clock.now()
    const amount = sumAmounts(chosen.map((invoice) => invoice.amount))
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
        askAt: firstCheckAt(now),
      },
      invoiceIds,
      now,
    )
    if (isTooSmall(payment.chargedAmount))
      return { payment: await succeed(ctx, tx, payment, null), card }
    await invoices.setPaymentState(tx, invoiceIds, { state: 'in_progress' })
    return { payment, card }
  })

/** What the gateway says to the charge; undefined when it is not known what came of it. */
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
      // Neither a caller who hangs up nor a process that is to stop ends it.
      AbortSignal.timeout(chargeDeadline),
    )
    if (outcome.state === 'declined' && outcome.cause !== undefined)
      ctx.log.warn({ err: outcome.cause, paymentId: payment.id }, 'a charge was not even sent')
    return outcome
  } catch (err) {
    ctx.log.warn({ err, paymentId: payment.id }, 'it is not known whether a card was charged')
    return undefined
  }
}

/**
 * Charges a card of the user once for all of the chosen invoices; gives the payment, which is still in
 * progress when the gateway did not say in time what came of it: then it is asked until it does. Throws
 * `invoice_not_found`, `payment_method_not_found`, `invoice_already_paid`, `payment_in_progress`,
 * `too_many_requests`, and `payment_failed` with the reason.
 */
export async function pay(ctx: UserContext, form: PayForm): Promise<Payment> {
  const { payment, card } = await storePayment(ctx, form)
  const outcome = payment.state === 'in_progress' ? await charge(ctx, payment, card) : undefined
  const paid = outcome ? await settle(ctx, payment.id, outcome) : payment
  if (paid.failure !== null) throw problem('payment_failed', paid.failure)
  return present(paid, form.invoiceIds)
}
