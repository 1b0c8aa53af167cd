import type { Amount } from '@slipway/contract/amount'
import type { InvoiceId } from '@slipway/contract/invoices'
import { formatMoney, formatPeriod, type Locale, m } from '@slipway/phrases'
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
  invoice: { id: InvoiceId; amount: Amount; startsAt: Date; endsAt: Date }
  publicUrl: string
}): Email {
  const period = formatPeriod(
    { createdAt: invoice.startsAt.toISOString(), endsAt: invoice.endsAt.toISOString() },
    locale,
  )
  const amount = formatMoney(invoice.amount, locale)
  return {
    locale,
    subject: m.invoices_email_subject({ amount }, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.invoices_email_text({ amount, period }, { locale }),
    ],
    action: {
      label: m.invoices_email_action({}, { locale }),
      url: `${publicUrl}/account/billing/invoices/view/${invoice.id}`,
    },
    note: m.invoices_email_note({}, { locale }),
  }
}
