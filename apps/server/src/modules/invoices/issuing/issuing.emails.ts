import type { Amount } from '@slipway/contract/amount'
import type { InvoiceId } from '@slipway/contract/invoices'
import { formatCharge, formatMoney, formatPeriod, type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../../mail/mail.service.ts'

/** The email about a new invoice. */
export function issuedEmail({
  locale,
  name,
  invoice,
  publicUrl,
}: {
  locale: Locale
  name: string
  invoice: { id: InvoiceId; number: string | null; amount: Amount; startsAt: Date; endsAt: Date }
  publicUrl: string
}): Email {
  const period = formatPeriod(invoice.startsAt.toISOString(), invoice.endsAt.toISOString(), locale)
  const amount = formatMoney(invoice.amount, locale)
  return {
    locale,
    subject: m.invoices_email_subject({ amount: formatCharge(invoice.amount, locale) }, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.invoices_email_text({ amount, period }, { locale }),
    ],
    rows: [
      ...(invoice.number === null
        ? []
        : [{ label: m.invoices_number({}, { locale }), value: invoice.number }]),
      { label: m.invoices_period({}, { locale }), value: period },
      { label: m.invoices_amount_due({}, { locale }), value: amount, isTotal: true },
    ],
    action: {
      label: m.invoices_email_action({}, { locale }),
      url: `${publicUrl}/account/billing/invoices/view/${invoice.id}`,
    },
    note: m.invoices_email_note({}, { locale }),
  }
}
