import type { UserId } from '@slipway/contract/account'
import type { BillingFields, PaymentMethodId } from '@slipway/contract/payment-methods'
import { and, count, desc, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { paymentMethods } from './payment-methods.schema.ts'

export type PaymentMethod = typeof paymentMethods.$inferSelect

/** The tenant scope of every query: the user's undeleted cards. */
const activeCardsOf = (userId: UserId, condition?: SQL) =>
  and(eq(paymentMethods.userId, userId), isNull(paymentMethods.deletedAt), condition)

/** Serializes changes to the set of the user's cards until the transaction ends. */
export const lockCardSet = (tx: Tx, userId: UserId) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`payment-methods ${userId}`}, 0))`)

/** The default first, then the newest. */
export const listForUser = (db: Db, userId: UserId): Promise<PaymentMethod[]> =>
  db
    .select()
    .from(paymentMethods)
    .where(activeCardsOf(userId))
    .orderBy(
      desc(paymentMethods.isDefault),
      desc(paymentMethods.createdAt),
      desc(paymentMethods.id),
    )
    .limit(1000)

export async function findDefaultForUser(
  db: Db,
  userId: UserId,
): Promise<PaymentMethod | undefined> {
  const [card] = await db
    .select()
    .from(paymentMethods)
    .where(activeCardsOf(userId, eq(paymentMethods.isDefault, true)))
  return card
}

export async function countForUser(db: Db, userId: UserId) {
  const [row] = await db
    .select({ count: count() })
    .from(paymentMethods)
    .where(activeCardsOf(userId))
  return row?.count ?? 0
}

/** True when the card was stored, also when it was deleted since. */
export const isStored = async (db: Db, userId: UserId, id: PaymentMethodId) =>
  (await db.$count(
    paymentMethods,
    and(eq(paymentMethods.userId, userId), eq(paymentMethods.id, id)),
  )) > 0

export async function findDeletedForUser(
  db: Db,
  userId: UserId,
  id: PaymentMethodId,
): Promise<PaymentMethod | undefined> {
  const [card] = await db
    .select()
    .from(paymentMethods)
    .where(
      and(
        eq(paymentMethods.userId, userId),
        eq(paymentMethods.id, id),
        isNotNull(paymentMethods.deletedAt),
      ),
    )
  return card
}

/** The user's card with a share lock, so it cannot change until the transaction ends. */
export async function lockForUser(
  tx: Tx,
  userId: UserId,
  id: PaymentMethodId,
): Promise<PaymentMethod | undefined> {
  const [card] = await tx
    .select()
    .from(paymentMethods)
    .where(activeCardsOf(userId, eq(paymentMethods.id, id)))
    .for('share')
  return card
}

export async function insert(
  tx: Tx,
  card: Omit<typeof paymentMethods.$inferInsert, 'createdAt' | 'updatedAt' | 'token'>,
  now: Date,
): Promise<PaymentMethod> {
  const [created] = await tx
    .insert(paymentMethods)
    .values({ ...card, createdAt: now, updatedAt: now })
    .returning()
  if (!created) throw new Error('a payment method was not stored')
  return created
}

async function change(
  tx: Tx,
  userId: UserId,
  id: PaymentMethodId,
  values: Partial<typeof paymentMethods.$inferInsert>,
): Promise<PaymentMethod | undefined> {
  const [changed] = await tx
    .update(paymentMethods)
    .set(values)
    .where(activeCardsOf(userId, eq(paymentMethods.id, id)))
    .returning()
  return changed
}

/** Undefined if the card is not the user's. */
export const setBilling = (
  tx: Tx,
  userId: UserId,
  id: PaymentMethodId,
  billing: BillingFields,
  now: Date,
) => change(tx, userId, id, { ...billing, updatedAt: now })

/**
 * Clears the old default first: a unique index allows only one. Undefined if the card is not the
 * user's.
 */
export async function setDefault(tx: Tx, userId: UserId, id: PaymentMethodId, now: Date) {
  await tx
    .update(paymentMethods)
    .set({ isDefault: false, updatedAt: now })
    .where(activeCardsOf(userId, and(paymentMethods.isDefault, ne(paymentMethods.id, id))))
  return change(tx, userId, id, { isDefault: true, updatedAt: now })
}

/** Undefined if the card is not the user's. */
export const setDeleted = (tx: Tx, userId: UserId, id: PaymentMethodId, now: Date) =>
  change(tx, userId, id, { deletedAt: now, updatedAt: now })
