import type { UserId } from '@slipway/contract/account'
import { and, desc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { knownDevices } from './devices.schema.ts'

/** True when the user has logged in on a device that is known. */
export async function hasLoggedIn(db: Db, userId: UserId) {
  const [device] = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), isNotNull(knownDevices.lastLoginAt)))
    .limit(1)
  return device !== undefined
}

/** Stores or renews a device; true when it was unknown, for one of concurrent calls. */
export async function save(tx: Tx, device: typeof knownDevices.$inferInsert): Promise<boolean> {
  const { lastLoginAt, expiresAt } = device
  const [saved] = await tx
    .insert(knownDevices)
    .values(device)
    .onConflictDoUpdate({
      target: [knownDevices.userId, knownDevices.deviceHash],
      set: { lastLoginAt, expiresAt },
    })
    // `xmax` of an inserted row is 0.
    .returning({ isInserted: sql<boolean>`xmax = 0` })
  return saved?.isInserted === true
}

/** Removes all but the last used devices of a user. */
export async function removeBeyond(tx: Tx, userId: UserId, limit: number) {
  const isTheirs = eq(knownDevices.userId, userId)
  const oldest = tx
    .select({ deviceHash: knownDevices.deviceHash })
    .from(knownDevices)
    .where(isTheirs)
    .orderBy(desc(knownDevices.expiresAt), desc(knownDevices.createdAt), knownDevices.deviceHash)
    .offset(limit)
  await tx.delete(knownDevices).where(and(isTheirs, inArray(knownDevices.deviceHash, oldest)))
}

export async function removeOfUser(tx: Tx, userId: UserId) {
  await tx.delete(knownDevices).where(eq(knownDevices.userId, userId))
}

export async function removeExpired(db: Db, now: Date, userId?: UserId) {
  const isTheirs = userId && eq(knownDevices.userId, userId)
  await db.delete(knownDevices).where(and(isTheirs, lte(knownDevices.expiresAt, now)))
}
