import * as z from 'zod/mini'
import { containsCardNumber } from './card-numbers.ts'
import { cardNumber, expiryProblems } from './cards.ts'
import { endpoint } from './endpoint.ts'
import { singleLineText } from './field-schemas.ts'
import type { FormMessage } from './form-messages.ts'
import { idInput } from './id.ts'
import { limits } from './limits.ts'
import { countries, paymentMethod } from './payment-methods.ts'

/** A card number in a billing text is rejected, because the text is stored and shown. */
const billingText = (message: FormMessage, max?: number) =>
  singleLineText(message, limits.textMin, max).check(
    z.refine((value) => !containsCardNumber(value), 'form_no_card_number' satisfies FormMessage),
  )

/** A tax number of any country: undefined keeps the stored one; null or empty text removes it. */
const taxNumber = z.optional(
  z.nullable(
    z.string('form_tax_number' satisfies FormMessage).check(
      z.trim(),
      z.maxLength(limits.taxNumberMax, 'form_tax_number' satisfies FormMessage),
      z.regex(/^[\p{L}\p{N} ./-]*$/u, 'form_tax_number' satisfies FormMessage),
      z.refine((value) => !containsCardNumber(value), 'form_no_card_number' satisfies FormMessage),
    ),
  ),
)

export const billingFields = z.object({
  billingName: billingText('form_enter_billing_name'),
  address: billingText('form_enter_billing_address', limits.addressMax),
  district: billingText('form_enter_district'),
  city: billingText('form_enter_city'),
  country: z.enum(countries, 'form_select_country' satisfies FormMessage),
  taxNumber,
})

/** A whole number, or its digits as a form has them. */
const numberFrom = (message: FormMessage, min: number, max: number) =>
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
    z.number(message).check(z.int(message), z.gte(min, message), z.lte(max, message)),
  )

/** A new card with its billing address. `expiryProblems` checks its expiry. */
export const newPaymentMethod = z.extend(billingFields, {
  holderName: billingText('form_enter_card_holder'),
  cardNumber,
  expireMonth: numberFrom('form_enter_expiry_month', 1, 12),
  expireYear: numberFrom('form_enter_expiry_year', 1000, limits.expireYearMax),
})
export type NewPaymentMethod = z.output<typeof newPaymentMethod>

/** The form of a new card, which also checks the expiry by the browser's clock. */
export const paymentMethodForm = newPaymentMethod.check((payload) => {
  const problems = expiryProblems(payload.value, new Date())
  for (const [field, message] of Object.entries(problems ?? {}))
    payload.issues.push({ code: 'custom', input: payload.value, path: [field], message })
})

export const createPaymentMethod = endpoint('POST /account/payment-method/create', {
  summary: 'Add a card; the first becomes the default',
  body: newPaymentMethod,
  response: paymentMethod,
  errors: ['payment_failed', 'payment_method_limit_reached'],
})

export const updatePaymentMethod = endpoint('PUT /account/payment-method/update/:id', {
  summary: 'Change the billing address of a card',
  params: { id: idInput<'PaymentMethod'>() },
  body: billingFields,
  response: paymentMethod,
  errors: ['payment_method_not_found'],
})
