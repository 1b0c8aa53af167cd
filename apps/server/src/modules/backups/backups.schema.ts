import { bigint, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'

/** The completed backups. A restored database has only the ones from before its backup. */
export const backups = pgTable('backups', {
  name: text().primaryKey(),
  /** The folder or bucket. */
  location: text().notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
  startedAt: time().notNull(),
  finishedAt: time().notNull(),
})
