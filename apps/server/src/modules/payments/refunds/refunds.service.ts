import type { PaymentId } from '@slipway/contract/invoices'
import type { Refund } from '@slipway/contract/refunds'
import type { UserContext } from '../../../context.ts'
import { problem } from '../../../problem.ts'
import { recordActivity } from '../../activity/activity.service.ts'
import * as store from './refunds.store.ts'

function toResponse(refund: store.Refund): Refund {
  const { id, user, chargedAmount, paidWith, gateway, chargeId, refundDueAt, refundedAt } = refund
  if (chargeId === null || refundDueAt === null) throw new Error(`payment ${id} has no charge`)
  return {
    id,
    user,
    amount: chargedAmount,
    card: paidWith,
    gateway,
    chargeId,
    dueAt: refundDueAt.toISOString(),
    refundedAt: refundedAt?.toISOString() ?? null,
  }
}

/** The charges that an operator has to refund, longest due first. */
export const listDue = async (ctx: UserContext): Promise<Refund[]> =>
  (await store.listDue(ctx.db)).map(toResponse)

/**
 * Marks a charge as refunded, after an operator refunded it at the gateway; returns it. A repeated
 * call keeps the time of the first call. Throws `item_not_found` for a payment without a refund.
 */
export const markRefunded = (ctx: UserContext, id: PaymentId): Promise<Refund> =>
  ctx.write(async (tx) => {
    const isFirst = await store.setRefunded(tx, id, ctx.clock.now())
    const refund = await store.find(tx, id)
    if (!refund) throw problem('item_not_found')
    if (isFirst)
      await recordActivity(ctx, tx, {
        kind: 'payment_refunded',
        concerns: { accountId: refund.user.id },
        subject: refund.paidWith.lastDigits,
        after: refund.chargedAmount,
        actor: 'operator',
      })
    return toResponse(refund)
  })
