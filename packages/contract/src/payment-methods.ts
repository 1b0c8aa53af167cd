import * as z from 'zod/mini'
import { containsCardNumber } from './card-numbers.ts'
import { cardAssociations, cardNumber, expiryProblems } from './cards.ts'
import { endpoint } from './endpoint.ts'
import { singleLineText } from './field-schemas.ts'
import type { FormMessage } from './form-messages.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'

export type PaymentMethodId = Id<'PaymentMethod'>

export const countries = ['Turkey', 'England'] as const
export type Country = (typeof countries)[number]

/** A card to pay with, as far as it is kept: its number is at the gateway alone. */
export const paymentMethod = z.object({
  id: idOutput<'PaymentMethod'>(),
  billingName: z.string(),
  address: z.string(),
  district: z.string(),
  city: z.string(),
  country: z.enum(countries),
  cardAssoc: z.enum(cardAssociations),
  lastDigits: z.string(),
  /** The end of the card's last month. */
  expiresAt: z.iso.datetime(),
  /** True once that has passed, by the service's clock. */
  expired: z.boolean(),
  isDefault: z.boolean(),
  createdAt: z.iso.datetime(),
})
export type PaymentMethod = z.output<typeof paymentMethod>

/** Text of a billing form; a card's number in it would be kept and shown, and is refused. */
const billingText = (message: FormMessage) =>
  singleLineText(message).check(
    z.refine((value) => !containsCardNumber(value), 'form_no_card_number' satisfies FormMessage),
  )

/** Whom and where the bill is for. */
export const billingFields = z.object({
  billingName: billingText('form_enter_billing_name'),
  address: singleLineText('form_enter_billing_address', limits.textMin, 300).check(
    z.refine((value) => !containsCardNumber(value), 'form_no_card_number' satisfies FormMessage),
  ),
  district: billingText('form_enter_district'),
  city: billingText('form_enter_city'),
  country: z.enum(countries, 'form_select_country' satisfies FormMessage),
})
export type BillingFields = z.output<typeof billingFields>

/** A whole number, also as the digits of a field: nothing else that could be read as one. */
const numberFrom = (message: FormMessage, least: number, most: number) =>
  z.pipe(
    z.union(
      [
        z.number(),
        z.pipe(
          z.string().check(z.trim(), z.regex(/^\d{1,4}$/)),
          z.transform((text) => Number(text)),
        ),
      ],
      message,
    ),
    z.number(message).check(z.int(message), z.gte(least, message), z.lte(most, message)),
  )

/** A card and whom its bills are for. Whether it has expired is for `expiryProblems` to say. */
export const newPaymentMethod = z.extend(billingFields, {
  holderName: billingText('form_enter_card_holder'),
  cardNumber,
  expireMonth: numberFrom('form_enter_expiry_month', 1, 12),
  expireYear: numberFrom('form_enter_expiry_year', 1000, limits.expireYearMax),
})
export type NewPaymentMethod = z.output<typeof newPaymentMethod>

/** The form of a new card, checked against the clock of whoever fills it in, too. */
export const paymentMethodForm = newPaymentMethod.check((payload) => {
  const problems = expiryProblems(payload.value, new Date())
  for (const [field, message] of Object.entries(problems ?? {}))
    payload.issues.push({ code: 'custom', input: payload.value, path: [field], message })
})

const id = idInput<'PaymentMethod'>()

export const listPaymentMethods = endpoint('GET /account/payment-method/all', {
  summary: 'The cards of the user: the default first, then the newest',
  response: z.array(paymentMethod),
})

export const createPaymentMethod = endpoint('POST /account/payment-method/create', {
  summary: 'Add a card; the first becomes the default',
  body: newPaymentMethod,
  response: paymentMethod,
  errors: ['payment_failed', 'payment_method_limit_reached'],
})

export const updatePaymentMethod = endpoint('PUT /account/payment-method/update/:id', {
  summary: 'Change whom and where the bills of a card are for',
  params: { id },
  body: billingFields,
  response: paymentMethod,
  errors: ['payment_method_not_found'],
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
