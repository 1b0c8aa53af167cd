import type { UserId } from '@slipway/contract/account'
import type { DomainState } from '@slipway/contract/domain-state'
import type { ProjectId } from '@slipway/contract/projects'
import type { Runtime } from '@slipway/contract/runtimes'
import type { TeamId } from '@slipway/contract/teams'
import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { certificates } from '../certificates/certificates.schema.ts'
import { containerImages } from '../container-images/container-images.schema.ts'
import { domains } from '../domains/domains.schema.ts'
import { sitePictures } from '../site-pictures/site-pictures.schema.ts'
import { teamMembers } from '../teams/teams.schema.ts'
import { isUnderway, projectMoves, projects } from './projects.schema.ts'

export type Project = typeof projects.$inferSelect

/**
 * A project with the state of its primary domain, the end of its certificate, and the address of
 * its picture, if it has them; and whether it is being moved.
 */
export type ListedProject = Project & {
  domainState: DomainState | null
  certifiedUntil: Date | null
  picture: string | null
  isMoving: boolean
}

/** The tenant scope of every query for a user: projects of the user's teams. */
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
    .select({
      ...getTableColumns(projects),
      domainState: domains.state,
      certifiedUntil: certificates.expiresAt,
      picture: sitePictures.address,
      isMoving: isNotNull(projectMoves.projectId) as SQL<boolean>,
    })
    .from(projects)
    .innerJoin(
      teamMembers,
      and(
        eq(teamMembers.teamId, projects.teamId),
        eq(teamMembers.userId, sql.placeholder('userId')),
      ),
    )
    .leftJoin(domains, and(eq(domains.projectId, projects.id), eq(domains.host, projects.domain)))
    .leftJoin(
      certificates,
      and(eq(certificates.host, domains.host), isNull(certificates.droppedAt)),
    )
    .leftJoin(sitePictures, eq(sitePictures.projectId, projects.id))
    .leftJoin(projectMoves, and(eq(projectMoves.projectId, projects.id), isUnderway(projectMoves)))
    .where(
      or(
        ne(projects.state, 'deleted'),
        gt(projects.deletedAt, sql`${sql.placeholder('deletedSince')}::timestamptz`),
      ),
    )
    .orderBy(desc(projects.createdAt), desc(projects.id))
    // The console scrolls this many rows smoothly.
    .limit(10_000)
    .prepare('list_projects')

const lists = new WeakMap<Database['db'], ReturnType<typeof prepareList>>()

