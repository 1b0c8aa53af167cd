import { chargeText, formatMoney, money } from '@slipway/contract/money'

/** What a card is charged for an amount, as people read it: `$1,234.50`. */
export const formatCharge = (amount: string) => formatMoney(chargeText(amount)).slice(0, -3)

/** True where a card is not charged to the last decimal: there is no part of a cent. */
export const isRounded = (amount: string) => !money(chargeText(amount)).eq(money(amount))
