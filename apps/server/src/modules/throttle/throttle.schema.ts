import { bigserial, index, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/** Rate-limited actions, one row per use. */
export const attempts = pgTable(
  'attempts',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    /** The counted action, such as `mail:verify:ada@example.com`. */
    subject: text().notNull(),
    at: time().notNull(),
  },
  (table) => [
    index('attempts_subject_at').on(table.subject, table.at),
    // For the removal of those that have left the window.
    index('attempts_at').on(table.at),
  ],
)
