import * as z from 'zod/mini'
import { type Amount, amount } from './amount.ts'
import { lowercaseEmail } from './email.ts'
import { endpoint } from './endpoint.ts'
import type { FormMessage } from './form-messages.ts'
import { idInput, idOutput } from './id.ts'
import { invoice } from './invoices.ts'
import { money, toAmount } from './money.ts'
import { requiredText } from './required-text.ts'

/** A price per hour: a decimal of at most five places, not negative, such as `0.0125`. */
const hourlyPrice = z.pipe(
  z
    .string('form_enter_price' satisfies FormMessage)
    .check(z.trim(), z.regex(/^\d{1,9}(\.\d{1,5})?$/, 'form_enter_price' satisfies FormMessage)),
  z.transform((text): Amount => toAmount(money(text))),
)

/** The start of the change; now by default. A past start is rejected: its hours are billed. */
const from = z.optional(z.iso.datetime())

const productId = z.string().check(z.trim(), z.minLength(1), z.maxLength(64))

/** A product, which is billed by the hour. */
export const product = z.object({
  id: z.string(),
  name: z.string(),
  price: amount(),
  /** Future prices, the next one first. */
  comingPrices: z.array(z.object({ price: amount(), from: z.iso.datetime() })),
})
export type Product = z.output<typeof product>

export const listProducts = endpoint('GET /operator/product/all', {
  summary: 'List the products with their prices per hour',
  access: 'operator',
  response: z.array(product),
})

export const changePrice = endpoint('POST /operator/product/price', {
  summary: 'Change the price of a product, now or later; hours that started keep their price',
  access: 'operator',
  body: z.object({ productId, price: hourlyPrice, from }),
  response: product,
  errors: ['item_not_found'],
})

/** The discount of a user on the price per hour of a product. */
export const discount = z.object({
  userId: idOutput<'User'>(),
  productId: z.string(),
  discount: z.nullable(amount()),
  from: z.iso.datetime(),
})

export const changeDiscount = endpoint('POST /operator/product/discount', {
  summary: 'Change the discount of a user, now or later; null ends it',
  access: 'operator',
  body: z.object({
    email: requiredText('form_enter_email').check(z.overwrite(lowercaseEmail)),
    productId,
    discount: z.nullable(hourlyPrice),
    from,
  }),
  response: discount,
  errors: ['item_not_found'],
})

/** The progress of a run that issues all invoices. */
export const invoiceRun = z.object({
  id: idOutput<'InvoiceRun'>(),
  createdAt: z.iso.datetime(),
  state: z.enum(['running', 'finished']),
  /** Customers found so far. */
  customers: z.number(),
  /** True once all customers were found. */
  listed: z.boolean(),
  done: z.number(),
  failed: z.number(),
  /** The first customers whose invoices could not be issued; the others are not affected. */
  failures: z.array(z.object({ userId: idOutput<'User'>(), reason: z.string() })),
})
export type InvoiceRun = z.output<typeof invoiceRun>

export const issueInvoices = endpoint('POST /operator/invoice/issue', {
  summary: 'Issue invoices now: for one user at once, for all users in the background',
  access: 'operator',
  body: z.object({ userId: z.optional(idInput<'User'>()) }),
  response: z.object({
    /** The issued invoices, if the request names a user. */
    invoices: z.array(invoice),
    /** The run for all users, if the request names none: the running one, or a new one. */
    run: z.nullable(invoiceRun),
  }),
  errors: ['item_not_found'],
})

export const getInvoiceRun = endpoint('GET /operator/invoice/issue', {
  summary: 'Get the progress of the last run that issues all invoices',
  access: 'operator',
  response: z.object({ run: z.nullable(invoiceRun) }),
})
