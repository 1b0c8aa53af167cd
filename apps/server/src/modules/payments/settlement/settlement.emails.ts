import { type InvoiceTotal, invoiceTotals } from '@slipway/contract/invoice-totals'
import type { PaymentFailure, Seller } from '@slipway/contract/invoices'
import { money, sumAmounts } from '@slipway/contract/money'
import {
  formatCharge,
  formatMoney,
  formatPeriod,
  formatRate,
  formatUtcDate,
  type Locale,
  m,
} from '@slipway/phrases'
import { asName, type Email } from '../../mail/mail.service.ts'
import { brandName } from '../../payment-methods/payment-methods.policy.ts'
import type { Payment } from '../payments.store.ts'

type Paid = {
  id: string
  number: string | null
  startsAt: Date
  endsAt: Date
  amount: string
  subtotal: string
  discount: string
  taxRate: string
  taxAmount: string
}

type PaymentEmail = {
  payment: Pick<
    Payment,
    'locale' | 'amount' | 'chargedAmount' | 'chargeId' | 'paidWith' | 'failure' | 'settledAt'
  >
  /** The payment's invoices, oldest first. */
  invoices: readonly Paid[]
  seller: Seller
  name: string
  publicUrl: string
}

const reasons: Record<PaymentFailure, (inputs: object, options: { locale: Locale }) => string> = {
  card_declined: m.payments_failure_card_declined,
  insufficient_funds: m.payments_failure_insufficient_funds,
  card_expired: m.payments_failure_card_expired,
  card_not_usable: m.payments_failure_card_not_usable,
  not_charged: m.payments_failure_not_charged,
  charged_late: m.payments_failure_charged_late,
}

function cardName({ locale, paidWith: { cardAssoc, lastDigits } }: PaymentEmail['payment']) {
  const brand =
    cardAssoc === 'other'
      ? m.payments_email_other_card({}, { locale })
      : brandName(cardAssoc, locale)
  return m.payments_email_card({ brand, digits: lastDigits }, { locale })
}

/** The amount charged, rounded to the cent. */
const charged = ({ chargedAmount, locale }: PaymentEmail['payment']) =>
  formatCharge(chargedAmount, locale)

const period = (locale: Locale, { startsAt, endsAt }: Paid) =>
  formatPeriod(startsAt.toISOString(), endsAt.toISOString(), locale)

const nameOf = (locale: Locale) => (invoice: Paid) =>
  [invoice.number, period(locale, invoice)].filter((part) => part !== null).join(' · ')

/** The invoices, each by its number and period, and their sum if there are several. */
function rowsOf({
  payment: { locale, amount },
  invoices,
}: PaymentEmail): NonNullable<Email['rows']> {
  const rows = invoices.map((invoice) => ({
    label: nameOf(locale)(invoice),
    value: formatMoney(invoice.amount, locale),
  }))
  if (rows.length === 1) return rows
  const label = m.invoices_total({}, { locale })
  return [...rows, { label, value: formatMoney(amount, locale), isTotal: true }]
}

type Rows = NonNullable<Email['rows']>

/** The number and the period of the only invoice. */
function invoiceFacts({ payment: { locale }, invoices }: PaymentEmail): Rows {
  const [only, ...others] = invoices
  if (!only || others.length > 0) return []
  return [
    ...(only.number === null
      ? []
      : [{ label: m.invoices_number({}, { locale }), value: only.number }]),
    { label: m.invoices_active_period({}, { locale }), value: period(locale, only) },
  ]
}

/** When the payment was made and with which card; a sum too small to charge has no card. */
function receiptLine(payment: PaymentEmail['payment']) {
  const { locale, settledAt, chargeId } = payment
  const day =
    settledAt && formatUtcDate(settledAt.toISOString(), locale, { month: 'long', year: true })
  return [day && m.invoices_paid_on({ day }, { locale }), chargeId && cardName(payment)]
    .filter((part) => part !== null)
    .join(' · ')
}

const totalLabels: Record<
  Exclude<InvoiceTotal['kind'], 'settled'>,
  (of: { rate: string; discount: string }, options: { locale: Locale }) => string
> = {
  subtotal: m.invoices_subtotal,
  discounted: m.invoices_subtotal_discounted,
  tax: m.invoices_tax,
  total: m.invoices_total,
  rounding: m.invoices_rounding,
}

