import type { UserId } from '@slipway/contract/account'
import { and, eq, inArray, isNull, lt } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { type EmailTokenKind, emailTokens } from './auth.schema.ts'

export async function insertToken(
  db: Db,
  token: { tokenHash: Buffer; kind: EmailTokenKind; userId: UserId; expiresAt: Date },
  now: Date,
) {
  await db.insert(emailTokens).values({ ...token, createdAt: now })
}

type Kinds = readonly EmailTokenKind[]

const isToken = (kinds: Kinds, tokenHash: Buffer) =>
  and(eq(emailTokens.tokenHash, tokenHash), inArray(emailTokens.kind, [...kinds]))

export async function findToken(db: Db, kinds: Kinds, tokenHash: Buffer) {
  const [token] = await db.select().from(emailTokens).where(isToken(kinds, tokenHash))
  return token
}

/** Locks the token: of two concurrent uses the second waits, then finds it used. */
export async function lockToken(tx: Tx, kinds: Kinds, tokenHash: Buffer) {
  const [token] = await tx.select().from(emailTokens).where(isToken(kinds, tokenHash)).for('update')
  return token
}

export async function redeemTokens(db: Db, userId: UserId, kinds: Kinds, now: Date) {
  await db
    .update(emailTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(emailTokens.userId, userId),
        inArray(emailTokens.kind, [...kinds]),
        isNull(emailTokens.usedAt),
      ),
    )
}

export async function removeExpired(db: Db, before: Date) {
  await db.delete(emailTokens).where(lt(emailTokens.expiresAt, before))
}
