import type { LoginKind, UserId } from '@slipway/contract/account'
import { eq, like, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { users } from './account.schema.ts'

export type User = typeof users.$inferSelect

export async function find(db: Db, id: UserId): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

/** `email` in lower case. */
export async function findByEmail(db: Db, email: string): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  return user
}

/** Lets one at a time choose among the user names that start like this one. */
export const lockUsername = (tx: Tx, start: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`username ${start}`}, 0))`)

/** The user names that start like this one, in lower case. */
export async function usernamesLike(db: Db, start: string) {
  const rows = await db
    .select({ username: sql<string>`lower(${users.username})` })
    .from(users)
    .where(
      or(
        eq(sql`lower(${users.username})`, start),
        like(sql`lower(${users.username})`, `${start.replace(/[\\%_]/g, '\\$&')}.%`),
      ),
    )
    .limit(10_000)
  return new Set(rows.map((row) => row.username))
}

export async function insert(
  db: Db,
  user: {
    name: string
    username: string
    email: string
    loginKind: LoginKind
    passwordHash: string | null
    verifiedAt: Date | null
  },
  now: Date,
): Promise<User | undefined> {
  const [created] = await db
    .insert(users)
    .values({ id: newId<'User'>(), ...user, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: users.email })
    .returning()
  return created
}

export async function setName(db: Db, id: UserId, name: string, now: Date) {
  const [user] = await db
    .update(users)
    .set({ name, updatedAt: now })
    .where(eq(users.id, id))
    .returning()
  return user
}

export async function setPassword(db: Db, id: UserId, passwordHash: string, now: Date) {
  await db.update(users).set({ passwordHash, updatedAt: now }).where(eq(users.id, id))
}

/** False when the account was verified before. */
export async function setVerified(db: Db, id: UserId, now: Date) {
  const verified = await db
    .update(users)
    .set({ verifiedAt: now, updatedAt: now })
    .where(sql`${users.id} = ${id} and ${users.verifiedAt} is null`)
    .returning({ id: users.id })
  return verified.length === 1
}
