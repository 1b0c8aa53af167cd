import type { InvoiceItem } from '@slipway/contract/invoices'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { amountText, hoursText } from './billing-figures.ts'

/** The calculation of an item's amount, on a phone instead of the columns of a wide window. */
export function ItemCalculation({
  item: { runningHours, price, discount },
  product,
  isRateShared,
}: {
  item: InvoiceItem
  /** The product; undefined if the item is named after it. */
  product?: string | undefined
  /** True if the total has the price of all items. */
  isRateShared?: boolean
}) {
  if (!useIsPhone()) return null
  const rate =
    discount === null ? amountText(price) : `(${amountText(price)} − ${amountText(discount)})`
  const hours = hoursText(runningHours)
  const calculation = isRateShared ? hours : `${hours} × ${rate}`
  return (
    <span className="text-sm font-normal text-muted">
      {product ? `${product} · ${calculation}` : calculation}
    </span>
  )
}
