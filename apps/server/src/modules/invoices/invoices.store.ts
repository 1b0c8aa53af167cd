import type { UserId } from '@slipway/contract/account'
import type { Charge, InvoiceId, PaymentFailure } from '@slipway/contract/invoices'
import type { BillingFields, PaymentMethod } from '@slipway/contract/payment-methods'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { invoiceItems, invoiceNumbers, invoices } from './invoices.schema.ts'

export type Invoice = typeof invoices.$inferSelect
export type InvoiceItem = typeof invoiceItems.$inferSelect

/** The tenant scope of every query for a user: the user's own invoices. */
const ofUser = (db: Db, userId: UserId, condition?: SQL) =>
  db
    .select()
    .from(invoices)
    .where(and(eq(invoices.userId, userId), condition))
    .$dynamic()

/** Oldest first. */
export const listUnpaidForUser = (db: Db, userId: UserId): Promise<Invoice[]> =>
  ofUser(db, userId, isNull(invoices.paidAt))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id))
    // One invoice a month: no user has as many.
    .limit(1000)

export async function findForUser(
  db: Db,
  userId: UserId,
  id: InvoiceId,
): Promise<Invoice | undefined> {
  const [invoice] = await ofUser(db, userId, eq(invoices.id, id))
  return invoice
}

/** The user's invoices among `ids`, locked in the order of their ids until the transaction ends. */
export const lockForUser = (
  tx: Tx,
  userId: UserId,
  ids: readonly InvoiceId[],
): Promise<Invoice[]> =>
  ofUser(tx, userId, inArray(invoices.id, [...ids]))
    .orderBy(asc(invoices.id))
    .limit(ids.length)
    .for('update')

/** The items of an invoice, by project, then by time; the caller has checked read access. */
export const listItems = (db: Db, id: InvoiceId): Promise<InvoiceItem[]> =>
  db
    .select()
    .from(invoiceItems)
    .where(eq(invoiceItems.invoiceId, id))
    .orderBy(
      asc(invoiceItems.projectName),
      asc(invoiceItems.projectId),
      asc(invoiceItems.startsAt),
      asc(invoiceItems.id),
    )

export async function findUserId(db: Db, id: InvoiceId): Promise<UserId | undefined> {
  const [invoice] = await db
    .select({ userId: invoices.userId })
    .from(invoices)
    .where(eq(invoices.id, id))
  return invoice?.userId
}

/** Changes unpaid invoices; returns the changed ids. */
async function change(
  tx: Tx,
  ids: readonly InvoiceId[],
  set: Partial<typeof invoices.$inferInsert>,
): Promise<InvoiceId[]> {
  const changed = await tx
    .update(invoices)
    .set(set)
    .where(and(inArray(invoices.id, [...ids]), isNull(invoices.paidAt)))
    .returning({ id: invoices.id })
  return changed.map(({ id }) => id)
}

export const setPayment = (
  tx: Tx,
  ids: readonly InvoiceId[],
  payment: { state: 'in_progress' | 'failed'; failure: PaymentFailure | null },
) => change(tx, ids, { paymentState: payment.state, paymentFailure: payment.failure })

export const setPaid = (
  tx: Tx,
  ids: readonly InvoiceId[],
  paid: {
    paidAt: Date
    paidWith: Pick<PaymentMethod, 'cardAssoc' | 'lastDigits'>
    billedTo: BillingFields
    charge: Charge
  },
) => change(tx, ids, { ...paid, paymentState: 'succeeded', paymentFailure: null })

/** Locks the last number of a year until the transaction ends. */
const lockNumbers = (tx: Tx, year: number) => addToLastNumber(tx, year, 0)

/** The next number of a year as it is printed. Locks it until the transaction ends. */
async function nextNumber(tx: Tx, year: number) {
  const last = await addToLastNumber(tx, year, 1)
  return `SW-${year}-${String(last).padStart(6, '0')}`
}

async function addToLastNumber(tx: Tx, year: number, count: 0 | 1) {
  const [row] = await tx
    .insert(invoiceNumbers)
    .values({ year, last: count })
    .onConflictDoUpdate({
      target: invoiceNumbers.year,
      set: { last: sql`${invoiceNumbers.last} + ${count}` },
    })
    .returning()
  if (!row) throw new Error('the last number of the year was not stored')
  return row.last
}

/** The most unnumbered invoices of older servers that one transaction numbers. */
const unnumberedLimit = 100

/**
 * The number of the next invoice. Numbers have no gap: a transaction that fails gives its number
 * back, and another waits until this one ends. Invoices that older servers issued without a number
 * get theirs first.
 */
export async function takeNumber(tx: Tx, issuedAt: Date): Promise<string> {
  const year = issuedAt.getUTCFullYear()
  await lockNumbers(tx, year)
  const unnumbered = await tx
    .select({ id: invoices.id, issuedAt: invoices.issuedAt })
    .from(invoices)
    .where(isNull(invoices.number))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id))
    .limit(unnumberedLimit)
  for (const invoice of unnumbered)
    await tx
      .update(invoices)
      .set({ number: await nextNumber(tx, invoice.issuedAt.getUTCFullYear()) })
      .where(eq(invoices.id, invoice.id))
  return nextNumber(tx, year)
}

/** Items per statement: PostgreSQL allows 65,535 parameters, which are 4,369 items. */
const batchSize = 1000

/** Stores an issued invoice with its items. Violates `invoices_period_once` for a billed period. */
export async function insert(
  tx: Tx,
  invoice: Pick<
    Invoice,
    | 'id'
    | 'number'
    | 'userId'
    | 'startsAt'
    | 'endsAt'
    | 'amount'
    | 'taxRate'
    | 'taxAmount'
    | 'issuedAt'
    | 'customer'
    | 'seller'
  >,
  items: readonly Omit<InvoiceItem, 'invoiceId' | 'createdAt'>[],
): Promise<Invoice> {
  const [stored] = await tx.insert(invoices).values(invoice).returning()
  if (!stored) throw new Error('an invoice was not stored')
  const rows = items.map((item) => ({
    ...item,
    invoiceId: invoice.id,
    createdAt: invoice.issuedAt,
  }))
  for (let start = 0; start < rows.length; start += batchSize)
    await tx.insert(invoiceItems).values(rows.slice(start, start + batchSize))
  return stored
}
