import type { PaymentId } from '@slipway/contract/invoices'
import type { Refund } from '@slipway/contract/refunds'
import type { UserContext } from '../../../context.ts'
import { problem } from '../../../problem.ts'
import * as store from './refunds.store.ts'

function present(refund: store.Refund): Refund {
  const { id, user, chargedAmount, paidWith, gateway, chargeId, refundDueAt, refundedAt } = refund
  if (chargeId === null || refundDueAt === null) throw new Error(`payment ${id} charged nothing`)
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

/** The charges that have to be given back to whoever they were taken from, the longest known first. */
export const listDue = async (ctx: UserContext): Promise<Refund[]> =>
  (await store.listDue(ctx.db)).map(present)

/**
 * Notes that a charge was given back, which an operator does at the gateway; gives it. Noted again, it keeps
 * the moment of the first time. Throws `item_not_found` for a payment of which nothing is to be given back.
 */
export const markRefunded = (ctx: UserContext, id: PaymentId): Promise<Refund> =>
  ctx.write(async (tx) => {
    await store.setRefunded(tx, id, ctx.clock.now())
    const refund = await store.find(tx, id)
    if (!refund) throw problem('item_not_found')
    return present(refund)
  })
