import type { InvoiceId, PaymentId } from '@slipway/contract/invoices'
import { type AnyColumn, and, asc, count, eq, isNotNull, isNull, lte, min, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { invoiceItems, invoices } from '../invoices/invoices.schema.ts'
import { paymentInvoices, payments } from './payments.schema.ts'

export type Payment = typeof payments.$inferSelect

/**
 * Stores a payment with its invoices. The unique index `payment_invoices_live` rejects an invoice
 * that already has a live payment.
 */
export async function insert(
  tx: Tx,
  payment: Omit<typeof payments.$inferInsert, 'id' | 'state' | 'createdAt' | 'updatedAt'>,
  invoiceIds: readonly InvoiceId[],
  now: Date,
): Promise<Payment> {
  const [created] = await tx
    .insert(payments)
    .values({
      id: newId<'Payment'>(),
      ...payment,
      state: 'in_progress',
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  if (!created) throw new Error('a payment was not stored')
  const paymentId = created.id
  await tx
    .insert(paymentInvoices)
    .values(invoiceIds.map((invoiceId) => ({ paymentId, invoiceId, live: true, createdAt: now })))
  return created
}

/** A payment of any user, for the settlement. */
export async function find(db: Db, id: PaymentId): Promise<Payment | undefined> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id))
  return payment
}

/** A payment of any user, locked until the transaction ends. */
export async function lock(tx: Tx, id: PaymentId): Promise<Payment> {
  const [payment] = await tx.select().from(payments).where(eq(payments.id, id)).for('update')
  if (!payment) throw new Error(`unknown payment ${id}`)
  return payment
}

/** The sum of a column of an invoice's items. */
const sumOfItems = (column: AnyColumn) =>
  sql<string>`(select coalesce(sum(${column}), 0) from ${invoiceItems}
    where ${invoiceItems.invoiceId} = ${invoices.id})`

/** The invoices of a payment with their sums and seller, oldest first. */
export const listInvoices = (db: Db, id: PaymentId) =>
  db
    .select({
      id: invoices.id,
      number: invoices.number,
      startsAt: invoices.startsAt,
      endsAt: invoices.endsAt,
      amount: invoices.amount,
      paidAt: invoices.paidAt,
      paymentState: invoices.paymentState,
      subtotal: sumOfItems(invoiceItems.amount),
      discount: sumOfItems(invoiceItems.discountAmount),
      taxRate: invoices.taxRate,
      taxAmount: invoices.taxAmount,
      seller: invoices.seller,
    })
    .from(paymentInvoices)
    .innerJoin(invoices, eq(invoices.id, paymentInvoices.invoiceId))
    .where(eq(paymentInvoices.paymentId, id))
    .orderBy(asc(invoices.startsAt), asc(invoices.id))
    // One invoice a month: no user has as many.
    .limit(1000)

/** Payments whose status check is due, at most one batch. */
export async function listDue(db: Db, now: Date): Promise<PaymentId[]> {
  const due = await db
    .select({ id: payments.id })
    .from(payments)
    .where(lte(payments.nextCheckAt, now))
    .orderBy(asc(payments.nextCheckAt), asc(payments.id))
    .limit(500)
  return due.map(({ id }) => id)
}

type Change = Partial<
  Pick<Payment, 'state' | 'failure' | 'chargeId' | 'nextCheckAt' | 'settledAt' | 'refundDueAt'>
>

/** Changes a payment; rejects if its state has changed since it was read. */
export async function change(
  tx: Tx,
  { id, state }: Pick<Payment, 'id' | 'state'>,
  values: Change,
  now: Date,
): Promise<Payment> {
  const [changed] = await tx
    .update(payments)
    .set({ ...values, updatedAt: now })
    .where(and(eq(payments.id, id), eq(payments.state, state)))
    .returning()
  if (!changed) throw new Error(`payment ${id} is no longer ${state}`)
  return changed
}

/** Records a status check without a result, unless the payment was settled or checked meanwhile. */
export async function recordCheck(
  tx: Tx,
  { id, state, checkCount }: Pick<Payment, 'id' | 'state' | 'checkCount'>,
  nextCheckAt: Date | null,
  now: Date,
) {
  await tx
    .update(payments)
    .set({ nextCheckAt, checkCount: checkCount + 1, updatedAt: now })
    .where(
      and(
        eq(payments.id, id),
        eq(payments.state, state),
        eq(payments.checkCount, checkCount),
        isNotNull(payments.nextCheckAt),
      ),
    )
}

/** Sets whether the payment is live: until it can no longer charge its invoices, or for good. */
export async function setLive(tx: Tx, id: PaymentId, live: boolean) {
  const changed = await tx
    .update(paymentInvoices)
    .set({ live })
    .where(eq(paymentInvoices.paymentId, id))
    .returning({ id: paymentInvoices.invoiceId })
  if (changed.length === 0) throw new Error(`payment ${id} has no invoices`)
}

/** The count and the oldest of the payments without an outcome, and of the charges to refund. */
export const countOpen = (db: Db) =>
  db
    .select({
      state: sql<string>`'in_progress'`.as('state'),
      count: count(),
      oldest: min(payments.createdAt),
    })
    .from(payments)
    // Each payment in progress has a next check: with this condition PostgreSQL uses their index.
    .where(and(eq(payments.state, 'in_progress'), isNotNull(payments.nextCheckAt)))
    .unionAll(
      db
        .select({
          state: sql<string>`'refund_due'`.as('state'),
          count: count(),
          oldest: min(payments.refundDueAt),
        })
        .from(payments)
        .where(and(isNotNull(payments.refundDueAt), isNull(payments.refundedAt))),
    )
