import { formatCharge, formatUtcDate, type Locale, m } from '@slipway/phrases'
import type { Email } from '../../mail/mail.service.ts'
import { type EmailedInvoice, invoiceRows, payAction } from '../invoices.email-parts.ts'
import { dueAt } from '../invoices.policy.ts'

export function issuedEmail({
  locale,
  invoice,
  publicUrl,
}: {
  locale: Locale
  invoice: EmailedInvoice & { issuedAt: Date }
  publicUrl: string
}): Email {
  const amount = formatCharge(invoice.amount, locale)
  const day = formatUtcDate(dueAt(invoice.issuedAt), locale, { month: 'long', year: true })
  const due = m.invoices_email_due({ day }, { locale })
  return {
    locale,
    kind: 'billing',
    subject: m.invoices_email_subject({ amount }, { locale }),
    preheader: due,
    lead: { amount, text: due },
    paragraphs: [m.invoices_email_text({}, { locale })],
    rows: invoiceRows([invoice], locale),
    action: payAction([invoice], locale, publicUrl),
    note: m.invoices_email_note({}, { locale }),
  }
}
