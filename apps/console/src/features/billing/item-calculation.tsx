import type { InvoiceItem } from '@slipway/contract/invoices'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { amountText, hoursText } from './billing-figures.ts'

/** The calculation of an item's amount, on a phone instead of the columns of a wide window. */
export function ItemCalculation({
  item: { runningHours, price, discount },
  product,
}: {
  item: InvoiceItem
  /** The product; undefined if the item is named after it. */
  product?: string
}) {
  if (!useIsPhone()) return null
  const rate =
    discount === null ? amountText(price) : `(${amountText(price)} − ${amountText(discount)})`
  const calculation = `${hoursText(runningHours)} × ${rate}`
  return (
    <span className="text-sm font-normal text-muted">
      {product ? `${product} · ${calculation}` : calculation}
    </span>
  )
}
