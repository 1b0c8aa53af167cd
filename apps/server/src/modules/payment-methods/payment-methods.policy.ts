import type { CardAssociation } from '@slipway/contract/card-associations'
import type { BillingFields } from '@slipway/contract/payment-methods'
import { type Locale, m } from '@slipway/phrases'

/** `expiresAt` is the end of the card's last month. */
export const isExpired = (card: { expiresAt: Date }, now: Date) => card.expiresAt <= now

/** Picks the billing fields; an empty tax number is none. */
export const billingOf = (fields: BillingFields): BillingFields => ({
  billingName: fields.billingName,
  address: fields.address,
  district: fields.district,
  city: fields.city,
  country: fields.country,
  taxNumber: fields.taxNumber === '' ? null : fields.taxNumber,
})

const brandNames: Record<CardAssociation, typeof m.cards_visa> = {
  visa: m.cards_visa,
  master_card: m.cards_master_card,
  american_express: m.cards_american_express,
  troy: m.cards_troy,
  other: m.cards_other,
}

/** The brand's name in a sentence; for other brands the word for a card. */
export const brandName = (brand: CardAssociation, locale: Locale): string =>
  brandNames[brand]({}, { locale })
