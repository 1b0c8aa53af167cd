import type { UserId } from '@slipway/contract/account'
import type { InvoiceListState, InvoiceSortKey } from '@slipway/contract/invoices'
import {
  and,
  asc,
  count,
  desc,
  eq,
  isNotNull,
  isNull,
  like,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { invoices } from './invoices.schema.ts'
import type { Invoice } from './invoices.store.ts'

/** Which of a user's invoices to list, and their order; newest first by default. */
export type ListFilter = {
  state?: InvoiceListState | undefined
  /** An unpaid invoice issued before this time is overdue. */
  overdueIfIssuedBefore: Date
  /** A part of the number or the id. */
  search?: string | undefined
  sort?: { key: InvoiceSortKey; descending: boolean } | undefined
}

/** An invoice whose payment is in progress may already be charged: it is not payable. */
const isPayable = and(
  isNull(invoices.paidAt),
  sql`${invoices.paymentState} is distinct from 'in_progress'`,
)

const states: Record<InvoiceListState, (filter: ListFilter) => SQL | undefined> = {
  unpaid: () => isPayable,
  overdue: ({ overdueIfIssuedBefore }) =>
    and(isPayable, lt(invoices.issuedAt, overdueIfIssuedBefore)),
  in_progress: () => and(isNull(invoices.paidAt), eq(invoices.paymentState, 'in_progress')),
  paid: () => isNotNull(invoices.paidAt),
}

const columns = {
  start: invoices.startsAt,
  issued: invoices.issuedAt,
  amount: invoices.amount,
  paid: invoices.paidAt,
} satisfies Record<InvoiceSortKey, unknown>

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const matchesSearch = (text: string) => {
  // PostgreSQL prints a UUID in lower case.
  const pattern = `%${escapeLike(text.toLowerCase())}%`
  return or(like(sql`${invoices.id}::text`, pattern), like(sql`lower(${invoices.number})`, pattern))
}

function orderOf({ sort }: ListFilter): SQL[] {
  // Invoices issued at the same time, after a downtime, are ordered by period: their ids have the
  // start of the period as UUIDv7 time (`invoices.ids.ts`).
  if (!sort) return [desc(invoices.issuedAt), desc(invoices.id)]
  const column = columns[sort.key]
  const direction = sort.descending ? desc(column) : asc(column)
  return [sql`${direction} nulls last`, desc(invoices.issuedAt), desc(invoices.id)]
}

/**
 * One page of rows, and the total count. A user gets about twelve invoices a year, so the index on
 * the user is enough for every filter and order.
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
    filter.search ? matchesSearch(filter.search) : undefined,
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
