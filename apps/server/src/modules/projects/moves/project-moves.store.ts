import { randomUUID } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { ProjectId } from '@slipway/contract/projects'
import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/connect.ts'
import { isOpen, isUnderway, projectMoves, projects } from '../projects.schema.ts'

export type Move = typeof projectMoves.$inferSelect

export async function find(db: Db, projectId: ProjectId): Promise<Move | undefined> {
  const [move] = await db.select().from(projectMoves).where(eq(projectMoves.projectId, projectId))
  return move
}

export async function findOpen(db: Db, projectId: ProjectId): Promise<Move | undefined> {
  const move = await find(db, projectId)
  return move?.finishedAt === null ? move : undefined
}

export async function findUnderway(db: Db, projectId: ProjectId): Promise<Move | undefined> {
  const [move] = await db
    .select()
    .from(projectMoves)
    .where(and(eq(projectMoves.projectId, projectId), isUnderway(projectMoves)))
  return move
}

/** Begins a move, in the place of one that has finished. The project must be locked. */
export async function begin(
  tx: Tx,
  move: { projectId: ProjectId; source: string; target: string; requestedBy: UserId },
  { now, deadlineAt }: { now: Date; deadlineAt: Date },
): Promise<Move> {
  const values = {
    ...move,
    id: randomUUID(),
    step: 'check' as const,
    pausedAt: null,
    digest: null,
    failure: null,
    detail: null,
    attempts: 0,
    retryAt: now,
    deadlineAt,
    requestedAt: now,
    finishedAt: null,
  }
  const [begun] = await tx
    .insert(projectMoves)
    .values(values)
    .onConflictDoUpdate({
      target: projectMoves.projectId,
      set: values,
      setWhere: isNotNull(projectMoves.finishedAt),
    })
    .returning()
  if (!begun) throw new Error(`project ${move.projectId} has an open move`)
  return begun
}

export type Change = Partial<
  Pick<
    Move,
    'step' | 'pausedAt' | 'digest' | 'failure' | 'detail' | 'attempts' | 'retryAt' | 'finishedAt'
  >
>

/** Changes a move at this step; false if it has left the step. */
export async function update(
  db: Db,
  { id, step }: Pick<Move, 'id' | 'step'>,
  change: Change,
): Promise<boolean> {
  const rows = await db
    .update(projectMoves)
    .set(change)
    .where(and(eq(projectMoves.id, id), eq(projectMoves.step, step), isOpen(projectMoves)))
    .returning({ id: projectMoves.id })
  return rows.length > 0
}

/** The open moves to continue, longest waiting first. */
export async function listDue(db: Db, now: Date, limit: number): Promise<ProjectId[]> {
  const rows = await db
    .select({ id: projectMoves.projectId })
    .from(projectMoves)
    .where(and(isOpen(projectMoves), lte(projectMoves.retryAt, now)))
    .orderBy(asc(projectMoves.retryAt), asc(projectMoves.projectId))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Sends the requests of a project to the target, which has applied this generation. */
export async function switchCluster(
  tx: Tx,
  { projectId, target }: Pick<Move, 'projectId' | 'target'>,
  change: Pick<typeof projects.$inferSelect, 'appliedGeneration' | 'metadata' | 'deadlineAt'>,
) {
  await tx
    .update(projects)
    .set({ cluster: target, ...change })
    .where(eq(projects.id, projectId))
}
