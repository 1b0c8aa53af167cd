import { paymentFailures } from '@slipway/contract/invoices'
import { numeric, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, time } from '../../../db/columns.ts'

/** How a card of the sandbox behaves, by the number it was added with, which is kept nowhere. */
export const sandboxBehaviours = ['charges', 'declines', 'times_out'] as const

/** The sandbox gateway's own record. It reads and writes nothing else, and nothing else reads these. */
export const sandboxCards = pgTable('sandbox_cards', {
  token: text().primaryKey(),
  behaviour: text({ enum: sandboxBehaviours }).notNull(),
  removedAt: time(),
  createdAt,
})

export const sandboxCharges = pgTable('sandbox_charges', {
  idempotencyKey: text().primaryKey(),
  token: text()
    .notNull()
    .references(() => sandboxCards.token),
  amount: numeric({ precision: 20, scale: 2 }).notNull(),
  /** Null: the card was charged. */
  failure: text({ enum: paymentFailures }),
  chargeId: text().notNull().unique(),
  createdAt,
})
