import type { UserId } from '@slipway/contract/account'
import type { ContainerImage } from '@slipway/contract/container-images'
import type { ProjectId } from '@slipway/contract/projects'
import type { ReleaseId } from '@slipway/contract/releases'
import {
  and,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  lte,
  max,
  ne,
  or,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { users } from '../account/account.schema.ts'
import { containerImages } from '../container-images/container-images.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import { teamMembers } from '../teams/teams.schema.ts'
import { releases } from './releases.schema.ts'

export type Release = typeof releases.$inferSelect
export type ListedRelease = Release & { userName: string; image: ContainerImage | null }

/** The releases of a project for a member of its team. */
const ofUser = (db: Db, userId: UserId, projectId: ProjectId) =>
  db
    .select({
      ...getTableColumns(releases),
      userName: users.name,
      image: containerImages.image,
    })
    .from(releases)
    .innerJoin(projects, eq(projects.id, releases.projectId))
    .innerJoin(
      teamMembers,
      and(eq(teamMembers.teamId, projects.teamId), eq(teamMembers.userId, userId)),
    )
    .innerJoin(users, eq(users.id, releases.userId))
    .leftJoin(
      containerImages,
      and(eq(releases.runtime, 'image'), eq(containerImages.artifact, releases.artifact)),
    )
    .where(eq(releases.projectId, projectId))
    .$dynamic()

/**
 * A page of releases, the newest first, and their number. The caller has found the project for its
 * user.
 */
export async function listForUser(
  db: Db,
  userId: UserId,
  projectId: ProjectId,
  page: { offset: number; limit: number },
): Promise<{ rows: ListedRelease[]; count: number }> {
  const [rows, [total]] = await Promise.all([
    ofUser(db, userId, projectId)
      .orderBy(desc(releases.number))
      .offset(page.offset)
      .limit(page.limit),
    db.select({ count: count() }).from(releases).where(eq(releases.projectId, projectId)),
  ])
  return { rows, count: total?.count ?? 0 }
}

const forUserBy =
  (column: typeof releases.number | typeof releases.id | typeof releases.idempotencyKey) =>
  async (
    db: Db,
    userId: UserId,
    projectId: ProjectId,
    value: number | string,
  ): Promise<ListedRelease | undefined> => {
    // A second `where` replaces the first.
    const [release] = await ofUser(db, userId, projectId).where(
      and(eq(releases.projectId, projectId), eq(column, value)),
    )
    return release
  }

/** The newest release of a project with these files. */
export async function findByArtifact(
  db: Db,
  projectId: ProjectId,
  artifact: string,
): Promise<Release | undefined> {
  const [release] = await db
    .select()
    .from(releases)
    .where(and(eq(releases.projectId, projectId), eq(releases.artifact, artifact)))
    .orderBy(desc(releases.number))
    .limit(1)
  return release
}

export const findByNumberForUser = forUserBy(releases.number)
export const findByIdempotencyKeyForUser = forUserBy(releases.idempotencyKey)

/** Stores a release with the next number. The project's row must be locked. */
export async function insert(
  tx: Tx,
  release: Omit<typeof releases.$inferInsert, 'id' | 'number'>,
): Promise<Release> {
  const [last] = await tx
    .select({ number: max(releases.number) })
    .from(releases)
    .where(eq(releases.projectId, release.projectId))
  const number = (last?.number ?? 0) + 1
  const [stored] = await tx
    .insert(releases)
    .values({ id: newId<'Release'>(), number, ...release })
    .returning()
  if (!stored) throw new Error('the release was not stored')
  return stored
}

export const countChecking = (tx: Tx, projectId: ProjectId) =>
  tx.$count(releases, and(eq(releases.projectId, projectId), eq(releases.state, 'checking')))

/** True while the newest release of a project is being checked and has this artifact. */
export async function isNewestInProgress(
  tx: Tx,
  projectId: ProjectId,
  artifact: string,
): Promise<boolean> {
  const [newest] = await tx
    .select({ state: releases.state, artifact: releases.artifact })
    .from(releases)
    .where(eq(releases.projectId, projectId))
    .orderBy(desc(releases.number))
    .limit(1)
  return newest?.state === 'checking' && newest.artifact === artifact
}

export const hasAny = async (tx: Tx, projectId: ProjectId): Promise<boolean> =>
  (await tx.$count(releases, eq(releases.projectId, projectId))) > 0

/** For the deployment job, which acts for no user. */
export async function findForDeployment(db: Db, id: ReleaseId): Promise<Release | undefined> {
  const [release] = await db.select().from(releases).where(eq(releases.id, id))
  return release
}

export async function findLive(db: Db, projectId: ProjectId): Promise<Release | undefined> {
  const [release] = await db
    .select()
    .from(releases)
    .where(and(eq(releases.projectId, projectId), eq(releases.state, 'live')))
  return release
}

/** Ends the checks of a release; false when another process ended them first. */
export async function finish(
  tx: Tx,
  id: ReleaseId,
  change: Partial<typeof releases.$inferInsert>,
): Promise<boolean> {
  const rows = await tx
    .update(releases)
    .set(change)
    .where(and(eq(releases.id, id), eq(releases.state, 'checking')))
    .returning({ id: releases.id })
  return rows.length === 1
}

/** Marks the project's live releases, except this one, as superseded. */
export const supersede = (tx: Tx, { id, projectId }: Pick<Release, 'id' | 'projectId'>) =>
  tx
    .update(releases)
    .set({ state: 'superseded' })
    .where(and(eq(releases.projectId, projectId), eq(releases.state, 'live'), ne(releases.id, id)))

/**
 * Removes old releases, but never the live one. The newest `keep` that went live stay, and the
 * newest `keep` that failed, so that failures do not displace the targets of a rollback.
 */
export async function removeOld(tx: Tx, projectId: ProjectId, keep: number) {
  const hasFailed = sql`${releases.state} = 'failed'`
  const ranked = tx
    .select({
      id: releases.id,
      rank: sql<number>`row_number() over (partition by ${hasFailed} order by ${releases.number} desc)`.as(
        'rank',
      ),
    })
    .from(releases)
    .where(and(eq(releases.projectId, projectId), ne(releases.state, 'checking')))
    .as('ranked')
  const old = tx.select({ id: ranked.id }).from(ranked).where(gt(ranked.rank, keep))
  await tx.delete(releases).where(and(inArray(releases.id, old), ne(releases.state, 'live')))
}

export const listChecking = (
  db: Db,
  before: Date,
): Promise<Pick<Release, 'id' | 'projectId' | 'deadlineAt'>[]> =>
  db
    .select({
      id: releases.id,
      projectId: releases.projectId,
      deadlineAt: releases.deadlineAt,
    })
    .from(releases)
    .where(and(eq(releases.state, 'checking'), lte(releases.deadlineAt, before)))
    .orderBy(releases.deadlineAt)
    .limit(100)

/**
 * True when a project runs or checks this artifact, or ran it in one of its `limit` newest
 * releases.
 */
export async function isArtifactRecent(db: Db, artifact: string, limit: number): Promise<boolean> {
  const newer = alias(releases, 'newer')
  const newerReleases = db
    .select({ count: sql`count(*)` })
    .from(newer)
    .where(
      and(
        eq(newer.projectId, releases.projectId),
        gt(newer.number, releases.number),
        ne(newer.state, 'failed'),
      ),
    )
  const [row] = await db
    .select({ id: releases.id })
    .from(releases)
    .where(
      and(
        eq(releases.artifact, artifact),
        or(
          inArray(releases.state, ['live', 'checking']),
          and(eq(releases.state, 'superseded'), sql`(${newerReleases}) < ${limit}`),
        ),
      ),
    )
    .limit(1)
  return row !== undefined
}

export async function isArtifactUsed(db: Db, artifact: string): Promise<boolean> {
  const [row] = await db
    .select({ id: releases.id })
    .from(releases)
    .innerJoin(projects, eq(projects.id, releases.projectId))
    .where(
      and(
        eq(releases.artifact, artifact),
        ne(releases.state, 'failed'),
        ne(projects.state, 'deleted'),
      ),
    )
    .limit(1)
  return row !== undefined
}

export async function removeAll(tx: Tx, projectId: ProjectId) {
  await tx.delete(releases).where(eq(releases.projectId, projectId))
}
