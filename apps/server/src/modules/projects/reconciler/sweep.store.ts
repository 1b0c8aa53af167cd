import type { ProjectId } from '@slipway/contract/projects'
import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/connect.ts'
import { applied, projects, unsettled } from '../projects.schema.ts'

/**
 * Projects that are not what was asked for, as many as one round of the sweep can have done: those with
 * a deadline by their deadlines, and as many of the others as chance picks, so that none that stays
 * unsettled for long keeps the rest from their turn.
 */
export async function listUnsettled(db: Db): Promise<ProjectId[]> {
  const round = 500
  const passing = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(unsettled(projects), isNotNull(projects.deadlineAt)))
    .orderBy(projects.deadlineAt, projects.id)
    .limit(round)
  const others = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(unsettled(projects), isNull(projects.deadlineAt)))
    .orderBy(sql`random()`)
    .limit(round)
  return [...passing, ...others].map((row) => row.id)
}

/**
 * Compares what the engine holds with what it should: gives the projects whose instances it lacks or
 * does not run, and the keys of those that no project has it run. Reads keys alone, from an index.
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

/** Rows that somebody works on are left for the next time: nobody waits, and no two wait for each other. */
const lockUnlocked = (db: Db, which: SQL | undefined) =>
  db.select({ id: projects.id }).from(projects).where(which).for('update', { skipLocked: true })

/** Notes that the engine does not run these projects; gives the keys of those that it still should. */
export async function markMissing(db: Db, ids: readonly ProjectId[]) {
  if (ids.length === 0) return []
  const which = and(sql`${projects.id} = any(${sql.param(ids)}::uuid[])`, applied(projects))
  const missing = await db
    .update(projects)
    .set({ appliedGeneration: 0 })
    .where(inArray(projects.id, lockUnlocked(db, which)))
    .returning({ key: projects.key })
  return missing.map((row) => row.key)
}

/** Notes that the engine holds something of these keys; gives those of projects that are deleted. */
export async function markOrphaned(db: Db, keys: readonly string[]) {
  if (keys.length === 0) return []
  const which = and(
    sql`${projects.key} = any(${sql.param(keys)}::text[])`,
    eq(projects.state, 'deleted'),
    eq(projects.appliedGeneration, 0),
  )
  const remains = await db
    .update(projects)
    .set({ appliedGeneration: 1 })
    .where(inArray(projects.id, lockUnlocked(db, which)))
    .returning({ key: projects.key })
  return remains.map((row) => row.key)
}
