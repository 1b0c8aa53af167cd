import type { BillingFields } from '@slipway/contract/payment-methods'

/** A card is good to the end of its month. */
export const isExpired = (card: { expiresAt: Date }, now: Date) => card.expiresAt <= now

/** Whom and where the bill is for, and nothing else of what holds it. */
export const billingOf = (from: BillingFields): BillingFields => ({
  billingName: from.billingName,
  address: from.address,
  district: from.district,
  city: from.city,
  country: from.country,
})
