import type { BillingFields } from '@slipway/contract/payment-methods'

/** `expiresAt` is the end of the card's last month. */
export const isExpired = (card: { expiresAt: Date }, now: Date) => card.expiresAt <= now

/** Picks the billing fields. */
export const billingOf = (fields: BillingFields): BillingFields => ({
  billingName: fields.billingName,
  address: fields.address,
  district: fields.district,
  city: fields.city,
  country: fields.country,
})
