import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import {
  type ReleaseFailure,
  type ReleaseId,
  type RuleProblem,
  releaseFailures,
  releaseSources,
  releaseStates,
} from '@slipway/contract/releases'
import { runtimes } from '@slipway/contract/runtimes'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, time } from '../../db/columns.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'

/** A line of a release's log, worded when it is read; the time in ISO 8601. */
export type LogLine = { time: string } & (
  | { event: 'received'; bytes: number }
  | { event: 'unpacked'; files: number; bytes: number }
  | { event: 'image'; reference: string }
  /** A line of a file of rules, counted from 1. */
  | { event: 'rule_warning'; file: string; line: number; problem: RuleProblem }
  /** Further warnings, which are not stored. */
  | { event: 'more_warnings'; count: number }
  /** Whether the files of the site were backed up before its program started. */
  | { event: 'backed_up' }
  | { event: 'not_backed_up' }
  | { event: 'live' }
  /** Live, but its site is stopped or suspended. */
  | { event: 'deployed' }
  /** The output of a program of the site. */
  | { event: 'output'; text: string }
)

export const releases = pgTable(
  'releases',
  {
    id: uuid().$type<ReleaseId>().primaryKey(),
    projectId: uuid()
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id),
    number: integer().notNull(),
    runtime: text({ enum: runtimes }).notNull(),
    /** SHA-256 of the archive: the name of the artifact. */
    artifact: text().notNull(),
    state: text({ enum: releaseStates }).notNull(),
    failure: text({ enum: releaseFailures }).$type<ReleaseFailure>(),
    failureDetail: text(),
    source: text({ enum: releaseSources }).notNull(),
    rollbackOf: integer(),
    userId: uuid()
      .$type<UserId>()
      .notNull()
      .references(() => users.id),
    /** Made by a program with a token of the user. */
    byToken: boolean().notNull().default(false),
    archiveBytes: bigint({ mode: 'number' }).notNull(),
    files: integer(),
    bytes: bigint({ mode: 'number' }),
    changes: jsonb().$type<{ added: number; changed: number; removed: number }>(),
    log: jsonb().$type<LogLine[]>().notNull().default([]),
    /** Chosen by the client, so that a repeated request makes one release. */
    idempotencyKey: text(),
    deadlineAt: time().notNull(),
    createdAt,
    finishedAt: time(),
  },
  (table) => [
    unique('releases_number').on(table.projectId, table.number),
    unique('releases_idempotency').on(table.projectId, table.userId, table.idempotencyKey),
    index('releases_artifact').on(table.artifact),
    index('releases_state').on(table.state, table.deadlineAt),
  ],
)
