import type { CardAssociation } from '@slipway/contract/card-associations'
import type { Country, PaymentMethod, PaymentMethodId } from '@slipway/contract/payment-methods'
import { m } from '@slipway/phrases'

const brands: Record<CardAssociation, () => string> = {
  visa: () => m.cards_visa(),
  master_card: () => m.cards_master_card(),
  american_express: () => m.cards_american_express(),
  troy: () => m.cards_troy(),
  other: () => m.cards_other(),
}

const bareName = (name: string) => name.toLocaleLowerCase('en').replace(/[^a-z]/g, '')

const associations = new Map(
  (Object.keys(brands) as CardAssociation[]).map((association) => [
    bareName(association),
    association,
  ]),
)

/** Accepts other spellings such as `MasterCard` and `AmericanExpress`; `other` for unknown ones. */
export const parseCardAssociation = (name: string): CardAssociation =>
  associations.get(bareName(name)) ?? 'other'

export const countryNames: Record<Country, () => string> = {
  Turkey: () => m.cards_country_turkey(),
  England: () => m.cards_country_england(),
}

export const brandName = (association: CardAssociation) =>
  brands[parseCardAssociation(association)]()

/** The name of a card: "Visa •••• 4242". */
export const cardName = ({
  cardAssoc,
  lastDigits,
}: Pick<PaymentMethod, 'cardAssoc' | 'lastDigits'>) =>
  m.cards_name({ brand: brandName(cardAssoc), digits: lastDigits })

/** The expiry as printed on a card: "12/27". `expiresAt` is the end of that month. */
export function printedExpiry(expiresAt: string) {
  const last = new Date(Date.parse(expiresAt) - 1).toISOString()
  return `${last.slice(5, 7)}/${last.slice(2, 4)}`
}

/** The fragment that identifies a card in the overview's URL. */
export const cardAnchor = (id: PaymentMethodId) => `card-${id}`
