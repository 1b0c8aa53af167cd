import { pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt } from '../../db/columns.ts'

/** Keys shared by all server processes, created on first use. */
export const secrets = pgTable('secrets', {
  name: text().primaryKey(),
  value: bytes().notNull(),
  createdAt,
})
