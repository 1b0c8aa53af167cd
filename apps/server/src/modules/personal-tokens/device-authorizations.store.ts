import type { UserId } from '@slipway/contract/account'
import { eq, lte } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { type DeviceAuthorizationId, deviceAuthorizations } from './personal-tokens.schema.ts'

export type DeviceAuthorization = typeof deviceAuthorizations.$inferSelect

/** False when the user code is taken. */
export async function insert(
  db: Db,
  authorization: Omit<typeof deviceAuthorizations.$inferInsert, 'id' | 'state'>,
) {
  const stored = await db
    .insert(deviceAuthorizations)
    .values({ id: newId<'DeviceAuthorization'>(), state: 'pending', ...authorization })
    .onConflictDoNothing({ target: deviceAuthorizations.userCode })
    .returning({ id: deviceAuthorizations.id })
  return stored.length === 1
}

export async function lockByDeviceCode(
  tx: Tx,
  deviceCodeHash: Buffer,
): Promise<DeviceAuthorization | undefined> {
  const [row] = await tx
    .select()
    .from(deviceAuthorizations)
    .where(eq(deviceAuthorizations.deviceCodeHash, deviceCodeHash))
    .for('update')
  return row
}

export async function lockByUserCode(
  tx: Tx,
  userCode: string,
): Promise<DeviceAuthorization | undefined> {
  const [row] = await tx
    .select()
    .from(deviceAuthorizations)
    .where(eq(deviceAuthorizations.userCode, userCode))
    .for('update')
  return row
}

export async function update(
  tx: Tx,
  id: DeviceAuthorizationId,
  change: Partial<typeof deviceAuthorizations.$inferInsert>,
) {
  await tx.update(deviceAuthorizations).set(change).where(eq(deviceAuthorizations.id, id))
}

export async function remove(tx: Tx, id: DeviceAuthorizationId) {
  await tx.delete(deviceAuthorizations).where(eq(deviceAuthorizations.id, id))
}

export async function removeOfUser(tx: Tx, userId: UserId) {
  await tx.delete(deviceAuthorizations).where(eq(deviceAuthorizations.userId, userId))
}

export async function removeExpired(db: Db, now: Date) {
  await db.delete(deviceAuthorizations).where(lte(deviceAuthorizations.expiresAt, now))
}
