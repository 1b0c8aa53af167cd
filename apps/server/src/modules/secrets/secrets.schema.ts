import { sql } from 'drizzle-orm'
import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt } from '../../db/columns.ts'

/** Keys shared by all server processes, created on first use. */
export const secrets = pgTable(
  'secrets',
  {
    name: text().primaryKey(),
    sealedValue: text(),
    /** The value as an older version stored it; null once it is sealed. */
    value: bytes(),
    createdAt,
  },
  (table) => [index('secrets_plain').on(table.name).where(sql`${table.value} is not null`)],
)

/**
 * The keys that sealed values of this database need: a server without one of them does not start.
 */
export const sealingKeys = pgTable('sealing_keys', { id: text().primaryKey(), createdAt })
