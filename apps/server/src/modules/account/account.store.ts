import type { LoginKind, UserId } from '@slipway/contract/account'
import type { Locale } from '@slipway/phrases'
import { and, eq, isNull, like, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { users } from './account.schema.ts'

export type User = typeof users.$inferSelect

export async function find(db: Db, id: UserId): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

/** `email` is folded. */
export async function findByEmail(db: Db, email: string): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  return user
}

/** Serializes the choice of a username with this prefix until the transaction ends. */
export const lockUsername = (tx: Tx, prefix: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`username ${prefix}`}, 0))`)

/** The name if it is free, else the name with the next free number: `a.3`. */
export async function nextUsername(db: Db, name: string): Promise<string> {
  const username = sql`lower(${users.username})`
  const suffix = sql`substring(${username} from char_length(${name}::text) + 2)`
  const [row] = await db
    .select({
      taken: sql<boolean | null>`bool_or(${username} = ${name})`,
      // An address may itself end with a number, of any length: hence numeric, not integer.
      next: sql<string | null>`(max(coalesce(nullif(${suffix}, '')::numeric, 1)) + 1)::text`,
    })
    .from(users)
    .where(
      or(
        eq(username, name),
        and(
          like(username, `${name.replace(/[\\%_]/g, '\\$&')}.%`),
          sql`${suffix} ~ '^[1-9][0-9]*$'`,
        ),
      ),
    )
  return row?.taken ? `${name}.${row.next}` : name
}

export async function insert(
  db: Db,
  user: {
    name: string
    username: string
    email: string
    loginKind: LoginKind
    passwordHash: string | null
    locale: Locale
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

/** Leaves `updatedAt` alone: the user changed nothing. */
export async function setLocale(db: Db, id: UserId, locale: Locale) {
  await db.update(users).set({ locale }).where(eq(users.id, id))
}

/** False when the account signs in with an outside provider. */
export async function setPassword(db: Db, id: UserId, passwordHash: string, now: Date) {
  const changed = await db
    .update(users)
    .set({
      passwordHash,
      verifiedAt: sql`coalesce(${users.verifiedAt}, ${now.toISOString()})`,
      updatedAt: now,
    })
    .where(and(eq(users.id, id), eq(users.loginKind, 'Email')))
    .returning({ id: users.id })
  return changed.length === 1
}

/** False, without a change, when `current` is no longer the stored hash. */
export async function replacePassword(
  db: Db,
  id: UserId,
  { current, next }: { current: string | null; next: string },
  now: Date,
): Promise<boolean> {
  if (current === null) return false
  const changed = await db
    .update(users)
    .set({ passwordHash: next, updatedAt: now })
    .where(and(eq(users.id, id), eq(users.passwordHash, current)))
    .returning({ id: users.id })
  return changed.length === 1
}

/** False when the password has changed or the user was deleted. */
export async function lockPassword(tx: Tx, id: UserId, passwordHash: string | null) {
  const [user] = await tx
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, id))
    .for('share')
  return user !== undefined && user.passwordHash === passwordHash
}

export async function setVerified(db: Db, id: UserId, now: Date) {
  await db.update(users).set({ verifiedAt: now, updatedAt: now }).where(eq(users.id, id))
}

export async function lockUnverified(tx: Tx, id: UserId): Promise<User | undefined> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.verifiedAt)))
    .for('update')
  return user
}

/** Foreign keys remove the rest of the user's data. */
export async function remove(tx: Tx, id: UserId) {
  await tx.delete(users).where(eq(users.id, id))
}