/** The user's projects, newest first; deleted ones only if deleted after `deletedSince`. */
export function listForUser(
  db: Database['db'],
  userId: UserId,
  deletedSince: Date,
): Promise<ListedProject[]> {
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

export async function findByIdForUser(
  db: Db,
  userId: UserId,
  id: ProjectId,
): Promise<Project | undefined> {
  const [project] = await ofUser(db, userId).where(eq(projects.id, id))
  return project
}

export async function findByIdempotencyKey(
  db: Db,
  userId: UserId,
  idempotencyKey: string,
): Promise<Project | undefined> {
  const [project] = await ofUser(db, userId).where(
    and(eq(projects.idempotencyUserId, userId), eq(projects.idempotencyKey, idempotencyKey)),
  )
  return project
}

/** Any project by its key, for operators and for sites that authenticate as an OAuth client. */
export async function findByKey(db: Db, key: string): Promise<Project | undefined> {
  const [project] = await db.select().from(projects).where(eq(projects.key, key))
  return project
}

export async function lockForUser(
  tx: Tx,
  userId: UserId,
  id: ProjectId,
): Promise<Project | undefined> {
  const query = ofUser(tx, userId).where(eq(projects.id, id))
  // Not `update`: it would block an invoice that is being issued and references the project.
  const [locked] = await query.for('no key update', { of: projects })
  if (!locked) return undefined
  // Read again: the user may have left the team while this transaction waited for the lock.
  const [project] = await ofUser(tx, userId).where(eq(projects.id, id))
  return project
}

/** The images that the projects of a team run, in the order in which they are locked. */
export const listImages = (
  tx: Tx,
  teamId: TeamId,
): Promise<{ id: ProjectId; reference: string }[]> =>
  tx
    .select({
      id: projects.id,
      reference: sql<string>`${containerImages.image} ->> 'reference'`,
    })
    .from(projects)
    .innerJoin(containerImages, eq(containerImages.artifact, projects.artifact))
    .where(
      and(
        eq(projects.teamId, teamId),
        eq(projects.runtime, 'image'),
        notInArray(projects.state, ['deleting', 'deleted']),
      ),
    )
    .orderBy(asc(projects.id))

/** Any project, locked until the transaction ends. For work that acts for no user. */
export async function lock(tx: Tx, id: ProjectId): Promise<Project | undefined> {
  const [project] = await tx.select().from(projects).where(eq(projects.id, id)).for('no key update')
  return project
}

export async function lockByKey(tx: Tx, key: string): Promise<Project | undefined> {
  const query = tx.select().from(projects).where(eq(projects.key, key))
  const [project] = await query.for('no key update')
  return project
}

export async function countUndeleted(db: Db, teamId: TeamId) {
  const [row] = await db
    .select({ count: count() })
    .from(projects)
    .where(and(eq(projects.teamId, teamId), ne(projects.state, 'deleted')))
  return row?.count ?? 0
}

/**
 * Undefined when the key exists. A used idempotency key violates `projects_idempotency`.
 */
export async function insert(
  db: Db,
  {
    idempotency,
    ...project
  }: {
    teamId: TeamId
    key: string
    regionId: string
    cluster: string
    name: string
    domain: string | null
    runtime: Runtime
    /** The files of its first release, if it starts with one. */
    artifact: string | null
    deadlineAt: Date
    idempotency: { userId: UserId; key: string } | undefined
  },
  now: Date,
): Promise<Project | undefined> {
  const [created] = await db
    .insert(projects)
    .values({
      id: newId<'Project'>(),
      ...project,
      idempotencyUserId: idempotency?.userId ?? null,
      idempotencyKey: idempotency?.key ?? null,
      state: 'pending',
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: projects.key })
    .returning()
  return created
}

type DesiredState = Partial<
  Pick<
    Project,
    | 'name'
    | 'domain'
    | 'runtime'
    | 'artifact'
    | 'state'
    | 'deadlineAt'
    | 'failure'
    | 'power'
    | 'suspension'
    | 'suspensionNote'
    | 'restarts'
  >
>

/** Stores a new desired state as the next generation, for the reconciler to apply. */
export async function updateDesiredState(
  tx: Tx,
  id: ProjectId,
  desiredState: DesiredState,
  now: Date,
): Promise<Project> {
  const [updated] = await tx
    .update(projects)
    .set({ ...desiredState, generation: sql`${projects.generation} + 1`, updatedAt: now })
    .where(eq(projects.id, id))
    .returning()
  if (!updated) throw new Error(`project ${id} vanished while it was locked`)
  return updated
}

/** Makes the reconciler apply what a project has outside its row, such as its variables. */
export const incrementGeneration = (tx: Tx, id: ProjectId, now: Date): Promise<Project> =>
  updateDesiredState(tx, id, {}, now)

export async function findForReconciler(db: Db, id: ProjectId): Promise<Project | undefined> {
  const [project] = await db.select().from(projects).where(eq(projects.id, id))
  return project
}

/** Changes the project unless its state or generation differs from `expected`: then undefined. */
export async function updateIfUnchanged(
  tx: Tx,
  expected: Pick<Project, 'id' | 'state' | 'generation'>,
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
      | 'crashes'
      | 'crashedAt'
    >
  >,
): Promise<Project | undefined> {
  const [updated] = await tx
    .update(projects)
    .set(change)
    .where(
      and(
        eq(projects.id, expected.id),
        eq(projects.state, expected.state),
        eq(projects.generation, expected.generation),
      ),
    )
    .returning()
  return updated
}

export type RoutedProject = Pick<
  Project,
  'id' | 'key' | 'cluster' | 'state' | 'runtime' | 'artifact' | 'power' | 'suspension'
>

export const listUndeleted = (db: Db): Promise<RoutedProject[]> =>
  db
    .select({
      id: projects.id,
      key: projects.key,
      cluster: projects.cluster,
      state: projects.state,
      runtime: projects.runtime,
      artifact: projects.artifact,
      power: projects.power,
      suspension: projects.suspension,
    })
    .from(projects)
    .where(ne(projects.state, 'deleted'))
    .orderBy(projects.id)
