import type { CardAssociation } from '@slipway/contract/cards'
import type { Country } from '@slipway/contract/payment-methods'
import { type Locale, m } from '@slipway/phrases'

const days = (locale: Locale) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })

/** A day of an invoice, in UTC: the same wherever it is read. `value` is ISO 8601. */
export const dayText = (value: string, locale: Locale) => days(locale).format(Date.parse(value))

/** A number of hours, with its places as the language puts them. */
export const hoursText = (count: number, locale: Locale) =>
  m.invoices_hours({ count, hours: new Intl.NumberFormat(locale).format(count) }, { locale })

const brands: Record<CardAssociation, (locale: Locale) => string> = {
  visa: (locale) => m.cards_visa({}, { locale }),
  master_card: (locale) => m.cards_master_card({}, { locale }),
  american_express: (locale) => m.cards_american_express({}, { locale }),
  troy: (locale) => m.cards_troy({}, { locale }),
  other: (locale) => m.cards_other({}, { locale }),
}

/** A card as a person knows it. */
export const cardText = (
  { cardAssoc, lastDigits }: { cardAssoc: CardAssociation; lastDigits: string },
  locale: Locale,
) => m.cards_name({ brand: brands[cardAssoc](locale), digits: lastDigits }, { locale })

const countries: Record<Country, (locale: Locale) => string> = {
  Turkey: (locale) => m.cards_country_turkey({}, { locale }),
  England: (locale) => m.cards_country_england({}, { locale }),
}

export const countryText = (country: Country, locale: Locale) => countries[country](locale)
