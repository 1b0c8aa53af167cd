import type { ProjectId } from '@slipway/contract/projects'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { projectVariables } from './environment.schema.ts'

export type Variable = typeof projectVariables.$inferSelect

/** Sorted by name. The caller has found or locked the project for its user. */
export const list = (db: Db, projectId: ProjectId): Promise<Variable[]> =>
  db
    .select()
    .from(projectVariables)
    .where(eq(projectVariables.projectId, projectId))
    .orderBy(asc(projectVariables.name))

export async function insert(tx: Tx, variables: readonly Variable[]) {
  if (variables.length > 0) await tx.insert(projectVariables).values([...variables])
}

export const removeAll = (tx: Tx, projectId: ProjectId) =>
  tx.delete(projectVariables).where(eq(projectVariables.projectId, projectId))

export async function remove(tx: Tx, projectId: ProjectId, names: readonly string[]) {
  if (names.length === 0) return
  await tx
    .delete(projectVariables)
    .where(
      and(eq(projectVariables.projectId, projectId), inArray(projectVariables.name, [...names])),
    )
}
