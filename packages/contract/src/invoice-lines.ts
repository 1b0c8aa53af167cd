import type { InvoiceItem } from './invoices.ts'
import { money } from './money.ts'

/** What an hour costs otherwise than the hour before: why a project has one more item. */
export type LineChange = 'price' | 'discount_begins' | 'discount_ends' | 'discount'

/** Which hours of its project an item is for. `at`: the moment of the change, in ISO 8601. */
export type InvoiceLine = { changedAt: string; change: LineChange | null }

function changeBetween(before: InvoiceItem, after: InvoiceItem): LineChange {
  if (!money(before.price).eq(money(after.price))) return 'price'
  if (before.discount === null) return 'discount_begins'
  return after.discount === null ? 'discount_ends' : 'discount'
}

/**
 * Why a project stands on an invoice more than once, by the id of the item: an hour costs what held when it
 * began, so the hours before and after a change are items of their own. The first is for the hours before
 * `at` and has no `change`; each other is for the hours from its `at` on. An item that is alone is left out.
 */
export function invoiceLines(items: readonly InvoiceItem[]): Map<InvoiceItem['id'], InvoiceLine> {
  const lines = new Map<InvoiceItem['id'], InvoiceLine>()
  const groups = Map.groupBy(items, ({ projectId, product }) => `${projectId} ${product}`)
  for (const group of groups.values()) {
    const inOrder = group.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    for (const [place, item] of inOrder.entries()) {
      const [before, next] = [inOrder[place - 1], inOrder[place + 1]]
      if (before)
        lines.set(item.id, { changedAt: item.createdAt, change: changeBetween(before, item) })
      else if (next) lines.set(item.id, { changedAt: next.createdAt, change: null })
    }
  }
  return lines
}
