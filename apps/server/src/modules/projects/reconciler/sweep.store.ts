import type { ProjectFailure, ProjectId } from '@slipway/contract/projects'
import { and, eq, gt, inArray, isNotNull, isNull, lte, not, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../db/connect.ts'
import type { Crashes } from '../../../engines/hosting/crashes.ts'
import type { InstanceId } from '../../../engines/hosting/engine.ts'
import { isPausedSql } from '../pauses/pauses.store.ts'
import { applied, powered, projects, unsettled } from '../projects.schema.ts'
import type { Project } from '../projects.store.ts'

/** A range of keys: after `after`, up to and including `upTo`. */
export type Range<Key> = { after: Key | undefined; upTo: Key | undefined }

/**
 * The next `limit` keys of an order after `last`, starting over at its end. A batch never has a key
 * twice, and repeated batches reach every key.
 */
export async function nextInTurn<Row>(
  last: string | undefined,
  limit: number,
  list: (range: Range<string>, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  const remaining = await list({ after: last, upTo: undefined }, limit)
  if (last === undefined || remaining.length === limit) return remaining
  return [...remaining, ...(await list({ after: undefined, upTo: last }, limit - remaining.length))]
}

const within = (column: PgColumn, { after, upTo }: Range<string>) =>
  and(
    after === undefined ? undefined : gt(column, after),
    upTo === undefined ? undefined : lte(column, upTo),
  )

export async function listWithDeadline(db: Db, limit: number): Promise<ProjectId[]> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(unsettled(projects), isNotNull(projects.deadlineAt)))
    .orderBy(projects.deadlineAt, projects.id)
    .limit(limit)
  return rows.map(({ id }) => id)
}

export async function listWithoutDeadline(
  db: Db,
  range: Range<string>,
  limit: number,
): Promise<ProjectId[]> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(unsettled(projects), isNull(projects.deadlineAt), within(projects.id, range)))
    // The order of the index, although no row has a deadline: else PostgreSQL reads every project.
    .orderBy(projects.deadlineAt, projects.id)
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** A project whose instance should run, as the sweep compares it. */
export type AppliedProject = Pick<
  Project,
  'id' | 'teamId' | 'key' | 'cluster' | 'runtime' | 'artifact' | 'failure' | 'crashedAt'
>

/** The projects whose instance should run, by key. Finds them by an index. */
export const listApplied = (
  db: Db,
  range: Range<string>,
  limit: number,
): Promise<AppliedProject[]> =>
  db
    .select({
      id: projects.id,
      teamId: projects.teamId,
      key: projects.key,
      failure: projects.failure,
      crashedAt: projects.crashedAt,
      cluster: projects.cluster,
      runtime: projects.runtime,
      artifact: projects.artifact,
    })
    .from(projects)
    .where(and(applied(projects), powered(projects), within(projects.key, range)))
    .orderBy(projects.key)
    .limit(limit)

/** Locks the rows that are free; locked ones are left to the next sweep. */
const lockFree = (db: Db, condition: SQL | undefined) =>
  db.select({ id: projects.id }).from(projects).where(condition).for('update', { skipLocked: true })

/** Marks projects as not applied, if they still should run; returns their keys. */
export async function markMissing(db: Db, keys: readonly string[]) {
  if (keys.length === 0) return []
  const condition = and(
    sql`${projects.key} = any(${sql.param(keys)}::text[])`,
    applied(projects),
    powered(projects),
    // A site whose files are copied is stopped on purpose.
    not(isPausedSql(projects.id)),
  )
  const marked = await db
    .update(projects)
    .set({ appliedGeneration: 0 })
    .where(inArray(projects.id, lockFree(db, condition)))
    .returning({ key: projects.key })
  return marked.map((row) => row.key)
}

/** Sets the failure of a ready project without one; true if it did. */
export async function markFailing(
  tx: Tx,
  id: ProjectId,
  failure: ProjectFailure,
): Promise<boolean> {
  const [marked] = await tx
    .update(projects)
    .set({ failure })
    .where(
      and(
        eq(projects.id, id),
        eq(projects.state, 'ready'),
        isNull(projects.failure),
        powered(projects),
      ),
    )
    .returning({ id: projects.id })
  return marked !== undefined
}

/** Stores the crashes of a project that shows this failure. An earlier, larger count stays. */
export async function recordCrashes(
  tx: Tx,
  id: ProjectId,
  failure: ProjectFailure,
  { count, lastAt }: Crashes,
): Promise<void> {
  await tx
    .update(projects)
    .set({ crashes: sql`greatest(${projects.crashes}, ${count})`, crashedAt: new Date(lastAt) })
    .where(and(eq(projects.id, id), eq(projects.failure, failure)))
}

/** Marks deleted projects that have one of these instances for cleanup; returns their keys. */
export async function markOrphaned(db: Db, instances: readonly InstanceId[]) {
  if (instances.length === 0) return []
  const keys = sql.param(instances.map(({ key }) => key))
  const clusters = sql.param(instances.map(({ cluster }) => cluster))
  const condition = and(
    sql`(${projects.key}, ${projects.cluster}) in (select * from unnest(${keys}::text[], ${clusters}::text[]))`,
    eq(projects.state, 'deleted'),
    eq(projects.appliedGeneration, 0),
  )
  const marked = await db
    .update(projects)
    .set({ appliedGeneration: 1 })
    .where(inArray(projects.id, lockFree(db, condition)))
    .returning({ key: projects.key })
  return marked.map((row) => row.key)
}
