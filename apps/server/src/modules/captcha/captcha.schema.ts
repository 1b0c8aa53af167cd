import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/** Used challenges. The primary key makes each one single-use across servers. */
export const spentCaptchas = pgTable(
  'spent_captchas',
  { signature: text().primaryKey(), expiresAt: time().notNull() },
  (table) => [index('spent_captchas_expires').on(table.expiresAt)],
)
