import type { InvoiceItem } from '@slipway/contract/invoices'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { amountText, hoursText } from './billing-figures.ts'

/** On a phone: how the amount of an item follows, instead of the columns of a wide window. */
export function ItemCalculation({
  item: { runningHours, price, discount },
  product,
}: {
  item: InvoiceItem
  /** Unless the item is named after it. */
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
