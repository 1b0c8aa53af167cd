import { paymentFailures } from '@slipway/contract/invoices'
import { numeric, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, time } from '../../../db/columns.ts'

/** How a sandbox card behaves, decided by its number, which is not stored. */
export const sandboxBehaviours = ['charges', 'declines', 'times_out'] as const

/** The sandbox's own record: only the sandbox reads and writes these tables. */
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
  /** Null when the card was charged. */
  failure: text({ enum: paymentFailures }),
  chargeId: text().notNull().unique(),
  createdAt,
})
