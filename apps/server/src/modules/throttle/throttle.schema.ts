import { bigserial, index, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/** Rate-limited actions, one row per use. */
export const attempts = pgTable(
  'attempts',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    /** The counted action, such as `mail:verify:ada@example.com`. */
    subject: text().notNull(),
    attemptedAt: time('at').notNull(),
  },
  (table) => [
    index('attempts_subject_at').on(table.subject, table.attemptedAt),
    // For the removal of attempts older than the window.
    index('attempts_at').on(table.attemptedAt),
  ],
)
