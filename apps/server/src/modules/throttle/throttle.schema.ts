import { bigserial, index, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/** What was done that may only be done so often, one row each time. */
export const attempts = pgTable(
  'attempts',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    /** What is counted, such as `mail:verify:ada@example.com`. */
    subject: text().notNull(),
    at: time().notNull(),
  },
  (table) => [index('attempts_subject_at').on(table.subject, table.at)],
)
