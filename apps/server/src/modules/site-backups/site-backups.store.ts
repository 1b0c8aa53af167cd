import type { UserId } from '@slipway/contract/account'
import { day } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { SiteBackupId } from '@slipway/contract/site-backups'
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
  lte,
  ne,
  or,
  sql,
} from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { users } from '../account/account.schema.ts'
import { backedUpDaily, projects } from '../projects/projects.schema.ts'
import { releases } from '../releases/releases.schema.ts'
import { siteRestores } from '../site-restores/site-restores.schema.ts'
import { siteBackups } from './site-backups.schema.ts'

export type SiteBackup = typeof siteBackups.$inferSelect
export type ListedBackup = SiteBackup & { userName: string | null }

const withUser = (db: Db) =>
  db
    .select({ ...getTableColumns(siteBackups), userName: users.name })
    .from(siteBackups)
    .leftJoin(users, eq(users.id, siteBackups.userId))
    .$dynamic()

/** Not those that are being removed: `hide`. */
const isListed = (projectId: ProjectId) =>
  and(
    eq(siteBackups.projectId, projectId),
    or(ne(siteBackups.state, 'failed'), isNotNull(siteBackups.failure)),
  )

/** A page of a project's backups, the newest first. The caller has found the project. */
export async function list(
  db: Db,
  projectId: ProjectId,
  page: { offset: number; limit: number },
): Promise<{ rows: ListedBackup[]; count: number }> {
  const [rows, [total]] = await Promise.all([
    withUser(db)
      .where(isListed(projectId))
      .orderBy(desc(siteBackups.createdAt), desc(siteBackups.id))
      .offset(page.offset)
      .limit(page.limit),
    db.select({ count: count() }).from(siteBackups).where(isListed(projectId)),
  ])
  return { rows, count: total?.count ?? 0 }
}

export async function find(db: Db, id: SiteBackupId): Promise<SiteBackup | undefined> {
  const [backup] = await db.select().from(siteBackups).where(eq(siteBackups.id, id))
  return backup
}

/** A complete backup of the project. */
export async function findReady(
  db: Db,
  projectId: ProjectId,
  id: SiteBackupId,
): Promise<SiteBackup | undefined> {
  const backup = await find(db, id)
  return backup?.projectId === projectId && backup.state === 'ready' ? backup : undefined
}

export async function findByIdempotencyKey(
  db: Db,
  projectId: ProjectId,
  userId: UserId,
  idempotencyKey: string,
): Promise<ListedBackup | undefined> {
  const [backup] = await withUser(db).where(
    and(
      eq(siteBackups.projectId, projectId),
      eq(siteBackups.userId, userId),
      eq(siteBackups.idempotencyKey, idempotencyKey),
    ),
  )
  return backup
}

/** The number of the release that is live; null without one. */
export async function liveRelease(db: Db, projectId: ProjectId): Promise<number | null> {
  const [live] = await db
    .select({ number: releases.number })
    .from(releases)
    .where(and(eq(releases.projectId, projectId), eq(releases.state, 'live')))
  return live?.number ?? null
}

export async function insert(
  tx: Tx,
  backup: Omit<typeof siteBackups.$inferInsert, 'id' | 'state'>,
): Promise<SiteBackup> {
  const [stored] = await tx
    .insert(siteBackups)
    .values({ id: newId<'SiteBackup'>(), state: 'creating', ...backup })
    .returning()
  if (!stored) throw new Error('the backup was not stored')
  return stored
}

export const countCreating = (db: Db, projectId: ProjectId): Promise<number> =>
  db.$count(
    siteBackups,
    and(eq(siteBackups.projectId, projectId), eq(siteBackups.state, 'creating')),
  )

/** The daily backups of all projects that wait or run. */
export const countDaily = (db: Db): Promise<number> =>
  db.$count(siteBackups, and(eq(siteBackups.cause, 'daily'), eq(siteBackups.state, 'creating')))

/** Changes a backup that is being made; false if it has ended. */
export async function update(
  tx: Tx,
  id: SiteBackupId,
  change: Partial<typeof siteBackups.$inferInsert>,
): Promise<boolean> {
  const rows = await tx
    .update(siteBackups)
    .set(change)
    .where(and(eq(siteBackups.id, id), eq(siteBackups.state, 'creating')))
    .returning({ id: siteBackups.id })
  return rows.length > 0
}

