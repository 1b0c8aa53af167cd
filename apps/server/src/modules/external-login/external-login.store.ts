import type { UserId } from '@slipway/contract/account'
import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { externalIdentities, externalLoginCodes, externalLogins } from './external-login.schema.ts'

export type ExternalLogin = typeof externalLogins.$inferSelect

export async function insertLogin(db: Db, login: ExternalLogin) {
  await db.insert(externalLogins).values(login)
}

/** Removes and returns the login; of two concurrent callbacks only one gets it. */
export async function takeLogin(db: Db, stateHash: Buffer): Promise<ExternalLogin | undefined> {
  const [login] = await db
    .delete(externalLogins)
    .where(eq(externalLogins.stateHash, stateHash))
    .returning()
  return login
}

export async function insertCode(db: Db, code: typeof externalLoginCodes.$inferInsert) {
  await db.insert(externalLoginCodes).values(code)
}

/** Removes and returns the code; of two concurrent uses only one gets it. */
export async function takeCode(db: Db, codeHash: Buffer) {
  const [code] = await db
    .delete(externalLoginCodes)
    .where(eq(externalLoginCodes.codeHash, codeHash))
    .returning()
  return code
}

export async function removeExpired(db: Db, now: Date) {
  await db.delete(externalLoginCodes).where(lt(externalLoginCodes.expiresAt, now))
  await db.delete(externalLogins).where(lt(externalLogins.expiresAt, now))
}

/** Serializes finding or creating the account of an identity. */
export const lockIdentity = (tx: Tx, provider: string, subject: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${subject}`}, 0))`)

export async function findUserId(
  db: Db,
  provider: string,
  subject: string,
): Promise<UserId | undefined> {
  const [identity] = await db
    .select({ userId: externalIdentities.userId })
    .from(externalIdentities)
    .where(and(eq(externalIdentities.provider, provider), eq(externalIdentities.subject, subject)))
  return identity?.userId
}

export async function insertIdentity(
  db: Db,
  identity: { provider: string; subject: string; userId: UserId },
  now: Date,
) {
  await db.insert(externalIdentities).values({ ...identity, createdAt: now })
}
