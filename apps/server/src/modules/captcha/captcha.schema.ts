import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/** Challenges that were solved and handed in: the primary key lets each count once, on any server. */
export const spentCaptchas = pgTable(
  'spent_captchas',
  { signature: text().primaryKey(), expiresAt: time().notNull() },
  (table) => [index('spent_captchas_expires').on(table.expiresAt)],
)
