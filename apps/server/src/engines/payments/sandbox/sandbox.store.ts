import type { PaymentFailure } from '@slipway/contract/invoices'
import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/connect.ts'
import { newId } from '../../../db/ids.ts'
import { sandboxCards, sandboxCharges } from './sandbox.schema.ts'

type SandboxCard = typeof sandboxCards.$inferSelect
export type SandboxCharge = typeof sandboxCharges.$inferSelect

export async function insertCard(db: Db, card: typeof sandboxCards.$inferInsert) {
  await db.insert(sandboxCards).values(card)
}

export async function removeCard(db: Db, token: string, now: Date) {
  await db
    .update(sandboxCards)
    .set({ removedAt: now })
    .where(and(eq(sandboxCards.token, token), isNull(sandboxCards.removedAt)))
}

export async function findCharge(db: Db, idempotencyKey: string) {
  const [charge] = await db
    .select()
    .from(sandboxCharges)
    .where(eq(sandboxCharges.idempotencyKey, idempotencyKey))
  return charge
}

function failureOf({ removedAt, behaviour }: SandboxCard): PaymentFailure | null {
  if (removedAt) return 'card_not_usable'
  return behaviour === 'declines' ? 'card_declined' : null
}

/**
 * The charge of the key, made now or before, at the same moment too; and how its card behaves. Undefined
 * for a token that no card ever had.
 */
export const charge = (
  db: Db,
  asked: Pick<SandboxCharge, 'idempotencyKey' | 'token' | 'amount' | 'createdAt'>,
) =>
  db.transaction(async (tx) => {
    const [card] = await tx
      .select()
      .from(sandboxCards)
      .where(eq(sandboxCards.token, asked.token))
      .for('share')
    if (!card) return undefined
    const [made] = await tx
      .insert(sandboxCharges)
      .values({ ...asked, failure: failureOf(card), chargeId: newId() })
      .onConflictDoNothing({ target: sandboxCharges.idempotencyKey })
      .returning()
    const found = made ?? (await findCharge(tx, asked.idempotencyKey))
    if (!found) throw new Error('a charge was neither made nor there')
    return { charge: found, behaviour: card.behaviour }
  })
