import type { Charge } from '@slipway/contract/invoices'
import { isWholeCents, money, toChargedAmount } from '@slipway/contract/money'
import { formatList, getLocale, m } from '@slipway/phrases'
import { amountText, chargedText, isRounded } from '../billing-figures.ts'

/** An amount paid or due: in cents, unless it is part of a charge for several invoices. */
export const settledText = (amount: string) =>
  isWholeCents(amount) ? chargedText(amount) : amountText(amount)

/** True for less than half a cent, which no card is charged. */
export const isFree = (amount: string) => money(toChargedAmount(amount)).eq(0)

/**
 * How many invoices a charge covers, and whether it was rounded; empty for one invoice, whose
 * totals have the rounding.
 */
export const chargeNotes = ({ amount, invoiceCount: count }: Charge) =>
  formatList(
    [
      count > 1 && m.invoices_charge_together({ count, amount: amountText(amount) }),
      count > 1 && isRounded(amount) && m.invoices_charge_rounded(),
    ].filter((note) => note !== false),
    getLocale(),
    'narrow',
  )
