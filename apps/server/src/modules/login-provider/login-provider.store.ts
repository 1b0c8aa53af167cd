import { desc, eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { accessTokens, authorizationCodes, signingKeys } from './login-provider.schema.ts'

export type AuthorizationCode = typeof authorizationCodes.$inferSelect
export type SigningKey = typeof signingKeys.$inferSelect

export async function insertCode(db: Db, code: typeof authorizationCodes.$inferInsert) {
  await db.insert(authorizationCodes).values(code)
}

/** Locks the code: of two concurrent redemptions the second waits, then finds it used. */
export async function lockCode(tx: Tx, codeHash: Buffer): Promise<AuthorizationCode | undefined> {
  const [code] = await tx
    .select()
    .from(authorizationCodes)
    .where(eq(authorizationCodes.codeHash, codeHash))
    .for('update')
  return code
}

export async function redeemCode(tx: Tx, codeHash: Buffer, now: Date) {
  await tx
    .update(authorizationCodes)
    .set({ usedAt: now })
    .where(eq(authorizationCodes.codeHash, codeHash))
}

export async function insertToken(db: Db, token: typeof accessTokens.$inferInsert) {
  await db.insert(accessTokens).values(token)
}

export async function findToken(db: Db, tokenHash: Buffer) {
  const [token] = await db.select().from(accessTokens).where(eq(accessTokens.tokenHash, tokenHash))
  return token
}

export async function removeTokensOfCode(tx: Tx, codeHash: Buffer) {
  await tx.delete(accessTokens).where(eq(accessTokens.codeHash, codeHash))
}

/** Removes codes that expired before this time, with their tokens. */
export async function removeExpired(db: Db, before: Date) {
  await db.delete(authorizationCodes).where(lt(authorizationCodes.expiresAt, before))
}

/** Newest first. */
export const listKeys = (db: Db) =>
  db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt), desc(signingKeys.kid))

export const lockKeys = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('signing keys', 0))`)

export async function insertKey(
  db: Db,
  key: Omit<typeof signingKeys.$inferInsert, 'privateKey'>,
): Promise<SigningKey> {
  const [created] = await db.insert(signingKeys).values(key).returning()
  if (!created) throw new Error('a signing key was not stored')
  return created
}

export async function removeKeysBefore(db: Db, time: Date) {
  await db.delete(signingKeys).where(lt(signingKeys.createdAt, time))
}
