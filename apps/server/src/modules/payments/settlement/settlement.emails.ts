import { type InvoiceTotal, invoiceTotals } from '@slipway/contract/invoice-totals'
import type { PaymentFailure, Seller } from '@slipway/contract/invoices'
import { money, sumAmounts } from '@slipway/contract/money'
import {
  formatCharge,
  formatList,
  formatMoney,
  formatRate,
  formatUtcDate,
  type Locale,
  m,
} from '@slipway/phrases'
import {
  type EmailedInvoice,
  invoiceFacts,
  invoiceName,
  invoiceRows,
  payAction,
} from '../../invoices/invoices.service.ts'
import { asName, type Email, type EmailRow, unbroken } from '../../mail/mail.service.ts'
import { brandName } from '../../payment-methods/payment-methods.policy.ts'
import type { Payment } from '../payments.store.ts'

type Paid = EmailedInvoice & {
  paidAt: Date | null
  paymentState: string | null
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
  return unbroken(m.payments_email_card({ brand, digits: lastDigits }, { locale }))
}

/** The amount charged, rounded to the cent. */
const charged = ({ chargedAmount, locale }: PaymentEmail['payment']) =>
  formatCharge(chargedAmount, locale)

/** The number and the period of the only invoice. */
function factsOf({ payment: { locale }, invoices }: PaymentEmail): EmailRow[] {
  const [only, ...others] = invoices
  return only && others.length === 0 ? invoiceFacts(only, locale) : []
}

/** When the payment was made and with which card; a sum too small to charge has no card. */
function receiptLine(payment: PaymentEmail['payment']) {
  const { locale, settledAt, chargeId } = payment
  const day = settledAt && unbroken(formatUtcDate(settledAt, locale, { month: 'long', year: true }))
  return [day && m.invoices_paid_on({ day }, { locale }), chargeId && cardName(payment)]
    .filter((part) => part !== null)
    .join(' · ')
}

const totalLabels: Record<
  Exclude<InvoiceTotal['kind'], 'settled'>,
  (of: { rate: string }, options: { locale: Locale }) => string
> = {
  undiscounted: m.invoices_undiscounted,
  discount: m.invoices_discount_total,
  subtotal: m.invoices_subtotal,
  tax: m.invoices_tax,
  total: m.invoices_total,
  rounding: m.invoices_rounding,
}

/** The totals of the only invoice, as its page and its PDF have them. */
const totalsOf = (payment: PaymentEmail['payment'], invoice: Paid): EmailRow[] =>
  invoiceTotals({
    items: [{ amount: invoice.subtotal, discountAmount: invoice.discount }],
    amount: invoice.amount,
    tax: { rate: invoice.taxRate, amount: invoice.taxAmount },
    paidAt: payment.settledAt,
    charge: { chargedAmount: payment.chargedAmount, invoiceCount: 1 },
  }).flatMap(({ kind, amount }) =>
    kind === 'settled'
      ? []
      : [
          {
            label: totalLabels[kind](
              { rate: formatRate(invoice.taxRate, payment.locale) },
              { locale: payment.locale },
            ),
            value: formatMoney(amount, payment.locale),
          },
        ],
  )

/** The sums of the receipt, down to what was charged. */
function receiptSums(email: PaymentEmail): EmailRow[] {
  const { payment, invoices } = email
  const { locale } = payment
  const [only, ...others] = invoices
  if (only && others.length === 0) return totalsOf(payment, only)
  const tax = sumAmounts(invoices.map(({ taxAmount }) => taxAmount))
  return [
    ...invoices.map((invoice) => ({
      label: invoiceName(invoice, locale),
      value: formatMoney(invoice.amount, locale),
    })),
    {
      label: m.invoices_total({}, { locale }),
      value: formatMoney(payment.amount, locale),
      isTotal: true,
    },
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

function viewAction({ payment: { locale }, invoices, publicUrl }: PaymentEmail) {
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
  const { payment } = email
  const { locale } = payment
  const amount = formatMoney(payment.amount, locale)
  const [firstSum, ...sums] = receiptSums(email)
  return {
    locale,
    kind: 'billing',
    subject: m.payments_email_receipt_subject({ amount: charged(payment) }, { locale }),
    preheader: [
      ...email.invoices.map((invoice) => invoiceName(invoice, locale)),
      cardName(payment),
    ].join(', '),
    lead: { amount: charged(payment), text: receiptLine(payment) },
    paragraphs: [m.payments_email_receipt_text({}, { locale })],
    rows: [
      ...factsOf(email),
      ...(firstSum ? [{ ...firstSum, startsGroup: true }] : []),
      ...sums,
      {
        label:
          payment.chargeId === null
            ? m.invoices_amount_paid({}, { locale })
            : m.payments_email_receipt_charged({}, { locale }),
        value: charged(payment),
        isTotal: true,
      },
    ],
    action: { ...viewAction(email), isQuiet: true },
    note:
      payment.chargeId === null
        ? m.payments_email_receipt_free({ amount }, { locale })
        : m.payments_email_receipt_rounded({}, { locale }),
    seller: email.seller,
  }
}

export function failureEmail({ payment, invoices, publicUrl }: PaymentEmail): Email {
  const { locale, failure } = payment
  if (failure === null) throw new Error('the payment has not failed')
  const amount = charged(payment)
  const text = m.payments_email_failed_text(
    { reason: reasons[failure]({}, { locale }) },
    { locale },
  )
  return {
    locale,
    kind: 'actionNeeded',
    subject: m.payments_email_failed_subject({ amount }, { locale }),
    preheader: text,
    lead: {
      amount,
      text: m.payments_email_failed_lead({ card: cardName(payment) }, { locale }),
      hasFailed: true,
    },
    paragraphs: [text],
    rows: invoiceRows(invoices, locale),
    action: payAction(invoices, locale, publicUrl),
  }
}

/**
 * The email about a late charge that will be refunded; it corrects the earlier failure email.
 * Another payment has paid at least one of the invoices, or is about to.
 */
export function lateChargeEmail(email: PaymentEmail): Email {
  const { payment, invoices, name, publicUrl } = email
  const { locale } = payment
  const unpaid = invoices.filter(
    ({ paidAt, paymentState }) => paidAt === null && paymentState !== 'in_progress',
  )
  const isSettled = unpaid.length === 0
  const unpaidNames = unpaid.map(
    (invoice) =>
      `${invoice.number ?? invoiceName(invoice, locale)} (${formatCharge(invoice.amount, locale)})`,
  )
  return {
    locale,
    kind: isSettled ? 'billing' : 'actionNeeded',
    subject: m.payments_email_late_subject({ amount: charged(payment) }, { locale }),
    paragraphs: [
      m.mail_greeting({ name: asName(name) }, { locale }),
      m.payments_email_late_text({}, { locale }),
    ],
    rows: invoiceRows(
      invoices,
      locale,
      m.payments_email_late_amount({ card: cardName(payment) }, { locale }),
    ),
    advice: isSettled
      ? m.mail_nothing_to_do({}, { locale })
      : m.payments_email_late_unpaid({ invoices: formatList(unpaidNames, locale) }, { locale }),
    action: isSettled
      ? { ...viewAction(email), isQuiet: true }
      : payAction(unpaid, locale, publicUrl),
  }
}
