import type { PaymentId } from '@slipway/contract/invoices'
import { and, asc, eq, isNotNull, isNull, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/connect.ts'
import { users } from '../../account/account.schema.ts'
import { payments } from '../payments.schema.ts'

/** The refunds of all users. Only operators' endpoints may call it. */
const refunds = (db: Db, condition: SQL | undefined) =>
  db
    .select({
      id: payments.id,
      user: { id: users.id, name: users.name, email: users.email },
      chargedAmount: payments.chargedAmount,
      paidWith: payments.paidWith,
      gateway: payments.gateway,
      chargeId: payments.chargeId,
      refundDueAt: payments.refundDueAt,
      refundedAt: payments.refundedAt,
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .where(and(isNotNull(payments.refundDueAt), condition))
    .$dynamic()

export type Refund = Awaited<ReturnType<typeof refunds>>[number]

/** The open refunds, oldest first. Operators refund them one by one; the first page is enough. */
export const listDue = (db: Db): Promise<Refund[]> =>
  refunds(db, isNull(payments.refundedAt))
    .orderBy(asc(payments.refundDueAt), asc(payments.id))
    .limit(1000)

export async function find(db: Db, id: PaymentId): Promise<Refund | undefined> {
  const [refund] = await refunds(db, eq(payments.id, id))
  return refund
}

/** Idempotent: stores the time of the first call. False for any other call. */
export async function setRefunded(tx: Tx, id: PaymentId, now: Date): Promise<boolean> {
  const changed = await tx
    .update(payments)
    .set({ refundedAt: now, updatedAt: now })
    .where(and(eq(payments.id, id), isNotNull(payments.refundDueAt), isNull(payments.refundedAt)))
    .returning({ id: payments.id })
  return changed.length > 0
}
