import type { Amount } from '@slipway/contract/amount'
import type { InvoiceId } from '@slipway/contract/invoices'
import { money, toChargedAmount } from '@slipway/contract/money'
import { formatCharge, formatPeriod, formatUtcDate, type Locale, m } from '@slipway/phrases'
import { asName, type Email } from '../../mail/mail.service.ts'
import { dueAt } from '../invoices.policy.ts'

export function issuedEmail({
  locale,
  name,
  invoice,
  publicUrl,
}: {
  locale: Locale
  name: string
  invoice: {
    id: InvoiceId
    number: string | null
    amount: Amount
    startsAt: Date
    endsAt: Date
    issuedAt: Date
  }
  publicUrl: string
}): Email {
  const period = formatPeriod(invoice.startsAt.toISOString(), invoice.endsAt.toISOString(), locale)
  const charge = formatCharge(invoice.amount, locale)
  const isFree = money(toChargedAmount(invoice.amount)).eq(0)
  return {
    locale,
    subject: m.invoices_email_subject({ amount: charge }, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.invoices_email_text({ amount: charge, period }, { locale }),
    ],
    rows: [
      ...(invoice.number === null
        ? []
        : [{ label: m.invoices_number({}, { locale }), value: invoice.number }]),
      { label: m.invoices_period({}, { locale }), value: period },
      {
        label: m.invoices_due_date({}, { locale }),
        value: formatUtcDate(dueAt(invoice.issuedAt).toISOString(), locale, {
          month: 'long',
          year: true,
        }),
      },
      {
        label: m.invoices_amount_due({}, { locale }),
        value: charge,
        isTotal: true,
      },
    ],
    action: {
      label: isFree
        ? m.payments_screen_pay_nothing({}, { locale })
        : m.payments_screen_pay({ amount: charge }, { locale }),
      url: `${publicUrl}/account/billing/invoices/pay?invoice=${invoice.id}`,
    },
    note: m.invoices_email_note({}, { locale }),
  }
}
