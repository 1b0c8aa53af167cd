import type { UserId } from '@slipway/contract/account'
import {
  type ProjectFailure,
  type ProjectId,
  type ProjectStep,
  projectFailures,
  projectStates,
} from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { sql } from 'drizzle-orm'
import {
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { teams } from '../teams/teams.schema.ts'

type Columns = Record<'state' | 'failure' | 'generation' | 'appliedGeneration', PgColumn>

/** True for a project that is not what was asked for: there is something to do, or to ask again. */
export const unsettled = ({ state, failure, generation, appliedGeneration }: Columns) => sql`(
  ${state} in ('pending', 'creating', 'modifying', 'deleting')
  or ${state} = 'ready' and (${appliedGeneration} < ${generation} or ${failure} is not null)
  or ${state} in ('failed_creating', 'deleted') and ${appliedGeneration} > 0
)`

/** True for a project that the engine runs an instance of. */
export const applied = ({ state, appliedGeneration }: Columns) =>
  sql`(${state} in ('ready', 'modifying') and ${appliedGeneration} > 0)`

export const projects = pgTable(
  'projects',
  {
    id: uuid().$type<ProjectId>().primaryKey(),
    teamId: uuid()
      .$type<TeamId>()
      .notNull()
      .references(() => teams.id),
    key: text().notNull().unique('projects_key'),
    regionId: text().notNull(),
    name: text().notNull(),
    domain: text(),
    state: text({ enum: projectStates }).notNull(),
    failure: text({ enum: projectFailures }),
    /** What the engine said of the instance when it became ready. */
    metadata: jsonb().$type<{ key: string; value: string }[]>().notNull().default([]),
    /** Counts what was asked for: a reconciler that read an older one has not finished. */
    generation: integer().notNull().default(1),
    /** The generation that the engine has taken up; 0 when it holds nothing of the project. */
    appliedGeneration: integer().notNull().default(0),
    /** When a passing state ends as a failure. */
    deadlineAt: time(),
    /** Who sent the key below; null when the request came without one. */
    idempotencyUserId: uuid()
      .$type<UserId>()
      .references(() => users.id),
    idempotencyKey: uuid(),
    createdAt,
    updatedAt,
    deletedAt: time(),
  },
  (table) => [
    unique('projects_idempotency').on(table.idempotencyUserId, table.idempotencyKey),
    index('projects_team').on(table.teamId, table.createdAt, table.id),
    // A domain belongs to one project until that one is deleted; two requests cannot both win it.
    uniqueIndex('projects_domain')
      .on(table.domain)
      .where(sql`${table.domain} is not null and ${table.state} <> 'deleted'`),
    // Both are read every few seconds: they hold what is looked for and nothing else, however many
    // projects there are.
    index('projects_unsettled').on(table.deadlineAt, table.id).where(unsettled(table)),
    index('projects_applied').on(table.key, table.id).where(applied(table)),
  ],
)

/** One step of a creation; its times are ISO 8601. */
export type StepRecord = {
  step: ProjectStep
  /** Null while it waits, and for a step that was never come to. */
  startedAt: string | null
  finishedAt: string | null
  failure: ProjectFailure | null
}

/** How the creation of a project gets on, or went: one row, of its newest attempt. */
export const projectCreations = pgTable('project_creations', {
  projectId: uuid()
    .$type<ProjectId>()
    .primaryKey()
    .references(() => projects.id),
  attempt: integer().notNull(),
  steps: jsonb().$type<StepRecord[]>().notNull(),
})
