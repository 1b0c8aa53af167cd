import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import type { SigningAlgorithm } from '@slipway/contract/sign-in-clients'
import { desc, eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import {
  accessTokens,
  authorizationCodes,
  type OfflineGrantId,
  offlineGrants,
  refreshTokens,
  rsaSigningKeys,
  signingKeys,
} from './login-provider.schema.ts'

export type AuthorizationCode = typeof authorizationCodes.$inferSelect
export type AccessToken = typeof accessTokens.$inferSelect
export type OfflineGrant = typeof offlineGrants.$inferSelect
export type RefreshToken = typeof refreshTokens.$inferSelect
/** `privateKey` is the unsealed key of a row that version 0.1.0 stored; null once it is sealed. */
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

export async function findToken(db: Db, tokenHash: Buffer): Promise<AccessToken | undefined> {
  const [token] = await db.select().from(accessTokens).where(eq(accessTokens.tokenHash, tokenHash))
  return token
}

export async function removeToken(db: Db, tokenHash: Buffer) {
  await db.delete(accessTokens).where(eq(accessTokens.tokenHash, tokenHash))
}

/** Removes the access tokens and the grant of a code. Lock order: the grant first. */
export async function removeTokensOfCode(tx: Tx, codeHash: Buffer) {
  await tx.delete(offlineGrants).where(eq(offlineGrants.codeHash, codeHash))
  await tx.delete(accessTokens).where(eq(accessTokens.codeHash, codeHash))
}

export async function insertGrant(
  tx: Tx,
  grant: Omit<typeof offlineGrants.$inferInsert, 'id'>,
): Promise<OfflineGrantId> {
  const id = newId<'OfflineGrant'>()
  await tx.insert(offlineGrants).values({ ...grant, id })
  return id
}

/** Locks the grant: of two concurrent refreshes the second waits, then finds its token used. */
export async function lockGrant(tx: Tx, id: OfflineGrantId): Promise<OfflineGrant | undefined> {
  const [grant] = await tx
    .select()
    .from(offlineGrants)
    .where(eq(offlineGrants.id, id))
    .for('update')
  return grant
}

export async function findGrant(db: Db, id: OfflineGrantId): Promise<OfflineGrant | undefined> {
  const [grant] = await db.select().from(offlineGrants).where(eq(offlineGrants.id, id))
  return grant
}

export async function removeGrant(db: Db, id: OfflineGrantId) {
  await db.delete(offlineGrants).where(eq(offlineGrants.id, id))
}

/** Removes the grants of a user with their tokens, and the access tokens without a grant. */
export async function removeGrantsOfUser(tx: Tx, userId: UserId) {
  await tx.delete(offlineGrants).where(eq(offlineGrants.userId, userId))
  await tx.delete(accessTokens).where(eq(accessTokens.userId, userId))
}

export async function insertRefreshToken(tx: Tx, token: typeof refreshTokens.$inferInsert) {
  await tx.insert(refreshTokens).values(token)
}

export async function findRefreshToken(
  db: Db,
  tokenHash: Buffer,
): Promise<RefreshToken | undefined> {
  const [token] = await db
    .select()
    .from(refreshTokens)
    .where(eq(refreshTokens.tokenHash, tokenHash))
  return token
}

export async function redeemRefreshToken(tx: Tx, tokenHash: Buffer, now: Date) {
  await tx.update(refreshTokens).set({ usedAt: now }).where(eq(refreshTokens.tokenHash, tokenHash))
}

export async function removeGrantsOfProject(tx: Tx, projectId: ProjectId) {
  await tx.delete(offlineGrants).where(eq(offlineGrants.projectId, projectId))
}

/** Removes codes with their tokens, tokens and grants that expired before this time. */
export async function removeExpired(db: Db, before: Date) {
  await db.delete(authorizationCodes).where(lt(authorizationCodes.expiresAt, before))
  await db.delete(accessTokens).where(lt(accessTokens.expiresAt, before))
  await db.delete(refreshTokens).where(lt(refreshTokens.expiresAt, before))
  await db.delete(offlineGrants).where(lt(offlineGrants.expiresAt, before))
}

/** Newest first. */
export const listKeys = async (db: Db, algorithm: SigningAlgorithm): Promise<SigningKey[]> => {
  if (algorithm === 'ES256')
    return db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt), desc(signingKeys.kid))
  const keys = await db
    .select()
    .from(rsaSigningKeys)
    .orderBy(desc(rsaSigningKeys.createdAt), desc(rsaSigningKeys.kid))
  return keys.map((key) => ({ ...key, privateKey: null }))
}

export const lockKeys = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('signing keys', 0))`)

export async function insertKey(
  db: Db,
  algorithm: SigningAlgorithm,
  key: { kid: string; sealedPrivateKey: string; createdAt: Date },
): Promise<SigningKey> {
  await db.insert(algorithm === 'ES256' ? signingKeys : rsaSigningKeys).values(key)
  return { ...key, privateKey: null }
}

export async function removeKeysBefore(db: Db, algorithm: SigningAlgorithm, time: Date) {
  const table = algorithm === 'ES256' ? signingKeys : rsaSigningKeys
  await db.delete(table).where(lt(table.createdAt, time))
}
