import type { Charge } from '@slipway/contract/invoices'
import { limits } from '@slipway/contract/limits'
import { money, toChargedAmount } from '@slipway/contract/money'
import { formatCharge, formatMoney, formatNumber, getLocale, m } from '@slipway/phrases'

/** An amount as it is written in the language of the page: `$1,234.50000`, or `$1.234,50000`. */
export const amountText = (amount: string) => formatMoney(amount, getLocale())

/** What a card is charged for an amount, likewise: `$1,234.50`, or `$1.234,50`. */
export const chargedText = (amount: string) => formatCharge(amount, getLocale())

/** True where a card is not charged to the last decimal: there is no part of a cent. */
export const isRounded = (amount: string) => !money(toChargedAmount(amount)).eq(money(amount))

/** True for less than half a cent, for which no card is charged. */
export const isFree = (amount: string) => money(toChargedAmount(amount)).eq(0)

/** What there is to say of a charge besides its amount: for which invoices it was, and that it was rounded. */
export const chargeRemarks = ({ amount, invoiceCount: count }: Charge) =>
  [
    count > 1 && m.invoices_charge_together({ count, amount: amountText(amount) }),
    isRounded(amount) && m.invoices_charge_rounded(),
  ]
    .filter((remark) => remark !== false)
    .join(', ')

/** How long something ran: `1,234 hours`, or `1.234 saat`. */
export const hoursText = (count: number) =>
  m.invoices_hours({ count, hours: formatNumber(count, getLocale()) })

/** Which hours are billed. */
export const hoursRule = () =>
  m.invoices_hours_rule({
    hours: limits.billedHoursPerMonth,
    days: limits.billedHoursPerMonth / 24,
  })
