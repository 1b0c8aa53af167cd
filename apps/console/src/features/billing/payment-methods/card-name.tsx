import type { PaymentMethod } from '@slipway/contract/payment-methods'
import { cardName } from './card-names.ts'

const dots = '••••'

/** The name of a card, with room between the dots. */
export function CardName({ card }: { card: Pick<PaymentMethod, 'cardAssoc' | 'lastDigits'> }) {
  const [before, after] = cardName(card).split(dots)
  return (
    <span>
      {before}
      {after !== undefined && (
        <span style={{ marginLeft: '0.15em', letterSpacing: '0.15em' }}>{dots}</span>
      )}
      {after}
    </span>
  )
}
