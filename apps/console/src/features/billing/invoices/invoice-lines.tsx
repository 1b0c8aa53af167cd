import { type InvoiceLine, invoiceLines, type LineChange } from '@slipway/contract/invoice-lines'
import type { InvoiceItem } from '@slipway/contract/invoices'
import { formatUtcDate, getLocale, m } from '@slipway/phrases'

const changes: Record<LineChange, (of: { day: string; product: string }) => string> = {
  price: m.invoices_line_price,
  discount_begins: m.invoices_line_discount_begins,
  discount_ends: m.invoices_line_discount_ends,
  discount: m.invoices_line_discount,
}

function lineText({ changedAt, change }: InvoiceLine, product: string) {
  const day = formatUtcDate(changedAt, getLocale(), { month: 'long' })
  return change === null ? m.invoices_line_before({ day }) : changes[change]({ day, product })
}

/**
 * Returns a function that renders the note that distinguishes an item from others of its project:
 * its hours and its change.
 */
export function lineNotes(items: readonly InvoiceItem[]) {
  const lines = invoiceLines(items)
  return ({ id, product }: InvoiceItem) => {
    const line = lines.get(id)
    return line && <span className="text-xs font-normal text-muted">{lineText(line, product)}</span>
  }
}
