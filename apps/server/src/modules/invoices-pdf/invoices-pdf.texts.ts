import type { CardAssociation } from '@slipway/contract/card-associations'
import type { InvoiceLine, LineChange } from '@slipway/contract/invoice-lines'
import type { Charge, InvoiceItem } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import { isWholeCents, money } from '@slipway/contract/money'
import type { Country } from '@slipway/contract/payment-methods'
import {
  formatCharge,
  formatList,
  formatMoney,
  formatNumber,
  formatUtcDate,
  type Locale,
  m,
} from '@slipway/phrases'
import { brandName } from '../payment-methods/payment-methods.policy.ts'

/** A date of an invoice, in UTC. `value` is ISO 8601. */
export const dayText = (value: string, locale: Locale) =>
  formatUtcDate(value, locale, { month: 'long', year: true })

export const hoursText = (count: number, locale: Locale) =>
  m.invoices_hours({ count, hours: formatNumber(count, locale) }, { locale })

/** How the items' hours are billed, and how their discounts if they have any. */
export function billingRule(items: readonly InvoiceItem[], locale: Locale) {
  const rule = m.invoices_hours_rule(
    { hours: limits.billedHoursPerMonth, days: limits.billedHoursPerMonth / 24 },
    { locale },
  )
  const hasDiscount = items.some(({ discount }) => discount !== null)
  return hasDiscount ? `${rule} ${m.invoices_discount_rule({}, { locale })}` : rule
}

const changes: Record<
  LineChange,
  (inputs: { day: string; product: string }, options: { locale: Locale }) => string
> = {
  price: m.invoices_line_price,
  discount_begins: m.invoices_line_discount_begins,
  discount_ends: m.invoices_line_discount_ends,
  discount: m.invoices_line_discount,
}

/** Distinguishes the items of a project that has several. */
export function lineText({ changedAt, change }: InvoiceLine, product: string, locale: Locale) {
  const day = formatUtcDate(changedAt, locale, { month: 'long' })
  if (change === null) return m.invoices_line_before({ day }, { locale })
  return changes[change]({ day, product }, { locale })
}

/** An amount paid or due: in cents, unless it is part of a charge for several invoices. */
export const settledText = (amount: string, locale: Locale) =>
  isWholeCents(amount) ? formatCharge(amount, locale) : formatMoney(amount, locale)

/**
 * The charge for several invoices, such as `Charged: $46.84, for 2 invoices, $46.83500 in all,
 * rounded to two decimals`, or that there was none; null for the charge of one invoice, whose
 * totals have its rounding.
 */
export function chargeNote({ amount, chargedAmount, invoiceCount: count }: Charge, locale: Locale) {
  const options = { locale }
  const label = m.invoices_charged({}, options)
  if (money(chargedAmount).eq(0)) return `${label}: ${m.invoices_charge_nothing({}, options)}`
  if (count === 1) return null
  const texts = [
    formatCharge(chargedAmount, locale),
    m.invoices_charge_together({ count, amount: formatMoney(amount, locale) }, options),
    ...(isWholeCents(amount) ? [] : [m.invoices_charge_rounded({}, options)]),
  ]
  return `${label}: ${formatList(texts, locale, 'narrow')}`
}

export const cardText = (
  { cardAssoc, lastDigits }: { cardAssoc: CardAssociation; lastDigits: string },
  locale: Locale,
) => m.cards_name({ brand: brandName(cardAssoc, locale), digits: lastDigits }, { locale })

const countries: Record<Country, (locale: Locale) => string> = {
  Turkey: (locale) => m.cards_country_turkey({}, { locale }),
  England: (locale) => m.cards_country_england({}, { locale }),
}

export const countryText = (country: Country, locale: Locale) => countries[country](locale)
