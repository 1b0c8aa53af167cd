import type { ProjectId } from '@slipway/contract/projects'
import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/connect.ts'
import { applied, projects, unsettled } from '../projects.schema.ts'

/**
 * The unsettled projects of one sweep, at most 500 with a deadline (earliest first) and 500
 * without. The latter are picked at random, so that projects that stay unsettled cannot starve the
 * rest.
 */
export async function listUnsettled(db: Db): Promise<ProjectId[]> {
  const batchSize = 500
  const withDeadline = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(unsettled(projects), isNotNull(projects.deadlineAt)))
    .orderBy(projects.deadlineAt, projects.id)
    .limit(batchSize)
  const withoutDeadline = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(unsettled(projects), isNull(projects.deadlineAt)))
    .orderBy(sql`random()`)
    .limit(batchSize)
  return [...withDeadline, ...withoutDeadline].map((row) => row.id)
}

/**
 * Compares the engine's instances with the projects that should run. `missing`: projects without a
 * running instance; `orphaned`: keys of instances that no project expects. Reads keys from an
 * index.
 */
export async function compareWithInstances(
  db: Db,
  instances: readonly { key: string; running: boolean }[],
): Promise<{ missing: ProjectId[]; orphaned: string[] }> {
  const keys = sql.param(instances.map(({ key }) => key))
  const running = sql.param(instances.map((instance) => instance.running))
  const { rows } = await db.execute<{ id: ProjectId | null; key: string }>(sql`
    select expected.id, key
    from (select ${projects.id}, ${projects.key} from ${projects} where ${applied(projects)}) as expected
    full join unnest(${keys}::text[], ${running}::boolean[]) as instances (key, running) using (key)
    where expected.id is null or instances.running is not true`)
  return {
    missing: rows.flatMap(({ id }) => (id === null ? [] : [id])),
    orphaned: rows.flatMap(({ id, key }) => (id === null ? [key] : [])),
  }
}

/** Locks the rows that are free; locked ones are left to the next sweep. */
const lockFree = (db: Db, which: SQL | undefined) =>
  db.select({ id: projects.id }).from(projects).where(which).for('update', { skipLocked: true })

/** Marks projects as not applied, if they still should run; returns their keys. */
export async function markMissing(db: Db, ids: readonly ProjectId[]) {
  if (ids.length === 0) return []
  const which = and(sql`${projects.id} = any(${sql.param(ids)}::uuid[])`, applied(projects))
  const marked = await db
    .update(projects)
    .set({ appliedGeneration: 0 })
    .where(inArray(projects.id, lockFree(db, which)))
    .returning({ key: projects.key })
  return marked.map((row) => row.key)
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
