import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import { runtimes } from '@slipway/contract/runtimes'
import {
  type SiteBackupId,
  siteBackupCauses,
  siteBackupFailures,
  siteBackupStates,
} from '@slipway/contract/site-backups'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'

/** The backups of sites. Their files are in a store outside the database. */
export const siteBackups = pgTable(
  'site_backups',
  {
    id: uuid().$type<SiteBackupId>().primaryKey(),
    projectId: uuid()
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id),
    state: text({ enum: siteBackupStates }).notNull(),
    cause: text({ enum: siteBackupCauses }).notNull(),
    failure: text({ enum: siteBackupFailures }),
    /** What the site ran: a new project from the backup runs the same. */
    runtime: text({ enum: runtimes }).notNull(),
    artifact: text(),
    /** The number of the live release; null without one. */
    release: integer(),
    userId: uuid()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    byToken: boolean().notNull().default(false),
    /** Where the file is: a folder or bucket; null for the data folder, and until it is stored. */
    location: text(),
    /** The key that opens the file, sealed. Null until it is stored. */
    sealed: text(),
    /** The SHA-256 of the archive before its encryption. */
    digest: text(),
    bytes: bigint({ mode: 'number' }),
    idempotencyKey: text(),
    deadlineAt: time().notNull(),
    createdAt,
    finishedAt: time(),
    /** The last time that the site's files were found to be those of the backup. */
    checkedAt: time(),
  },
  (table) => [
    unique('site_backups_idempotency').on(table.projectId, table.userId, table.idempotencyKey),
    index('site_backups_project').on(table.projectId, table.createdAt),
    index('site_backups_artifact').on(table.artifact),
    // The timer reads the unfinished ones every minute.
    index('site_backups_creating').on(table.deadlineAt).where(sql`${table.state} = 'creating'`),
  ],
)
