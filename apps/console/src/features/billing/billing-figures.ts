import type { Invoice, InvoiceItem } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import { isWholeCents, money, toAmount } from '@slipway/contract/money'
import {
  formatCharge,
  formatMoney,
  formatNumber,
  formatUtcDate,
  getLocale,
  m,
} from '@slipway/phrases'

/** An amount in the page's language: `$1,234.50000` or `$1.234,50000`. */
export const amountText = (amount: string) => formatMoney(amount, getLocale())

/** The amount that a card is charged, rounded to cents: `$1,234.50` or `$1.234,50`. */
export const chargedText = (amount: string) => formatCharge(amount, getLocale())

/** True if the charge differs from the amount, because cards are charged in whole cents. */
export const isRounded = (amount: string) => !isWholeCents(amount)

/** An amount with the tax in percent that the invoice will add to it. */
export const withTax = (amount: string, taxRate: string) =>
  toAmount(money(amount).times(money(taxRate).plus(100)).div(100))

/** A day in UTC: `November 20, 2026`. */
export const longDay = (time: string | number) =>
  formatUtcDate(time, getLocale(), { month: 'long', year: true })

/** The day on which the oldest of the invoices is due. */
export const dueDay = (invoices: readonly Invoice[]) =>
  longDay(
    Math.min(...invoices.map(({ issuedAt }) => Date.parse(issuedAt ?? ''))) +
      limits.unpaidWarningAfter,
  )

/** A duration in hours: `1,234 hours` or `1.234 saat`. */
export const hoursText = (count: number) =>
  m.invoices_hours({ count, hours: formatNumber(count, getLocale()) })

/** How the items' hours are billed, and how their discounts if they have any. */
export function billingRule(items: readonly InvoiceItem[]) {
  const rule = m.invoices_hours_rule({
    hours: limits.billedHoursPerMonth,
    days: limits.billedHoursPerMonth / 24,
  })
  const hasDiscount = items.some(({ discount }) => discount !== null)
  return hasDiscount ? `${rule} ${m.invoices_discount_rule()}` : rule
}
