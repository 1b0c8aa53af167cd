import type { InvoiceId, PaymentId } from '@slipway/contract/invoices'
import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { invoices } from '../invoices/invoices.schema.ts'
import { paymentInvoices, payments } from './payments.schema.ts'

export type Payment = typeof payments.$inferSelect

/** Stores a payment, and that its invoices are in it: no other payment of them can be stored from then on. */
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

/** Any user's: for whoever settles payments. */
export async function find(db: Db, id: PaymentId): Promise<Payment | undefined> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id))
  return payment
}

/** Any user's, which nobody else settles until the transaction ends. */
export async function lock(tx: Tx, id: PaymentId): Promise<Payment> {
  const [payment] = await tx.select().from(payments).where(eq(payments.id, id)).for('update')
  if (!payment) throw new Error(`there is no payment ${id}`)
  return payment
}

/** What a payment is for, the oldest first. */
export const listInvoices = (db: Db, id: PaymentId) =>
  db
    .select({
      id: invoices.id,
      startsAt: invoices.startsAt,
      endsAt: invoices.endsAt,
      amount: invoices.amount,
    })
    .from(paymentInvoices)
    .innerJoin(invoices, eq(invoices.id, paymentInvoices.invoiceId))
    .where(eq(paymentInvoices.paymentId, id))
    .orderBy(asc(invoices.startsAt), asc(invoices.id))
    .limit(1000)

/** Payments that the gateway is to be asked about by now, as many as one round can have done. */
export async function listDue(db: Db, now: Date): Promise<PaymentId[]> {
  const due = await db
    .select({ id: payments.id })
    .from(payments)
    .where(lte(payments.askAt, now))
    .orderBy(asc(payments.askAt), asc(payments.id))
    .limit(500)
  return due.map(({ id }) => id)
}

type Change = Partial<
  Pick<Payment, 'state' | 'failure' | 'chargeId' | 'askAt' | 'settledAt' | 'refundDueAt'>
>

/** Changes a payment that is still in the state it was found in; rejects when it is not. */
export async function change(
  tx: Tx,
  { id, state }: Pick<Payment, 'id' | 'state'>,
  change: Change,
  now: Date,
): Promise<Payment> {
  const [changed] = await tx
    .update(payments)
    .set({ ...change, updatedAt: now })
    .where(and(eq(payments.id, id), eq(payments.state, state)))
    .returning()
  if (!changed) throw new Error(`payment ${id} is not ${state} any more`)
  return changed
}

/** Notes that a payment was asked after in vain, unless somebody has got an answer meanwhile. */
export async function recordCheck(
  tx: Tx,
  { id, state, asked }: Pick<Payment, 'id' | 'state' | 'asked'>,
  askAt: Date | null,
  now: Date,
) {
  await tx
    .update(payments)
    .set({ askAt, asked: asked + 1, updatedAt: now })
    .where(
      and(
        eq(payments.id, id),
        eq(payments.state, state),
        eq(payments.asked, asked),
        isNotNull(payments.askAt),
      ),
    )
}

/** Notes whether the payment may charge its invoices, or has. */
export async function setLive(tx: Tx, id: PaymentId, live: boolean) {
  const changed = await tx
    .update(paymentInvoices)
    .set({ live })
    .where(eq(paymentInvoices.paymentId, id))
    .returning({ id: paymentInvoices.invoiceId })
  if (changed.length === 0) throw new Error(`payment ${id} is for nothing`)
}
