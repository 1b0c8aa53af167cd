import type { InvoiceId } from '@slipway/contract/invoices'
import { money, sumAmounts, toChargedAmount } from '@slipway/contract/money'
import { formatCharge, formatPeriod, formatPeriodName, type Locale, m } from '@slipway/phrases'
import { type Email, type EmailRow, unbroken } from '../mail/mail.service.ts'

/** What emails say about an invoice. */
export type EmailedInvoice = {
  id: InvoiceId
  number: string | null
  amount: string
  startsAt: Date
  endsAt: Date
}

const periodOf = ({ startsAt, endsAt }: EmailedInvoice, locale: Locale) =>
  unbroken(formatPeriod(startsAt.toISOString(), endsAt.toISOString(), locale))

/** An invoice in a list: by its number and its month, short enough for one line of a phone. */
export const invoiceName = ({ number, startsAt, endsAt }: EmailedInvoice, locale: Locale) => {
  const period = formatPeriodName(startsAt.toISOString(), endsAt.toISOString(), locale)
  return [number, unbroken(period)].filter((part) => part !== null).join(', ')
}

/** The number and the period of an invoice. */
export const invoiceFacts = (invoice: EmailedInvoice, locale: Locale): EmailRow[] => [
  ...(invoice.number === null
    ? []
    : [{ label: m.invoices_number({}, { locale }), value: invoice.number }]),
  { label: m.invoices_active_period({}, { locale }), value: periodOf(invoice, locale) },
]

/** The sum of invoices as a card is charged. */
const chargeOf = (invoices: readonly EmailedInvoice[]) =>
  toChargedAmount(sumAmounts(invoices.map(({ amount }) => amount)))

/** The only invoice, or each of several with its amount, and below a rule their sum in cents. */
export function invoiceRows(
  invoices: readonly EmailedInvoice[],
  locale: Locale,
  sumLabel = m.invoices_amount_due({}, { locale }),
): EmailRow[] {
  const [only, ...others] = invoices
  const rows =
    only && others.length === 0
      ? invoiceFacts(only, locale)
      : invoices.map((invoice) => ({
          label: invoiceName(invoice, locale),
          value: formatCharge(invoice.amount, locale),
        }))
  const value = formatCharge(chargeOf(invoices), locale)
  return [...rows, { label: sumLabel, value, isTotal: true }]
}

/** The button to the page that pays, where these invoices are selected. */
export function payAction(
  invoices: readonly EmailedInvoice[],
  locale: Locale,
  publicUrl: string,
): NonNullable<Email['action']> {
  const charge = chargeOf(invoices)
  const ids = invoices.map(({ id }) => id).join(',')
  return {
    label: money(charge).eq(0)
      ? m.payments_screen_pay_nothing({}, { locale })
      : m.payments_screen_pay({ amount: formatCharge(charge, locale) }, { locale }),
    url: `${publicUrl}/account/billing/invoices/pay?invoice=${ids}`,
  }
}
