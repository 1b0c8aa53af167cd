import type { UserId } from '@slipway/contract/account'
import type { CardAssociation } from '@slipway/contract/cards'
import type { BillingFields, PaymentMethodId } from '@slipway/contract/payment-methods'
import type { Tx } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as store from './payment-methods.store.ts'

/** A card as far as a payment needs it. */
export type PayingCard = {
  id: PaymentMethodId
  /** Which gateway holds the card; another one knows nothing of its token. */
  gateway: string
  token: string
  cardAssoc: CardAssociation
  lastDigits: string
  holderName: string
  /** The end of the card's last month. */
  expiresAt: Date
  billing: BillingFields
}

const billingOf = ({ billingName, address, district, city, country }: store.PaymentMethod) => ({
  billingName,
  address,
  district,
  city,
  country,
})

/**
 * The user's card to pay with, which nobody changes or deletes until the transaction ends; whether it has
 * expired is for the caller to ask. Throws `payment_method_not_found`, also for somebody else's and for a
 * deleted one.
 */
export async function lockForPayment(
  tx: Tx,
  userId: UserId,
  id: PaymentMethodId,
): Promise<PayingCard> {
  const card = await store.lockForUser(tx, userId, id)
  if (!card) throw problem('payment_method_not_found')
  const { gateway, token, cardAssoc, lastDigits, holderName, expiresAt } = card
  return {
    id,
    gateway,
    token,
    cardAssoc,
    lastDigits,
    holderName,
    expiresAt,
    billing: billingOf(card),
  }
}
