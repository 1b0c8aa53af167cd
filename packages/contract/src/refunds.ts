import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idInput, idOutput } from './id.ts'
import { paymentMethod } from './payment-methods.ts'

/**
 * A charge that was confirmed too late: another payment has paid its invoices. An operator
 * refunds it at the gateway and marks it here.
 */
export const refund = z.object({
  /** The payment's id, which the gateway lists too. */
  id: idOutput<'Payment'>(),
  user: z.object({ id: idOutput<'User'>(), name: z.string(), email: z.string() }),
  /** The charge in US dollars, with two decimals. */
  amount: z.string(),
  card: z.pick(paymentMethod, { cardAssoc: true, lastDigits: true }),
  gateway: z.string(),
  /** The gateway's id of the charge. */
  chargeId: z.string(),
  /** When the charge was confirmed. */
  dueAt: z.iso.datetime(),
  refundedAt: z.nullable(z.iso.datetime()),
})
export type Refund = z.output<typeof refund>

export const listRefunds = endpoint('GET /operator/payment/refunds', {
  summary: 'List the charges to refund, the oldest first; at most 1,000',
  access: 'operator',
  response: z.array(refund),
})

export const markRefunded = endpoint('POST /operator/payment/refunded/:id', {
  summary: 'Mark a charge as refunded; no effect if it is already',
  access: 'operator',
  params: { id: idInput<'Payment'>() },
  response: refund,
  errors: ['item_not_found'],
})
