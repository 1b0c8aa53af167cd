import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { file } from './file-response.ts'
import type { FormMessage } from './form-messages.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'
import { amount } from './money.ts'
import { pageOf, pageQuery } from './pagination.ts'
import { billingFields, paymentMethod } from './payment-methods.ts'

export type InvoiceId = Id<'Invoice'>
export type InvoiceItemId = Id<'InvoiceItem'>
export type PaymentId = Id<'Payment'>

/** Why a gateway did not take a payment. */
export const paymentFailures = [
  'card_declined',
  'insufficient_funds',
  'card_expired',
  'card_not_usable',
  'not_charged',
  /** It was charged after all, too late to pay anything, and the amount is given back. */
  'charged_late',
] as const
export type PaymentFailure = (typeof paymentFailures)[number]

export const paymentStates = ['in_progress', 'succeeded', 'failed'] as const
export type PaymentState = (typeof paymentStates)[number]

/** An invoice: what somebody's projects cost from `createdAt` to `endsAt`. */
export const invoice = z.object({
  id: idOutput<'Invoice'>(),
  amount: amount(),
  /** The start of what it is for. */
  createdAt: z.iso.datetime(),
  /** The end of what it is for, exclusive. */
  endsAt: z.iso.datetime(),
  /** Null while it is still running up. */
  issuedAt: z.nullable(z.iso.datetime()),
  paidAt: z.nullable(z.iso.datetime()),
  /** The last attempt to pay it; null when there was none. */
  payment: z.nullable(
    z.object({ state: z.enum(paymentStates), failure: z.nullable(z.enum(paymentFailures)) }),
  ),
  /** True for one that is unpaid 24 hours after its issue, by the service's clock. */
  overdue: z.boolean(),
})
export type Invoice = z.output<typeof invoice>

/** What one project cost at one price. `amount` is price × hours, `totalAmount` (price − discount) × hours. */
export const invoiceItem = z.object({
  id: idOutput<'InvoiceItem'>(),
  projectId: idOutput<'Project'>(),
  projectKey: idOutput<'ProjectKey'>(),
  projectName: z.string(),
  product: z.string(),
  /** Per hour. */
  price: amount(),
  /** Off the price of an hour. */
  discount: z.nullable(amount()),
  runningHours: z.number(),
  amount: amount(),
  discountAmount: amount(),
  totalAmount: amount(),
  createdAt: z.iso.datetime(),
  issuedAt: z.nullable(z.iso.datetime()),
})
export type InvoiceItem = z.output<typeof invoiceItem>

export const invoiceDetail = z.extend(invoice, { items: z.array(invoiceItem) })
export type InvoiceDetail = z.output<typeof invoiceDetail>

/** Whom an invoice is for; without an address while nobody has named one with a card. */
export const billedTo = z.object({
  name: z.string(),
  email: z.string(),
  address: z.nullable(
    z.pick(billingFields, { address: true, district: true, city: true, country: true }),
  ),
})
export type BilledTo = z.output<typeof billedTo>

/** The charge that paid an invoice, perhaps together with others. */
export const charge = z.object({
  /** The sum of the invoices that it was for. */
  amount: amount(),
  /** What the card was charged: the sum, rounded half up to the cent. */
  chargedAmount: z.string(),
  /** How many invoices it was for. */
  invoiceCount: z.number(),
})
export type Charge = z.output<typeof charge>

/** What runs up in the current period, and what it comes to if all goes on as it is. */
export const activeInvoice = z.extend(invoiceDetail, {
  /** What each product cost so far, the dearest first. */
  usage: z.array(
    z.object({ product: z.string(), runningHours: z.number(), totalAmount: amount() }),
  ),
  /** Every day of the period, in UTC: what it cost so far, and what it comes to by its end. */
  days: z.array(z.object({ date: z.iso.date(), amount: amount(), expected: amount() })),
  /** What the invoice comes to by the end of the period. */
  expected: amount(),
  /** When it was computed, by the service's clock: today is the day of it. */
  asOf: z.iso.datetime(),
  /** The first period before it that costs something and whose invoice is not issued yet; null otherwise. */
  awaiting: z.nullable(z.pick(invoice, { createdAt: true, endsAt: true })),
})
export type ActiveInvoice = z.output<typeof activeInvoice>

