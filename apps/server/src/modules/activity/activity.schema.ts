import type { UserId } from '@slipway/contract/account'
import { activityActors, activityKinds } from '@slipway/contract/activity'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { sql } from 'drizzle-orm'
import { bigserial, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import { teams } from '../teams/teams.schema.ts'

/** Who changed what, and when: a row for each change, written in its transaction. */
export const activity = pgTable(
  'activity',
  {
    /** The order of the entries: several may have the same time. */
    position: bigserial({ mode: 'bigint' }).primaryKey(),
    kind: text({ enum: activityKinds }).notNull(),
    /** The team whose members read the entry; null for a change of an account. */
    teamId: uuid()
      .$type<TeamId>()
      .references(() => teams.id, { onDelete: 'cascade' }),
    projectId: uuid()
      .$type<ProjectId>()
      .references(() => projects.id),
    /** The user whose account was changed, such as a card; no other user reads the entry. */
    accountId: uuid()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'cascade' }),
    actor: text({ enum: activityActors }).notNull(),
    /** The user, also of a token and an operator; null for the service and a deleted account. */
    actorId: uuid()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    /** The kinds in the contract define these. */
    subject: text(),
    before: text(),
    after: text(),
    requestId: text(),
    createdAt,
  },
  (table) => [
    check('activity_readers', sql`(${table.teamId} is null) <> (${table.accountId} is null)`),
    index('activity_team').on(table.teamId, table.position),
    index('activity_project').on(table.projectId, table.position),
    index('activity_account').on(table.accountId, table.position),
    // For the removal of an account.
    index('activity_actor').on(table.actorId),
    // For the removal of old entries.
    index('activity_created').on(table.createdAt),
  ],
)
