import { pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt } from '../../db/columns.ts'

/** Keys that every server process must share, made at first use. */
export const secrets = pgTable('secrets', {
  name: text().primaryKey(),
  value: bytes().notNull(),
  createdAt,
})
