import { chargeText, formatCharge, formatMoney, money } from '@slipway/contract/money'
import { getLocale, m } from '@slipway/phrases'

/** An amount as it is written in the language of the page: `$1,234.50000`, or `$1.234,50000`. */
export const amountText = (amount: string) => formatMoney(amount, getLocale())

/** What a card is charged for an amount, likewise: `$1,234.50`, or `$1.234,50`. */
export const chargedText = (amount: string) => formatCharge(amount, getLocale())

/** True where a card is not charged to the last decimal: there is no part of a cent. */
export const isRounded = (amount: string) => !money(chargeText(amount)).eq(money(amount))

/** How long something ran: `1,234 hours`, or `1.234 saat`. */
export const hoursText = (count: number) =>
  m.invoices_hours({ count, hours: new Intl.NumberFormat(getLocale()).format(count) })
