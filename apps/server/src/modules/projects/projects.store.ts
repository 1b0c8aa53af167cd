import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { teamMembers } from '../teams/teams.schema.ts'
import { applied, projects, unsettled } from './projects.schema.ts'

export type Project = typeof projects.$inferSelect

/** The tenant of every query for a user: projects of the teams they are in. */
const ofUser = (db: Db, userId: UserId) =>
  db
    .select(getTableColumns(projects))
    .from(projects)
    .innerJoin(
      teamMembers,
      and(eq(teamMembers.teamId, projects.teamId), eq(teamMembers.userId, userId)),
    )
    .$dynamic()

const prepareList = (db: Database['db']) =>
  db
    .select(getTableColumns(projects))
    .from(projects)
    .innerJoin(
      teamMembers,
      and(
        eq(teamMembers.teamId, projects.teamId),
        eq(teamMembers.userId, sql.placeholder('userId')),
      ),
    )
    .where(
      or(
        ne(projects.state, 'deleted'),
        gt(projects.deletedAt, sql`${sql.placeholder('deletedSince')}::timestamptz`),
      ),
    )
    .orderBy(desc(projects.createdAt), desc(projects.id))
    .limit(1000)
    .prepare('list_projects')

const lists = new WeakMap<Database['db'], ReturnType<typeof prepareList>>()

/** The user's projects, newest first; a deleted one only when it was deleted after that moment. */
export function listForUser(
  db: Database['db'],
  userId: UserId,
  deletedSince: Date,
): Promise<Project[]> {
  const list = lists.get(db) ?? prepareList(db)
  lists.set(db, list)
  return list.execute({ userId, deletedSince: deletedSince.toISOString() })
}

export async function findByKeyForUser(
  db: Db,
  userId: UserId,
  key: string,
): Promise<Project | undefined> {
  const [project] = await ofUser(db, userId).where(eq(projects.key, key))
  return project
}

/** The project of a site that authenticates by itself, without a user. */
export async function findByKeyForClient(db: Db, key: string): Promise<Project | undefined> {
  const [project] = await db.select().from(projects).where(eq(projects.key, key))
  return project
}

/** The user's project, which nobody else changes until the transaction ends. */
export async function lockForUser(
  tx: Tx,
  userId: UserId,
  id: ProjectId,
): Promise<Project | undefined> {
  const [project] = await ofUser(tx, userId)
    .where(eq(projects.id, id))
    .for('update', { of: projects })
  return project
}

export async function countUndeleted(db: Db, teamId: TeamId) {
  const [row] = await db
    .select({ count: count() })
    .from(projects)
    .where(and(eq(projects.teamId, teamId), ne(projects.state, 'deleted')))
  return row?.count ?? 0
}

/** Undefined when the key is taken; a taken domain violates `projects_domain`. */
export async function insert(
  db: Db,
  project: {
    teamId: TeamId
    key: string
    regionId: string
    name: string
    domain: string | null
    deadlineAt: Date
  },
  now: Date,
): Promise<Project | undefined> {
  const [created] = await db
    .insert(projects)
    .values({
      id: newId<'Project'>(),
      ...project,
      state: 'pending',
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: projects.key })
    .returning()
  return created
}

type Wish = Partial<Pick<Project, 'name' | 'domain' | 'state' | 'deadlineAt' | 'failure'>>

/** Stores what was asked for, as a new generation for the reconciler to bring about. */
export async function ask(tx: Tx, id: ProjectId, wish: Wish, now: Date): Promise<Project> {
  const [asked] = await tx
    .update(projects)
    .set({ ...wish, generation: sql`${projects.generation} + 1`, updatedAt: now })
    .where(eq(projects.id, id))
    .returning()
  if (!asked) throw new Error(`project ${id} vanished while it was locked`)
  return asked
}

export async function findForReconciler(db: Db, id: ProjectId): Promise<Project | undefined> {
  const [project] = await db.select().from(projects).where(eq(projects.id, id))
  return project
}

/**
 * Moves the project on, unless somebody asked for something else since it was read: then nothing is
 * written and the answer is undefined.
 */
export async function advance(
  tx: Tx,
  seen: Pick<Project, 'id' | 'state' | 'generation'>,
  change: Partial<
    Pick<
      Project,
      | 'state'
      | 'failure'
      | 'appliedGeneration'
      | 'deadlineAt'
      | 'deletedAt'
      | 'updatedAt'
      | 'metadata'
    >
  >,
): Promise<Project | undefined> {
  const [advanced] = await tx
    .update(projects)
    .set(change)
    .where(
      and(
        eq(projects.id, seen.id),
        eq(projects.state, seen.state),
        eq(projects.generation, seen.generation),
      ),
    )
    .returning()
  return advanced
}

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
export async function compareWithHeld(
  db: Db,
  held: readonly { key: string; running: boolean }[],
): Promise<{ vanished: ProjectId[]; unwanted: string[] }> {
  const keys = sql.param(held.map(({ key }) => key))
  const running = sql.param(held.map((instance) => instance.running))
  const { rows } = await db.execute<{ id: ProjectId | null; key: string }>(sql`
    select wanted.id, key
    from (select ${projects.id}, ${projects.key} from ${projects} where ${applied(projects)}) as wanted
    full join unnest(${keys}::text[], ${running}::boolean[]) as held (key, running) using (key)
    where wanted.id is null or held.running is not true`)
  return {
    vanished: rows.flatMap(({ id }) => (id === null ? [] : [id])),
    unwanted: rows.flatMap(({ id, key }) => (id === null ? [key] : [])),
  }
}

/** Rows that somebody works on are left for the next time: nobody waits, and no two wait for each other. */
const unlocked = (db: Db, which: SQL | undefined) =>
  db.select({ id: projects.id }).from(projects).where(which).for('update', { skipLocked: true })

/** Notes that the engine does not run these projects; gives the keys of those that it still should. */
export async function noteVanished(db: Db, ids: readonly ProjectId[]) {
  if (ids.length === 0) return []
  const which = and(sql`${projects.id} = any(${sql.param(ids)}::uuid[])`, applied(projects))
  const vanished = await db
    .update(projects)
    .set({ appliedGeneration: 0 })
    .where(inArray(projects.id, unlocked(db, which)))
    .returning({ key: projects.key })
  return vanished.map((row) => row.key)
}

/** Notes that the engine holds something of these keys; gives those of projects that are deleted. */
export async function noteRemains(db: Db, keys: readonly string[]) {
  if (keys.length === 0) return []
  const which = and(
    sql`${projects.key} = any(${sql.param(keys)}::text[])`,
    eq(projects.state, 'deleted'),
    eq(projects.appliedGeneration, 0),
  )
  const remains = await db
    .update(projects)
    .set({ appliedGeneration: 1 })
    .where(inArray(projects.id, unlocked(db, which)))
    .returning({ key: projects.key })
  return remains.map((row) => row.key)
}

/** Every project that visitors may be led to. */
export const listUndeleted = (
  db: Db,
): Promise<Pick<Project, 'id' | 'key' | 'domain' | 'state'>[]> =>
  db
    .select({
      id: projects.id,
      key: projects.key,
      domain: projects.domain,
      state: projects.state,
    })
    .from(projects)
    .where(ne(projects.state, 'deleted'))
    .orderBy(projects.id)
