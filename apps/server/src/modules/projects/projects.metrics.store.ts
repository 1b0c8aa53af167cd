import { and, count, eq, lt, min, ne } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { projects, unsettled } from './projects.schema.ts'

export const countByState = (db: Db) =>
  db
    .select({ state: projects.state, count: count(), oldest: min(projects.updatedAt) })
    .from(projects)
    .where(ne(projects.state, 'deleted'))
    .groupBy(projects.state)

export async function countOverdue(db: Db, now: Date) {
  const [overdue] = await db
    .select({ count: count() })
    .from(projects)
    .where(and(unsettled(projects), lt(projects.deadlineAt, now)))
  return overdue?.count ?? 0
}

/**
 * The count of created projects whose data is missing. All of them are unsettled; the condition
 * makes the query use the partial index of unsettled projects.
 */
export async function countDataMissing(db: Db) {
  const [missing] = await db
    .select({ count: count() })
    .from(projects)
    .where(and(unsettled(projects), eq(projects.failure, 'data_missing')))
  return missing?.count ?? 0
}
