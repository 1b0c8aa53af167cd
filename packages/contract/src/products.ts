import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import type { FormMessage } from './form-messages.ts'
import { idInput, idOutput } from './id.ts'
import { invoice } from './invoices.ts'
import { type Amount, amount, money, toAmount } from './money.ts'

/** A price of an hour: a decimal that is not negative, with at most five places; `0.0125`. */
const hourlyPrice = z.pipe(
  z
    .string('form_enter_price' satisfies FormMessage)
    .check(z.trim(), z.regex(/^\d{1,9}(\.\d{1,5})?$/, 'form_enter_price' satisfies FormMessage)),
  z.transform((text): Amount => toAmount(money(text))),
)

/** When it holds from: now, when it is not said; never the past, whose hours are counted. */
const from = z.optional(z.iso.datetime())

const productId = z.string().check(z.trim(), z.minLength(1), z.maxLength(64))

/** Something that is billed by the hour. */
export const product = z.object({
  id: z.string(),
  name: z.string(),
  price: amount(),
  /** Prices that are set for a later time, the next first. */
  comingPrices: z.array(z.object({ price: amount(), from: z.iso.datetime() })),
})
export type Product = z.output<typeof product>

export const listProducts = endpoint('GET /operator/product/all', {
  summary: 'What is billed, and what an hour of it costs',
  access: 'operator',
  response: z.array(product),
})

export const changePrice = endpoint('POST /operator/product/price', {
  summary:
    'Set what an hour costs from now or a later time on; hours that began before keep their price',
  access: 'operator',
  body: z.object({ productId, price: hourlyPrice, from }),
  response: product,
  errors: ['item_not_found'],
})

/** What somebody pays less for an hour of a product. */
export const discount = z.object({
  userId: idOutput<'User'>(),
  productId: z.string(),
  discount: z.nullable(amount()),
  from: z.iso.datetime(),
})

export const changeDiscount = endpoint('POST /operator/product/discount', {
  summary: 'Set what somebody pays less for an hour, from now or a later time on; null ends it',
  access: 'operator',
  body: z.object({
    email: z.string().check(z.trim(), z.toLowerCase()),
    productId,
    discount: z.nullable(hourlyPrice),
    from,
  }),
  response: discount,
  errors: ['item_not_found'],
})

export const issueInvoices = endpoint('POST /operator/invoice/issue', {
  summary: 'Issue now what has run up: for one user at once, for all in the background',
  access: 'operator',
  body: z.object({ userId: z.optional(idInput<'User'>()) }),
  response: z.object({
    /** The invoices that were issued, when one user was named. */
    invoices: z.array(invoice),
    /** The users whose invoices will be issued, when none was. */
    queued: z.number(),
  }),
  errors: ['item_not_found'],
})
