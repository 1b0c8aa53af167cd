import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/** The complete backups of the service. A restored service knows those before its own. */
export const backups = pgTable('backups', {
  name: text().primaryKey(),
  /** The folder or bucket. */
  location: text().notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
  startedAt: time().notNull(),
  finishedAt: time().notNull(),
})
