import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import {
  type SiteBackupId,
  siteRestoreFailures,
  siteRestoreSteps,
} from '@slipway/contract/site-backups'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'

/**
 * The newest restore into each project. While it has a step, the site does not run: gateways show
 * that it starts, and the reconciler leaves it alone.
 */
export const siteRestores = pgTable(
  'site_restores',
  {
    projectId: uuid()
      .$type<ProjectId>()
      .primaryKey()
      .references(() => projects.id),
    /** A new id for each restore. It names the archive of the files. */
    id: uuid().notNull(),
    /** The restored backup, which may be of another project, and may be removed later. */
    backupId: uuid().$type<SiteBackupId>().notNull(),
    backupCreatedAt: time().notNull(),
    /** True for a project that was created from the backup: it has no earlier files. */
    isNewProject: boolean().notNull(),
    /** Null once it has ended. */
    step: text({ enum: siteRestoreSteps }),
    /** The backup of the files that it replaces; null before it is made. */
    earlierBackupId: uuid().$type<SiteBackupId>(),
    failure: text({ enum: siteRestoreFailures }),
    /** How often its step has failed. */
    attempts: integer().notNull().default(0),
    retryAt: time().notNull(),
    /** The time after which it is undone. */
    deadlineAt: time().notNull(),
    requestedBy: uuid()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    byToken: boolean().notNull().default(false),
    /** Of the request, so that a repeated one does not restore again. */
    idempotencyKey: text(),
    requestedAt: time().notNull(),
    finishedAt: time(),
  },
  (table) => [
    // Every few seconds the timer reads the restores to continue, and gateways the paused sites.
    index('site_restores_open')
      .on(table.retryAt, table.projectId)
      .where(sql`${table.step} is not null`),
  ],
)
