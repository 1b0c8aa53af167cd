import type { UserId } from '@slipway/contract/account'
import { type MoveStep, moveFailures, moveSteps } from '@slipway/contract/project-moves'
import {
  type ProjectFailure,
  type ProjectId,
  type ProjectStep,
  projectFailures,
  projectStates,
  suspensionReasons,
} from '@slipway/contract/projects'
import { runtimes } from '@slipway/contract/runtimes'
import type { TeamId } from '@slipway/contract/teams'
import { and, notInArray, sql } from 'drizzle-orm'
import {
  index,
  integer,
  jsonb,
  type PgColumn,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, time, updatedAt } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { teams } from '../teams/teams.schema.ts'

type Columns = Record<'state' | 'failure' | 'generation' | 'appliedGeneration', PgColumn>

/** True for a project that differs from its desired state, or whose failure must be rechecked. */
export const unsettled = ({ state, failure, generation, appliedGeneration }: Columns) => sql`(
  ${state} in ('pending', 'creating', 'modifying', 'deleting')
  or ${state} = 'ready' and (${appliedGeneration} < ${generation} or ${failure} is not null)
  or ${state} in ('failed_creating', 'deleted') and ${appliedGeneration} > 0
)`

/** True for a project whose instance was applied in the engine, running or stopped. */
export const applied = ({ state, appliedGeneration }: Columns) =>
  sql`(${state} in ('ready', 'modifying') and ${appliedGeneration} > 0)`

/** True for a project whose site should run, once it is created. */
export const powered = ({ power, suspension }: Record<'power' | 'suspension', PgColumn>) =>
  sql`(${power} = 'running' and ${suspension} is null)`

/** True for a created project whose site may write files. */
export const backedUpDaily = ({ state, runtime }: Record<'state' | 'runtime', PgColumn>) => sql`(
  ${state} in ('ready', 'modifying') and ${runtime} <> 'static'
)`

export const isOpen = ({ finishedAt }: Record<'finishedAt', PgColumn>) => sql`${finishedAt} is null`

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
    /** The cluster that runs it: `local` on this machine, `default` without KUBERNETES_CLUSTERS. */
    cluster: text().notNull().default('default'),
    name: text().notNull(),
    /** The host of the primary domain, for lists and for servers of 0.1.0; `domains` decides. */
    domain: text(),
    runtime: text({ enum: runtimes }).notNull().default('starter'),
    /** The files of the live release: SHA-256 of its archive; null before the first. */
    artifact: text(),
    state: text({ enum: projectStates }).notNull(),
    failure: text({ enum: projectFailures }),
    /** How often its program has crashed in a row; 0 unless users see it. */
    crashes: integer().notNull().default(0),
    crashedAt: time(),
    /** What the customer requests; a suspended project does not run either way. */
    power: text({ enum: ['running', 'stopped'] })
      .notNull()
      .default('running'),
    /** Why the service suspended the project; null unless it is suspended. */
    suspension: text({ enum: suspensionReasons }),
    /** The operators' note on the suspension, which members never see. */
    suspensionNote: text(),
    /** How often a restart was requested: the engine restarts the site when it increments. */
    restarts: integer().notNull().default(0),
    /** The engine's metadata from when the instance became ready. */
    metadata: jsonb().$type<{ key: string; value: string }[]>().notNull().default([]),
    /** The version of the desired state: each change increments it. */
    generation: integer().notNull().default(1),
    /** The last generation applied in the engine; 0 when it has no instance of the project. */
    appliedGeneration: integer().notNull().default(0),
    /** When a transitional state fails. */
    deadlineAt: time(),
    /** When the next daily backup of its files is due; null before the first. */
    backupDueAt: time(),
    /** Null when the request had no idempotency key. */
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
    // Each scrape of the metrics counts the states, from the index alone.
    index('projects_state')
      .on(table.state, table.updatedAt)
      .where(sql`${table.state} <> 'deleted'`),
    // Each creation counts the projects in the clusters of its region.
    index('projects_cluster').on(table.cluster).where(sql`${table.state} <> 'deleted'`),
    // Other modules remove their rows of a project soon after its deletion.
    index('projects_deleted').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
    // The sweep reads both every few seconds: partial indexes stay small with any number of
    // projects.
    index('projects_unsettled').on(table.deadlineAt, table.id).where(unsettled(table)),
    index('projects_backup_due').on(table.backupDueAt, table.id).where(backedUpDaily(table)),
    index('projects_applied').on(table.key, table.id).where(applied(table)),
  ],
)

/** The steps that only clean up, which users do not see: requests reach the right cluster. */
const cleanUpSteps: MoveStep[] = ['clean', 'discard']

/** True for an open move that users see: requests do not go to the other cluster yet. */
export const isUnderway = (move: Pick<typeof projectMoves, 'finishedAt' | 'step'>) =>
  and(isOpen(move), notInArray(move.step, cleanUpSteps))

/**
 * The newest move of each project to another cluster: the desired state of an open one, until it
 * has finished.
 */
export const projectMoves = pgTable(
  'project_moves',
  {
    projectId: uuid()
      .$type<ProjectId>()
      .primaryKey()
      .references(() => projects.id),
    /** A new id for each move. It names the archive of the files. */
    id: uuid().notNull(),
    source: text().notNull(),
    target: text().notNull(),
    step: text({ enum: moveSteps }).notNull(),
    /** Since when gateways show that the site starts, and the reconciler leaves it alone. */
    pausedAt: time(),
    /** The SHA-256 of the archive, once it is complete. */
    digest: text(),
    failure: text({ enum: moveFailures }),
    detail: text(),
    /** How often its step has failed. */
    attempts: integer().notNull().default(0),
    retryAt: time().notNull(),
    /** Until when requests must go to the target. */
    deadlineAt: time().notNull(),
    requestedBy: uuid()
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    requestedAt: time().notNull(),
    finishedAt: time(),
  },
  (table) => [
    // Every few seconds the timer reads the moves to continue, and gateways the paused ones.
    index('project_moves_open').on(table.retryAt, table.projectId).where(isOpen(table)),
  ],
)

export type StepRecord = {
  step: ProjectStep
  /** Null for a step that has not started. */
  startedAt: string | null
  finishedAt: string | null
  failure: ProjectFailure | null
}

export const projectCreations = pgTable('project_creations', {
  projectId: uuid()
    .$type<ProjectId>()
    .primaryKey()
    .references(() => projects.id),
  attempt: integer().notNull(),
  steps: jsonb().$type<StepRecord[]>().notNull(),
})
