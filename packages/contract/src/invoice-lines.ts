import type { InvoiceItem } from './invoices.ts'
import { money } from './money.ts'

/** The change between two items of a project on one invoice. */
export type LineChange = 'price' | 'discount_begins' | 'discount_ends' | 'discount'

/**
 * The hours of an item: before `changedAt` if `change` is null, otherwise from then on. ISO 8601.
 */
export type InvoiceLine = { changedAt: string; change: LineChange | null }

function changeBetween(before: InvoiceItem, after: InvoiceItem): LineChange {
  if (!money(before.price).eq(money(after.price))) return 'price'
  if (before.discount === null) return 'discount_begins'
  return after.discount === null ? 'discount_ends' : 'discount'
}

/**
 * Explains the items of projects that have more than one on an invoice, by the item's id. An hour
 * has the price of its start, so a change of price or discount starts another item. Projects with
 * one item have no line.
 */
export function invoiceLines(items: readonly InvoiceItem[]): Map<InvoiceItem['id'], InvoiceLine> {
  const lines = new Map<InvoiceItem['id'], InvoiceLine>()
  const groups = Map.groupBy(items, ({ projectId, product }) => `${projectId} ${product}`)
  for (const group of groups.values()) {
    const inOrder = group.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    for (const [index, item] of inOrder.entries()) {
      const [before, next] = [inOrder[index - 1], inOrder[index + 1]]
      if (before)
        lines.set(item.id, { changedAt: item.createdAt, change: changeBetween(before, item) })
      else if (next) lines.set(item.id, { changedAt: next.createdAt, change: null })
    }
  }
  return lines
}
