import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import { paths } from '../../../paths.ts'
import { cardAnchor } from './card-names.ts'

/**
 * Where whoever has added a card goes: back to the payment that sent them, or to the overview. `next` is a
 * path on this origin, or null; one that leads out of paying is none of this form's business.
 */
export const originOf = (next: string | null) =>
  next?.split(/[?#]/)[0] === paths.payInvoices() ? next : paths.billing()

/** Where the new card is: in the overview among the others, or chosen in the payment that it was added for. */
export function placeOf(id: PaymentMethodId, origin: string) {
  if (origin === paths.billing()) return `${origin}#${cardAnchor(id)}`
  // The origin of the address is of no interest: it is a path that is asked for.
  const { pathname, search } = new URL(origin, 'https://console.example')
  const query = new URLSearchParams(search)
  query.set('method', id)
  return `${pathname}?${query}`
}
