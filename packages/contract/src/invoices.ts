import * as z from 'zod/mini'
import { amount } from './amount.ts'
import { endpoint } from './endpoint.ts'
import { file } from './file-schemas.ts'
import type { FormMessage } from './form-messages.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'
import { pageOf, pageQuery } from './pagination.ts'
import { billingAddress, paymentMethod } from './payment-methods.ts'

export type InvoiceId = Id<'Invoice'>
export type InvoiceRunId = Id<'InvoiceRun'>
export type InvoiceItemId = Id<'InvoiceItem'>
export type PaymentId = Id<'Payment'>

/** Why a payment failed at the gateway. */
export const paymentFailures = [
  'card_declined',
  'insufficient_funds',
  'card_expired',
  'card_not_usable',
  /** Nothing was sent, or the gateway did not respond: then the charge is assumed to be missing. */
  'not_charged',
  /** Charged too late to pay an invoice; the amount is refunded. */
  'charged_late',
] as const
export type PaymentFailure = (typeof paymentFailures)[number]

export const paymentStates = ['in_progress', 'succeeded', 'failed'] as const
export type PaymentState = (typeof paymentStates)[number]

/** An invoice for the projects of a user, from `createdAt` to `endsAt`. */
export const invoice = z.object({
  id: idOutput<'Invoice'>(),
  /** Such as `SW-2026-000042`: consecutive within a year; null for the active invoice. */
  number: z.nullable(z.string()),
  /** The amount due: the net sum of its items and their tax. */
  amount: amount(),
  /** The start of its period, not the time of its issue: the API calls it so. */
  createdAt: z.iso.datetime(),
  /** The end of its period, exclusive. */
  endsAt: z.iso.datetime(),
  /** Null for the active invoice. */
  issuedAt: z.nullable(z.iso.datetime()),
  paidAt: z.nullable(z.iso.datetime()),
  /** The last payment for it; null without one. */
  payment: z.nullable(
    z.object({ state: z.enum(paymentStates), failure: z.nullable(z.enum(paymentFailures)) }),
  ),
  /** True if it is unpaid 24 hours after its issue, by the server's clock. */
  overdue: z.boolean(),
})
export type Invoice = z.output<typeof invoice>

/**
 * The cost of one project at one price: `amount` is price × hours, `totalAmount` (price − discount)
 * × hours.
 */
