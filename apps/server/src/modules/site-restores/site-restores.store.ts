import { randomUUID } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import type { SiteBackupId, SiteRestoreStep } from '@slipway/contract/site-backups'
import { and, asc, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { siteRestores } from './site-restores.schema.ts'

export type SiteRestore = typeof siteRestores.$inferSelect
/** A restore that has not ended. */
export type OpenRestore = SiteRestore & { step: SiteRestoreStep }

export async function findOpen(db: Db, projectId: ProjectId): Promise<OpenRestore | undefined> {
  const [restore] = await db
    .select()
    .from(siteRestores)
    .where(and(eq(siteRestores.projectId, projectId), isNotNull(siteRestores.step)))
  return restore && restore.step !== null ? { ...restore, step: restore.step } : undefined
}

/** The newest restore into a project, if this request of the user has begun it. */
export async function findByIdempotencyKey(
  db: Db,
  projectId: ProjectId,
  userId: UserId,
  idempotencyKey: string,
): Promise<SiteRestore | undefined> {
  const [restore] = await db
    .select()
    .from(siteRestores)
    .where(
      and(
        eq(siteRestores.projectId, projectId),
        eq(siteRestores.requestedBy, userId),
        eq(siteRestores.idempotencyKey, idempotencyKey),
      ),
    )
  return restore
}

/** Begins a restore in the place of one that has ended. The project must be locked. */
export async function begin(
  tx: Tx,
  restore: {
    projectId: ProjectId
    backupId: SiteBackupId
    backupCreatedAt: Date
    isNewProject: boolean
    requestedBy: UserId
    byToken: boolean
    idempotencyKey: string | null
  },
  { now, deadlineAt }: { now: Date; deadlineAt: Date },
): Promise<void> {
  const values = {
    ...restore,
    id: randomUUID(),
    step: restore.isNewProject ? ('import' as const) : ('stop' as const),
    earlierBackupId: null,
    failure: null,
    attempts: 0,
    retryAt: now,
    deadlineAt,
    requestedAt: now,
    finishedAt: null,
  }
  const begun = await tx
    .insert(siteRestores)
    .values(values)
    .onConflictDoUpdate({
      target: siteRestores.projectId,
      set: values,
      setWhere: isNull(siteRestores.step),
    })
    .returning({ id: siteRestores.id })
  if (begun.length === 0) throw new Error(`project ${restore.projectId} has an open restore`)
}

/** Changes a restore at this step; false if it has left the step. */
export async function update(
  db: Db,
  { id, step }: Pick<OpenRestore, 'id' | 'step'>,
  change: Partial<
    Pick<
      SiteRestore,
      'step' | 'earlierBackupId' | 'failure' | 'attempts' | 'retryAt' | 'finishedAt'
    >
  >,
): Promise<boolean> {
  const rows = await db
    .update(siteRestores)
    .set(change)
    .where(and(eq(siteRestores.id, id), eq(siteRestores.step, step)))
    .returning({ id: siteRestores.id })
  return rows.length > 0
}

/** The open restores to continue, longest waiting first. */
export async function listDue(db: Db, now: Date, limit: number): Promise<ProjectId[]> {
  const rows = await db
    .select({ id: siteRestores.projectId })
    .from(siteRestores)
    .where(and(isNotNull(siteRestores.step), lte(siteRestores.retryAt, now)))
    .orderBy(asc(siteRestores.retryAt), asc(siteRestores.projectId))
    .limit(limit)
  return rows.map(({ id }) => id)
}

export async function remove(tx: Tx, projectId: ProjectId): Promise<void> {
  await tx.delete(siteRestores).where(eq(siteRestores.projectId, projectId))
}
