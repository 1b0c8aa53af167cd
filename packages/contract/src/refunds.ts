import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idInput, idOutput } from './id.ts'
import { paymentMethod } from './payment-methods.ts'

/**
 * A charge that came too late for the invoices it was for, which are paid or being paid with another: an
 * operator gives it back at the gateway, and notes it here.
 */
export const refund = z.object({
  /** Of the payment, under which the gateway lists the charge, too. */
  id: idOutput<'Payment'>(),
  user: z.object({ id: idOutput<'User'>(), name: z.string(), email: z.string() }),
  /** What the card was charged: US dollars with two decimals. */
  amount: z.string(),
  card: z.pick(paymentMethod, { cardAssoc: true, lastDigits: true }),
  gateway: z.string(),
  /** What the gateway knows the charge by. */
  chargeId: z.string(),
  /** Since when it is known. */
  dueAt: z.iso.datetime(),
  refundedAt: z.nullable(z.iso.datetime()),
})
export type Refund = z.output<typeof refund>

export const listRefunds = endpoint('GET /operator/payment/refunds', {
  summary: 'The charges that have to be given back, the longest known first; at most 1,000',
  access: 'operator',
  response: z.array(refund),
})

export const markRefunded = endpoint('POST /operator/payment/refunded/:id', {
  summary: 'Note that a charge was given back; done again, it changes nothing',
  access: 'operator',
  params: { id: idInput<'Payment'>() },
  response: refund,
  errors: ['item_not_found'],
})