/** The totals of the only invoice, as its page and its PDF have them. */
const totalsOf = (payment: PaymentEmail['payment'], invoice: Paid): Rows =>
  invoiceTotals({
    items: [{ amount: invoice.subtotal, discountAmount: invoice.discount }],
    amount: invoice.amount,
    tax: { rate: invoice.taxRate, amount: invoice.taxAmount },
    paidAt: payment.settledAt,
    charge: { chargedAmount: payment.chargedAmount, invoiceCount: 1 },
  }).flatMap(({ kind, amount, discount }) =>
    kind === 'settled'
      ? []
      : [
          {
            label: totalLabels[kind](
              {
                rate: formatRate(invoice.taxRate, payment.locale),
                discount: formatMoney(discount, payment.locale),
              },
              { locale: payment.locale },
            ),
            value: formatMoney(amount, payment.locale),
          },
        ],
  )

/** The sums of the receipt, down to what was charged. */
function receiptSums(email: PaymentEmail): Rows {
  const { payment, invoices } = email
  const { locale } = payment
  const [only, ...others] = invoices
  if (only && others.length === 0) return totalsOf(payment, only)
  const tax = sumAmounts(invoices.map(({ taxAmount }) => taxAmount))
  return [
    ...rowsOf(email),
    ...(money(tax).eq(0)
      ? []
      : [
          {
            label: m.payments_email_receipt_tax_included({}, { locale }),
            value: formatMoney(tax, locale),
          },
        ]),
  ]
}

function receiptAction({ payment: { locale }, invoices, publicUrl }: PaymentEmail) {
  const [only, ...others] = invoices
  return only && others.length === 0
    ? {
        label: m.payments_email_receipt_action_one({}, { locale }),
        url: `${publicUrl}/account/billing/invoices/view/${only.id}`,
      }
    : {
        label: m.payments_email_receipt_action({}, { locale }),
        url: `${publicUrl}/account/billing/invoices`,
      }
}

export function receiptEmail(email: PaymentEmail): Email {
  const { payment, name } = email
  const { locale } = payment
  const amount = formatMoney(payment.amount, locale)
  const [firstSum, ...sums] = receiptSums(email)
  return {
    locale,
    subject: m.payments_email_receipt_subject({ amount: charged(payment) }, { locale }),
    preheader: [...email.invoices.map(nameOf(locale)), cardName(payment)].join(', '),
    lead: { amount: charged(payment), text: receiptLine(payment) },
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.payments_email_receipt_text({}, { locale }),
    ],
    rows: [
      ...invoiceFacts(email),
      ...(firstSum ? [{ ...firstSum, startsGroup: true }] : []),
      ...sums,
      {
        label:
          payment.chargeId === null
            ? m.invoices_amount_paid({}, { locale })
            : m.payments_email_receipt_charged({ card: cardName(payment) }, { locale }),
        value: charged(payment),
        isTotal: true,
      },
    ],
    action: receiptAction(email),
    note:
      payment.chargeId === null
        ? m.payments_email_receipt_free({ amount }, { locale })
        : m.payments_email_receipt_rounded({}, { locale }),
    seller: email.seller,
  }
}

export function failureEmail(email: PaymentEmail): Email {
  const { payment, name, publicUrl } = email
  const { locale, failure } = payment
  if (failure === null) throw new Error('the payment has not failed')
  return {
    locale,
    subject: m.payments_email_failed_subject({ amount: charged(payment) }, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.payments_email_failed_text(
        {
          amount: charged(payment),
          card: cardName(payment),
          reason: reasons[failure]({}, { locale }),
        },
        { locale },
      ),
      m.payments_email_failed_unpaid({}, { locale }),
    ],
    rows: rowsOf(email),
    action: {
      label: m.payments_email_failed_action({}, { locale }),
      url: `${publicUrl}/account/billing/invoices/pay`,
    },
  }
}

/** The email about a late charge that will be refunded; it corrects the earlier failure email. */
export function lateChargeEmail(email: PaymentEmail): Email {
  const { payment, name, publicUrl } = email
  const { locale } = payment
  const [amount, card] = [charged(payment), cardName(payment)]
  return {
    locale,
    subject: m.payments_email_late_subject({ amount }, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.payments_email_late_text({ amount, card }, { locale }),
      m.payments_email_late_refund({ amount }, { locale }),
    ],
    rows: rowsOf(email),
    action: {
      label: m.payments_email_receipt_action({}, { locale }),
      url: `${publicUrl}/account/billing/invoices`,
    },
  }
}
