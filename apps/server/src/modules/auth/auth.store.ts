import type { UserId } from '@slipway/contract/account'
import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { type MailTokenKind, mailTokens } from './auth.schema.ts'

export async function insertToken(
  db: Db,
  token: { tokenHash: Buffer; kind: MailTokenKind; userId: UserId; expiresAt: Date },
  now: Date,
) {
  await db.insert(mailTokens).values({ ...token, createdAt: now })
}

/** The token, locked: of two who use it at once the second waits and then finds it used. */
export async function lockToken(tx: Tx, kind: MailTokenKind, tokenHash: Buffer) {
  const [token] = await tx
    .select()
    .from(mailTokens)
    .where(and(eq(mailTokens.tokenHash, tokenHash), eq(mailTokens.kind, kind)))
    .for('update')
  return token
}

/** Spends every token of the kind that the user still has. */
export async function spendTokens(db: Db, userId: UserId, kind: MailTokenKind, now: Date) {
  await db
    .update(mailTokens)
    .set({ usedAt: now })
    .where(and(eq(mailTokens.userId, userId), eq(mailTokens.kind, kind), isNull(mailTokens.usedAt)))
}

export async function removeExpired(db: Db, before: Date) {
  await db.delete(mailTokens).where(lt(mailTokens.expiresAt, before))
}
