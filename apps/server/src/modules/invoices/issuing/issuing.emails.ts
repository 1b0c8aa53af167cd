import { formatCharge, formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../../mail/mail.service.ts'
import { type EmailedInvoice, invoiceRows, payAction } from '../invoices.email-parts.ts'
import { dueAt } from '../invoices.policy.ts'

export function issuedEmail({
  locale,
  name,
  invoice,
  publicUrl,
}: {
  locale: Locale
  name: string
  invoice: EmailedInvoice & { issuedAt: Date }
  publicUrl: string
}): Email {
  const amount = formatCharge(invoice.amount, locale)
  const day = formatUtcDate(dueAt(invoice.issuedAt), locale, { month: 'long', year: true })
  const due = m.invoices_email_due({ day }, { locale })
  return {
    locale,
    subject: m.invoices_email_subject({ amount }, { locale }),
    preheader: due,
    lead: { amount, text: due },
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.invoices_email_text({}, { locale }),
    ],
    rows: invoiceRows([invoice], locale),
    action: payAction([invoice], locale, publicUrl),
    note: m.invoices_email_note({}, { locale }),
  }
}
