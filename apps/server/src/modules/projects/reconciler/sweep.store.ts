import type { ProjectFailure, ProjectId } from '@slipway/contract/projects'
import { and, eq, gt, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../db/connect.ts'
import { applied, powered, projects, unsettled } from '../projects.schema.ts'

/** A part of an order: after `after`, up to and including `upTo`. */
export type Range<Key> = { after: Key | undefined; upTo: Key | undefined }

/**
 * The next `limit` keys of an order after `last`, starting over at its end. A batch never has a key
 * twice, and repeated batches reach every key.
 */
export async function nextInTurn<Key extends string>(
  last: string | undefined,
  limit: number,
  list: (range: Range<string>, limit: number) => Promise<Key[]>,
): Promise<Key[]> {
  const rest = await list({ after: last, upTo: undefined }, limit)
  if (last === undefined || rest.length === limit) return rest
  return [...rest, ...(await list({ after: undefined, upTo: last }, limit - rest.length))]
}

const within = (column: PgColumn, { after, upTo }: Range<string>) =>
  and(
    after === undefined ? undefined : gt(column, after),
    upTo === undefined ? undefined : lte(column, upTo),
  )

/** The unsettled projects with the earliest deadlines. */
export async function listWithDeadline(db: Db, limit: number): Promise<ProjectId[]> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(unsettled(projects), isNotNull(projects.deadlineAt)))
    .orderBy(projects.deadlineAt, projects.id)
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Unsettled projects without a deadline, by id. */
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

/** The keys of projects whose instance should run, in order. Reads them from an index. */
export async function listApplied(db: Db, range: Range<string>, limit: number): Promise<string[]> {
  const rows = await db
    .select({ key: projects.key })
    .from(projects)
    .where(and(applied(projects), powered(projects), within(projects.key, range)))
    .orderBy(projects.key)
    .limit(limit)
  return rows.map(({ key }) => key)
}

/** Locks the rows that are free; locked ones are left to the next sweep. */
const lockFree = (db: Db, which: SQL | undefined) =>
  db.select({ id: projects.id }).from(projects).where(which).for('update', { skipLocked: true })

/** Marks projects as not applied, if they still should run; returns their keys. */
export async function markMissing(db: Db, keys: readonly string[]) {
  if (keys.length === 0) return []
  const which = and(
    sql`${projects.key} = any(${sql.param(keys)}::text[])`,
    applied(projects),
    powered(projects),
  )
  const marked = await db
    .update(projects)
    .set({ appliedGeneration: 0 })
    .where(inArray(projects.id, lockFree(db, which)))
    .returning({ key: projects.key })
  return marked.map((row) => row.key)
}

/** Sets the failure of a ready project without one; resolves with its id if it did. */
export async function markFailing(
  tx: Tx,
  key: string,
  failure: ProjectFailure,
): Promise<ProjectId | undefined> {
  const [marked] = await tx
    .update(projects)
    .set({ failure })
    .where(
      and(
        eq(projects.key, key),
        eq(projects.state, 'ready'),
        isNull(projects.failure),
        powered(projects),
      ),
    )
    .returning({ id: projects.id })
  return marked?.id
}

/** Marks deleted projects that still have an instance for cleanup; returns their keys. */
export async function markOrphaned(db: Db, keys: readonly string[]) {
  if (keys.length === 0) return []
  const which = and(
    sql`${projects.key} = any(${sql.param(keys)}::text[])`,
    eq(projects.state, 'deleted'),
    eq(projects.appliedGeneration, 0),
  )
  const marked = await db
    .update(projects)
    .set({ appliedGeneration: 1 })
    .where(inArray(projects.id, lockFree(db, which)))
    .returning({ key: projects.key })
  return marked.map((row) => row.key)
}
