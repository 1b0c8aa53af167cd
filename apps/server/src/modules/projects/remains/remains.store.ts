import type { ProjectId } from '@slipway/contract/projects'
import { and, asc, eq, gt } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/connect.ts'
import { projectCreations, projectMoves, projects } from '../projects.schema.ts'

/**
 * Projects without an instance, deleted after `deletedAfter`, that still have their row in
 * `project_creations`. The oldest deletion comes first.
 */
export async function listWithCreation(
  db: Db,
  { deletedAfter, limit }: { deletedAfter: Date; limit: number },
): Promise<ProjectId[]> {
  const rows = await db
    .select({ id: projects.id })
    .from(projects)
    .innerJoin(projectCreations, eq(projectCreations.projectId, projects.id))
    .where(and(gt(projects.deletedAt, deletedAfter), eq(projects.appliedGeneration, 0)))
    .orderBy(asc(projects.deletedAt), asc(projects.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

export async function removeCreationAndMoves(tx: Tx, projectId: ProjectId) {
  await tx.delete(projectMoves).where(eq(projectMoves.projectId, projectId))
  await tx.delete(projectCreations).where(eq(projectCreations.projectId, projectId))
}