/** A charge of one card for one or more invoices. */
export const payment = z.object({
  id: idOutput<'Payment'>(),
  /** `in_progress`: the gateway has not said yet whether it charged the card; it is asked until it does. */
  state: z.enum(paymentStates),
  invoiceIds: z.array(idOutput<'Invoice'>()),
  /** The sum of the invoices. */
  amount: amount(),
  /** What the card is charged: the sum, rounded half up to the cent. */
  chargedAmount: z.string(),
  createdAt: z.iso.datetime(),
})
export type Payment = z.output<typeof payment>

const id = idInput<'Invoice'>()

/**
 * What a list of invoices can be narrowed down to. `unpaid`: those that wait to be paid, the overdue ones
 * among them; one whose payment is in progress waits for nothing.
 */
export const invoiceListStates = ['unpaid', 'overdue', 'in_progress', 'paid'] as const
export type InvoiceListState = (typeof invoiceListStates)[number]

/** What a list of invoices can be put in order by; with a `-` before it, descending. */
export const invoiceSortKeys = ['start', 'issued', 'amount', 'paid'] as const
export type InvoiceSortKey = (typeof invoiceSortKeys)[number]
const invoiceSorts = invoiceSortKeys.flatMap((key) => [key, `-${key}`] as const)

export const listInvoices = endpoint('GET /account/invoice/all', {
  summary: 'The issued invoices of the user, newest first unless asked for in another order',
  query: z.extend(pageQuery, {
    state: z.optional(z.enum(invoiceListStates)),
    sort: z.optional(z.enum(invoiceSorts)),
    /** A part of the invoice's id, of any length. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(36))),
  }),
  response: pageOf(invoice),
})

export const listUnpaidInvoices = endpoint('GET /account/invoice/unpaid', {
  summary: 'The invoices of the user that are issued and not paid, oldest first',
  response: z.array(invoice),
})

export const getActiveInvoice = endpoint('GET /account/invoice/active', {
  summary: 'What the user’s projects have cost since the last invoice',
  response: activeInvoice,
})

export const viewInvoice = endpoint('GET /account/invoice/view/:id', {
  summary: 'An issued invoice with its items, whom it is for, and what its card was charged',
  params: { id },
  response: z.extend(invoiceDetail, {
    /** As it was when the invoice was paid; what it would be today while it is not. */
    billedTo,
    paidWith: z.nullable(z.pick(paymentMethod, { cardAssoc: true, lastDigits: true })),
    /** Null while it is unpaid. */
    charge: z.nullable(charge),
  }),
  errors: ['invoice_not_found'],
})

export const downloadInvoice = endpoint('GET /account/invoice/pdf/:id', {
  summary: 'An issued invoice as a PDF, in the language of the request',
  params: { id },
  response: file('application/pdf'),
  errors: ['invoice_not_found'],
})

/** What somebody chooses to pay, and with what. */
export const payForm = z.object({
  invoiceIds: z.array(idInput<'Invoice'>(), 'form_select_invoice' satisfies FormMessage).check(
    z.minLength(1, 'form_select_invoice' satisfies FormMessage),
    z.maxLength(limits.invoicesPerPayment, 'form_too_many_invoices' satisfies FormMessage),
    z.refine((ids) => new Set(ids).size === ids.length, 'form_invoice_twice' satisfies FormMessage),
  ),
  paymentMethodId: idInput<'PaymentMethod'>('form_select_payment_method' satisfies FormMessage),
})

export const payInvoices = endpoint('POST /account/invoice/pay', {
  summary: 'Pay invoices with a card, all in one charge',
  body: payForm,
  response: payment,
  errors: [
    'invoice_not_found',
    'payment_method_not_found',
    'invoice_already_paid',
    'payment_in_progress',
    'payment_failed',
  ],
})