/** The newest complete backup of the project. */
export async function findNewest(db: Db, projectId: ProjectId): Promise<SiteBackup | undefined> {
  const [newest] = await db
    .select()
    .from(siteBackups)
    .where(and(eq(siteBackups.projectId, projectId), eq(siteBackups.state, 'ready')))
    .orderBy(desc(siteBackups.createdAt), desc(siteBackups.id))
    .limit(1)
  return newest
}

/** Replaces a new backup by an earlier one of the same files. */
export async function replaceByEarlier(
  tx: Tx,
  id: SiteBackupId,
  earlier: SiteBackupId,
  checkedAt: Date,
): Promise<void> {
  await tx.delete(siteBackups).where(eq(siteBackups.id, id))
  await tx.update(siteBackups).set({ checkedAt }).where(eq(siteBackups.id, earlier))
}

/** The newest restore into a project. */
export async function findRestore(db: Db, projectId: ProjectId) {
  const [restore] = await db
    .select()
    .from(siteRestores)
    .where(eq(siteRestores.projectId, projectId))
  return restore
}

/** True for a backup that an open restore reads, or has made. */
const needed = sql`exists (select from ${siteRestores} where ${siteRestores.step} is not null
  and ${siteBackups.id} in (${siteRestores.backupId}, ${siteRestores.earlierBackupId}))`

/** All backups of a project, the newest first, except those that an open restore needs. */
export const listRemovable = (db: Db, projectId: ProjectId): Promise<SiteBackup[]> =>
  db
    .select()
    .from(siteBackups)
    .where(and(eq(siteBackups.projectId, projectId), sql`not ${needed}`))
    .orderBy(desc(siteBackups.createdAt), desc(siteBackups.id))

/** Hides a backup whose file is about to be removed. False if an open restore needs it. */
export async function hide(db: Db, id: SiteBackupId): Promise<boolean> {
  const rows = await db
    .update(siteBackups)
    .set({ state: 'failed', failure: null })
    .where(and(eq(siteBackups.id, id), sql`not ${needed}`))
    .returning({ id: siteBackups.id })
  return rows.length > 0
}

export async function remove(db: Db, id: SiteBackupId): Promise<void> {
  await db.delete(siteBackups).where(eq(siteBackups.id, id))
}

/** The backups that were not finished before their deadline. */
export const listLate = (db: Db, now: Date, limit: number): Promise<SiteBackup[]> =>
  db
    .select()
    .from(siteBackups)
    .where(and(eq(siteBackups.state, 'creating'), lte(siteBackups.deadlineAt, now)))
    .orderBy(asc(siteBackups.deadlineAt))
    .limit(limit)

/** Locks created projects whose daily backup is due, or that never had one; busy ones wait. */
export const lockDue = (tx: Tx, { now, limit }: { now: Date; limit: number }) =>
  tx
    .select()
    .from(projects)
    .where(
      and(
        backedUpDaily(projects),
        or(
          lte(projects.backupDueAt, now),
          and(isNull(projects.backupDueAt), lte(projects.createdAt, new Date(now.getTime() - day))),
        ),
      ),
    )
    .orderBy(sql`${projects.backupDueAt} nulls first`, asc(projects.id))
    .limit(limit)
    .for('update', { skipLocked: true })

/** Sets when the next daily backup of a project is due. */
export async function setDue(db: Db, projectId: ProjectId, backupDueAt: Date): Promise<void> {
  await db.update(projects).set({ backupDueAt }).where(eq(projects.id, projectId))
}

/** Deleted projects that still have backups, in the order of their ids. */
export async function listDeletedProjects(
  db: Db,
  after: ProjectId | undefined,
  limit: number,
): Promise<ProjectId[]> {
  const rows = await db
    .selectDistinct({ id: siteBackups.projectId })
    .from(siteBackups)
    .innerJoin(projects, eq(projects.id, siteBackups.projectId))
    .where(
      and(
        eq(projects.state, 'deleted'),
        after === undefined ? undefined : gt(siteBackups.projectId, after),
      ),
    )
    .orderBy(siteBackups.projectId)
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** True if a new project could be created from a backup with this artifact. */
export async function isArtifactUsed(db: Db, artifact: string): Promise<boolean> {
  const [row] = await db
    .select({ id: siteBackups.id })
    .from(siteBackups)
    .innerJoin(projects, eq(projects.id, siteBackups.projectId))
    .where(
      and(
        eq(siteBackups.artifact, artifact),
        ne(siteBackups.state, 'failed'),
        ne(projects.state, 'deleted'),
      ),
    )
    .limit(1)
  return row !== undefined
}
