import type { UserId } from '@slipway/contract/account'
import type { InvoiceListState, InvoiceSortKey } from '@slipway/contract/invoices'
import { and, asc, count, desc, eq, isNotNull, isNull, like, lt, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { invoices } from './invoices.schema.ts'
import type { Invoice } from './invoices.store.ts'

/** What of a user's invoices is filter, and in which order; without one, newest first. */
export type ListFilter = {
  state?: InvoiceListState | undefined
  /** Issued before then and not paid, an invoice is overdue. */
  overdueSince: Date
  /** A part of the id. */
  search?: string | undefined
  sort?: { key: InvoiceSortKey; descending: boolean } | undefined
}

/** A payment that is in progress may have been made: nobody is asked to pay meanwhile. */
const isPayable = and(
  isNull(invoices.paidAt),
  sql`${invoices.paymentState} is distinct from 'in_progress'`,
)

const states: Record<InvoiceListState, (filter: ListFilter) => SQL | undefined> = {
  unpaid: () => isPayable,
  overdue: ({ overdueSince }) => and(isPayable, lt(invoices.issuedAt, overdueSince)),
  in_progress: () => and(isNull(invoices.paidAt), eq(invoices.paymentState, 'in_progress')),
  paid: () => isNotNull(invoices.paidAt),
}

const columns = {
  start: invoices.startsAt,
  issued: invoices.issuedAt,
  amount: invoices.amount,
  paid: invoices.paidAt,
} satisfies Record<InvoiceSortKey, unknown>

/** What LIKE takes for more than a character stands for itself. */
const escapeLike = (text: string) => text.toLowerCase().replace(/[\\%_]/g, '\\$&')

function orderOf({ sort }: ListFilter): SQL[] {
  // Of those that were issued at once, after a downtime, the later period is the newer: ids lie in that order.
  if (!sort) return [desc(invoices.issuedAt), desc(invoices.id)]
  const column = columns[sort.key]
  const direction = sort.descending ? desc(column) : asc(column)
  return [sql`${direction} nulls last`, desc(invoices.issuedAt), desc(invoices.id)]
}

/**
 * The rows of one page, and how many there are on all of them. A user gets twelve invoices a year: the
 * index that finds them all leaves nothing for one of an order or a state to do.
 */
export async function listForUser(
  db: Db,
  userId: UserId,
  filter: ListFilter,
  page: { offset: number; limit: number },
): Promise<{ rows: Invoice[]; count: number }> {
  const matching = and(
    eq(invoices.userId, userId),
    filter.state && states[filter.state](filter),
    filter.search ? like(sql`${invoices.id}::text`, `%${escapeLike(filter.search)}%`) : undefined,
  )
  const rows = await db
    .select()
    .from(invoices)
    .where(matching)
    .orderBy(...orderOf(filter))
    .offset(page.offset)
    .limit(page.limit)
  const [all] = await db.select({ count: count() }).from(invoices).where(matching)
  return { rows, count: all?.count ?? 0 }
}
