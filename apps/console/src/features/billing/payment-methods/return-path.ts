import type { PaymentMethodId } from '@slipway/contract/payment-methods'
import { paths } from '../../../paths.ts'
import { cardAnchor } from './card-names.ts'

/**
 * Returns the page to open after a card is added: the pay page if the user came from there,
 * otherwise the overview. `next` is a path on this origin, or null.
 */
export const returnPath = (next: string | null) =>
  next?.split(/[?#]/)[0] === paths.payInvoices() ? next : paths.billing()

/** The path that shows the new card: its row in the overview, or preselected on the pay page. */
export function returnPathWithCard(id: PaymentMethodId, origin: string) {
  if (origin === paths.billing()) return `${origin}#${cardAnchor(id)}`
  // Any origin will do: only the path is used.
  const { pathname, search } = new URL(origin, 'https://console.example')
  const query = new URLSearchParams(search)
  query.set('method', id)
  return `${pathname}?${query}`
}
