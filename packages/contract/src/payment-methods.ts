import * as z from 'zod/mini'
import { cardAssociations } from './card-associations.ts'
import { endpoint } from './endpoint.ts'
import { type Id, idInput, idOutput } from './id.ts'

export type PaymentMethodId = Id<'PaymentMethod'>

export const countries = ['Turkey', 'England'] as const
export type Country = (typeof countries)[number]

/** The name, address and tax number on invoices. */
export const billingAddress = z.object({
  billingName: z.string(),
  address: z.string(),
  district: z.string(),
  city: z.string(),
  country: z.enum(countries),
  taxNumber: z.nullable(z.string()),
})
/** Details that were stored before tax numbers existed have none. */
export type BillingFields = Omit<z.output<typeof billingAddress>, 'taxNumber'> & {
  taxNumber?: string | null | undefined
}

/** A card without its number, which only the payment gateway has. */
export const paymentMethod = z.object({
  id: idOutput<'PaymentMethod'>(),
  ...billingAddress.shape,
  cardAssoc: z.enum(cardAssociations),
  lastDigits: z.string(),
  /** The end of the card's last month. */
  expiresAt: z.iso.datetime(),
  /** True after `expiresAt`, by the server's clock. */
  expired: z.boolean(),
  isDefault: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type PaymentMethod = z.output<typeof paymentMethod>

const id = idInput<'PaymentMethod'>()

export const listPaymentMethods = endpoint('GET /account/payment-method/all', {
  summary: 'List the cards of the user: the default first, then the newest',
  response: z.array(paymentMethod),
})

export const setDefaultPaymentMethod = endpoint('PUT /account/payment-method/default/:id', {
  summary: 'Make a card the default',
  params: { id },
  response: paymentMethod,
  errors: ['payment_method_not_found'],
})

export const deletePaymentMethod = endpoint('DELETE /account/payment-method/delete/:id', {
  summary: 'Delete a card that is not the default',
  params: { id },
  errors: ['payment_method_not_found', 'default_payment_method'],
})
