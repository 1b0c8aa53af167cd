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

function failureOf({ removedAt, behavior }: SandboxCard): PaymentFailure | null {
  if (removedAt) return 'card_not_usable'
  return behavior === 'declines' ? 'card_declined' : null
}

/**
 * Stores the charge, or returns the earlier one with the same key, and its card's behavior.
 * Undefined for an unknown token.
 */
export const charge = (
  db: Db,
  request: Pick<SandboxCharge, 'idempotencyKey' | 'token' | 'amount' | 'createdAt'>,
) =>
  db.transaction(async (tx) => {
    const [card] = await tx
      .select()
      .from(sandboxCards)
      .where(eq(sandboxCards.token, request.token))
      .for('share')
    if (!card) return undefined
    const [inserted] = await tx
      .insert(sandboxCharges)
      .values({ ...request, failure: failureOf(card), chargeId: newId() })
      .onConflictDoNothing({ target: sandboxCharges.idempotencyKey })
      .returning()
    const charge = inserted ?? (await findCharge(tx, request.idempotencyKey))
    if (!charge) throw new Error('the charge was neither stored nor found')
    return { charge, behavior: card.behavior }
  })
