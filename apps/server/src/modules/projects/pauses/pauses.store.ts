import type { ProjectId } from '@slipway/contract/projects'
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { type PgColumn, union } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../db/connect.ts'
import { siteBackups } from '../../site-backups/site-backups.schema.ts'
import { siteRestores } from '../../site-restores/site-restores.schema.ts'
import { isOpen, projectMoves } from '../projects.schema.ts'

const pausedByMove = and(isOpen(projectMoves), isNotNull(projectMoves.pausedAt))
const pausedByRestore = isNotNull(siteRestores.step)

/**
 * True for a project whose site does not run because its files are copied: it moves to another
 * cluster, or a backup is restored.
 */
export const isPausedSql = (projectId: PgColumn): SQL => sql`(
  exists (select from ${projectMoves}
    where ${projectMoves.projectId} = ${projectId} and ${pausedByMove})
  or exists (select from ${siteRestores}
    where ${siteRestores.projectId} = ${projectId} and ${pausedByRestore}))`

/** The projects whose sites do not run while their files are copied. */
export async function listPaused(db: Db): Promise<ReadonlySet<ProjectId>> {
  const rows = await union(
    db.select({ id: projectMoves.projectId }).from(projectMoves).where(pausedByMove),
    db.select({ id: siteRestores.projectId }).from(siteRestores).where(pausedByRestore),
  )
  return new Set(rows.map(({ id }) => id))
}

/** True while a backup is restored into a project. */
export const isRestoring = async (db: Db, id: ProjectId): Promise<boolean> =>
  (await db.$count(siteRestores, and(eq(siteRestores.projectId, id), pausedByRestore))) > 0

/** True while the site of a project does not run because its files are copied. */
export async function isPaused(db: Db, id: ProjectId): Promise<boolean> {
  const moves = await db.$count(projectMoves, and(eq(projectMoves.projectId, id), pausedByMove))
  return moves > 0 || isRestoring(db, id)
}

/** True while a backup of a project is being made, or waits for that. */
export const isBackedUp = async (db: Db, id: ProjectId): Promise<boolean> =>
  (await db.$count(
    siteBackups,
    and(eq(siteBackups.projectId, id), eq(siteBackups.state, 'creating')),
  )) > 0

/** Repeats the restore of a new project that did not get its files: it must not start empty. */
export async function repeatFailedRestore(
  tx: Tx,
  id: ProjectId,
  { now, deadlineAt }: { now: Date; deadlineAt: Date },
): Promise<void> {
  await tx
    .update(siteRestores)
    .set({ step: 'import', failure: null, finishedAt: null, attempts: 0, retryAt: now, deadlineAt })
    .where(
      and(
        eq(siteRestores.projectId, id),
        siteRestores.isNewProject,
        isNotNull(siteRestores.failure),
      ),
    )
}