export const invoiceItem = z.object({
  id: idOutput<'InvoiceItem'>(),
  projectId: idOutput<'Project'>(),
  projectKey: idOutput<'ProjectKey'>(),
  projectName: z.string(),
  product: z.string(),
  /** Per hour. */
  price: amount(),
  /** Per hour. */
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

/** The tax on an invoice, in percent of its net sum. */
export const invoiceTax = z.object({ rate: z.string(), amount: amount() })

/** The company that issues invoices; `address` has its lines. */
export const seller = z.object({
  name: z.string(),
  address: z.array(z.string()),
  taxNumber: z.nullable(z.string()),
})
export type Seller = z.output<typeof seller>

/** The addressee of an invoice. The address is null until the user adds a card. */
export const billedTo = z.object({
  name: z.string(),
  email: z.string(),
  taxNumber: z.nullable(z.string()),
  address: z.nullable(
    z.pick(billingAddress, { address: true, district: true, city: true, country: true }),
  ),
})
export type BilledTo = z.output<typeof billedTo>

/** The charge that paid an invoice, and possibly others with it. */
export const charge = z.object({
  /** The sum of the invoices. */
  amount: amount(),
  /** The charge: the sum, rounded half up to the cent. */
  chargedAmount: z.string(),
  invoiceCount: z.number(),
})
export type Charge = z.output<typeof charge>

/** The invoice of the current period so far, and its expected amount at current usage. */
export const activeInvoice = z.extend(invoiceDetail, {
  /** The cost of each product so far, the highest first. */
  usage: z.array(
    z.object({ product: z.string(), runningHours: z.number(), totalAmount: amount() }),
  ),
  /** The cost of each project so far, and its expected cost at the end of the period. */
  projects: z.array(
    z.object({ projectId: idOutput<'Project'>(), amount: amount(), expected: amount() }),
  ),
  /** Each day of the period in UTC: its cost so far, and its expected cost. */
  days: z.array(z.object({ date: z.iso.date(), amount: amount(), expected: amount() })),
  /**
   * The first day of the period, in UTC, on which a project reaches the monthly cap: its further
   * hours are free. Null if none does before the end of the period.
   */
  capDay: z.nullable(z.iso.date()),
  /** The expected amount at the end of the period. */
  expected: amount(),
  /** The tax in percent that the invoice will add to these amounts; `0` without tax. */
  taxRate: z.string(),
  /** When it was computed, by the server's clock. */
  asOf: z.iso.datetime(),
  /** The first earlier period that has costs and no issued invoice yet; null without one. */
  awaiting: z.nullable(z.pick(invoice, { createdAt: true, endsAt: true })),
})
export type ActiveInvoice = z.output<typeof activeInvoice>

/** A charge of one card for one or more invoices. */
export const payment = z.object({
  id: idOutput<'Payment'>(),
  /** `in_progress`: the gateway has not confirmed yet whether it charged the card. */
  state: z.enum(paymentStates),
  invoiceIds: z.array(idOutput<'Invoice'>()),
  /** The sum of the invoices. */
  amount: amount(),
  /** The charge: the sum, rounded half up to the cent. */
  chargedAmount: z.string(),
  createdAt: z.iso.datetime(),
})
export type Payment = z.output<typeof payment>

const id = idInput<'Invoice'>()

/**
 * The filters of a list of invoices. `unpaid` includes overdue invoices, but none whose payment is
 * in progress.
 */
export const invoiceListStates = ['unpaid', 'overdue', 'in_progress', 'paid'] as const
export type InvoiceListState = (typeof invoiceListStates)[number]

/** The sort keys of a list of invoices. A `-` before the key means descending. */
export const invoiceSortKeys = ['start', 'issued', 'amount', 'paid'] as const
export type InvoiceSortKey = (typeof invoiceSortKeys)[number]
const invoiceSorts = invoiceSortKeys.flatMap((key) => [key, `-${key}`] as const)

export const listInvoices = endpoint('GET /account/invoice/all', {
  summary: 'List the issued invoices of the user, newest first by default',
  query: z.extend(pageQuery, {
    state: z.optional(z.enum(invoiceListStates)),
    sort: z.optional(z.enum(invoiceSorts)),
    /** Any part of the invoice's number or id. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(36))),
  }),
  response: pageOf(invoice),
})

export const listUnpaidInvoices = endpoint('GET /account/invoice/unpaid', {
  summary: 'List the unpaid invoices of the user, oldest first',
  response: z.array(invoice),
})

export const getActiveInvoice = endpoint('GET /account/invoice/active', {
  summary: 'Get what the projects of the user cost since the last invoice',
  response: activeInvoice,
})

export const viewInvoice = endpoint('GET /account/invoice/view/:id', {
  summary: 'Get an issued invoice with its items, addressee and charge',
  params: { id },
  response: z.extend(invoiceDetail, {
    /** It is overdue from then on while it is unpaid. */
    dueAt: z.iso.datetime(),
    /**
     * Name, address and tax number: of the card that paid the invoice; of the default card while it
     * is unpaid; without a card, the account's name at the issue alone. The email address is the
     * account's at the issue.
     */
    billedTo,
    /** The seller when the invoice was issued. */
    seller,
    tax: invoiceTax,
    paidWith: z.nullable(z.pick(paymentMethod, { cardAssoc: true, lastDigits: true })),
    charge: z.nullable(charge),
  }),
  errors: ['invoice_not_found'],
})

export const downloadInvoice = endpoint('GET /account/invoice/pdf/:id', {
  summary: 'Download an issued invoice as a PDF, in the language of the request',
  params: { id },
  response: file('application/pdf'),
  errors: ['invoice_not_found'],
})

export const payForm = z.object({
  invoiceIds: z.array(idInput<'Invoice'>(), 'form_select_invoice' satisfies FormMessage).check(
    z.minLength(1, 'form_select_invoice' satisfies FormMessage),
    z.maxLength(limits.invoicesPerPayment, 'form_too_many_invoices' satisfies FormMessage),
    z.refine((ids) => new Set(ids).size === ids.length, 'form_invoice_twice' satisfies FormMessage),
  ),
  paymentMethodId: idInput<'PaymentMethod'>('form_select_payment_method' satisfies FormMessage),
})

export const payInvoices = endpoint('POST /account/invoice/pay', {
  summary: 'Pay invoices with one charge of a card',
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
