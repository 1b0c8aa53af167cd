import type { UserId } from '@slipway/contract/account'
import { money, toAmount } from '@slipway/contract/money'
import type { PaymentMethod } from '@slipway/contract/payment-methods'
import type { Db } from '../../../apps/server/src/db/connect.ts'
import { newId } from '../../../apps/server/src/db/ids.ts'
import { billingFields } from '../../../apps/server/src/modules/payment-methods/payment-methods.fixture.ts'
import { payments } from '../../../apps/server/src/modules/payments/payments.schema.ts'

/** Inserts a failed payment whose charge arrived too late, so that an operator has to refund it. */
export async function seedRefund(
  db: Db,
  userId: UserId,
  { id: paymentMethodId, cardAssoc, lastDigits }: PaymentMethod,
) {
  const now = new Date()
  const id = newId<'Payment'>()
  await db.insert(payments).values({
    id,
    userId,
    paymentMethodId,
    gateway: 'sandbox',
    paidWith: { cardAssoc, lastDigits },
    billedTo: billingFields,
    amount: toAmount(money('12.5')),
    chargedAmount: '12.50',
    state: 'failed',
    failure: 'charged_late',
    chargeId: newId(),
    locale: 'en',
    createdAt: now,
    updatedAt: now,
    settledAt: now,
    refundDueAt: now,
  })
  return id
}
