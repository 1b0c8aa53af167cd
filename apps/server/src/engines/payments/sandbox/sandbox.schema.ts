import { paymentFailures } from '@slipway/contract/invoices'
import { numeric, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, time } from '../../../db/columns.ts'

/** The outcome of charges of a card. The card number decides it, and is not stored. */
export const sandboxBehaviors = ['charges', 'declines', 'times_out'] as const

// Tables of the sandbox payment gateway; only it reads and writes them.

export const sandboxCards = pgTable('sandbox_cards', {
  token: text().primaryKey(),
  behavior: text('behaviour', { enum: sandboxBehaviors }).notNull(),
  removedAt: time(),
  createdAt,
})

export const sandboxCharges = pgTable('sandbox_charges', {
  idempotencyKey: text().primaryKey(),
  token: text()
    .notNull()
    .references(() => sandboxCards.token),
  amount: numeric({ precision: 20, scale: 2 }).notNull(),
  /** Null when the card was charged. */
  failure: text({ enum: paymentFailures }),
  chargeId: text().notNull().unique(),
  createdAt,
})
