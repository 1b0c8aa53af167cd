import type { PaymentFailure } from '@slipway/contract/invoices'
import { m } from '@slipway/phrases'

const texts: Record<PaymentFailure, () => string> = {
  card_declined: () => m.payments_failure_card_declined(),
  insufficient_funds: () => m.payments_failure_insufficient_funds(),
  card_expired: () => m.payments_failure_card_expired(),
  card_not_usable: () => m.payments_failure_card_not_usable(),
  not_charged: () => m.payments_failure_not_charged(),
  charged_late: () => m.payments_failure_charged_late(),
}

const isKnown = (failure: string | undefined | null): failure is PaymentFailure =>
  Object.hasOwn(texts, failure ?? '')

/** The text of a payment's failure; an unknown one reads as a declined card. */
export const paymentFailureText = (failure: string | undefined | null) =>
  texts[isKnown(failure) ? failure : 'card_declined']()
