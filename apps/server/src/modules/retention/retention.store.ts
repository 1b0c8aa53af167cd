import type { UserId } from '@slipway/contract/account'
import { and, asc, eq, isNull, lte, not, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { users } from '../account/account.schema.ts'

/** Not verified, and retained by no module. */
const isRemovable = (keepsUser: readonly SQL[]) =>
  and(isNull(users.verifiedAt), ...keepsUser.map(not))

/** The removable users that were created at `createdUntil` or earlier, oldest first. */
export async function listRemovable(
  db: Db,
  keepsUser: readonly SQL[],
  createdUntil: Date,
  limit: number,
): Promise<UserId[]> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isRemovable(keepsUser), lte(users.createdAt, createdUntil)))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

export async function findRemovable(
  db: Db,
  keepsUser: readonly SQL[],
  email: string,
): Promise<UserId | undefined> {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(isRemovable(keepsUser), eq(users.email, email)))
  return user?.id
}
