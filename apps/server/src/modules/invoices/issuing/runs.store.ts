import type { UserId } from '@slipway/contract/account'
import type { InvoiceRunId } from '@slipway/contract/invoices'
import { and, asc, count, desc, eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/connect.ts'
import { invoiceRunCustomers, invoiceRuns } from '../invoices.schema.ts'

export type Run = typeof invoiceRuns.$inferSelect

/** One transaction at a time decides whether a run starts. */
export const lock = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('invoice runs', 0))`)

export const insert = (tx: Tx, run: Run) => tx.insert(invoiceRuns).values(run)

export async function findNewest(db: Db): Promise<Run | undefined> {
  const [run] = await db
    .select()
    .from(invoiceRuns)
    .orderBy(desc(invoiceRuns.createdAt), desc(invoiceRuns.id))
    .limit(1)
  return run
}

export async function find(db: Db, id: InvoiceRunId): Promise<Run | undefined> {
  const [run] = await db.select().from(invoiceRuns).where(eq(invoiceRuns.id, id))
  return run
}

/** Adds customers to a run; returns those that were not in it. */
export async function addCustomers(tx: Tx, runId: InvoiceRunId, userIds: readonly UserId[]) {
  const added = await tx
    .insert(invoiceRunCustomers)
    .values(userIds.map((userId) => ({ runId, userId, state: 'waiting' as const })))
    .onConflictDoNothing()
    .returning({ userId: invoiceRunCustomers.userId })
  return added.map(({ userId }) => userId)
}

export async function setListed(db: Db, id: InvoiceRunId, now: Date) {
  await db.update(invoiceRuns).set({ listedAt: now }).where(eq(invoiceRuns.id, id))
}

/** Stores the outcome of a customer; a later attempt replaces it. */
export async function setOutcome(
  db: Db,
  runId: InvoiceRunId,
  userId: UserId,
  outcome: { state: 'done' | 'failed'; reason: string | null },
) {
  await db
    .update(invoiceRunCustomers)
    .set(outcome)
    .where(and(eq(invoiceRunCustomers.runId, runId), eq(invoiceRunCustomers.userId, userId)))
}

export const countByState = (db: Db, runId: InvoiceRunId) =>
  db
    .select({ state: invoiceRunCustomers.state, count: count() })
    .from(invoiceRunCustomers)
    .where(eq(invoiceRunCustomers.runId, runId))
    .groupBy(invoiceRunCustomers.state)

export const listFailures = (db: Db, runId: InvoiceRunId, limit: number) =>
  db
    .select({ userId: invoiceRunCustomers.userId, reason: invoiceRunCustomers.reason })
    .from(invoiceRunCustomers)
    .where(and(eq(invoiceRunCustomers.runId, runId), eq(invoiceRunCustomers.state, 'failed')))
    .orderBy(asc(invoiceRunCustomers.userId))
    .limit(limit)

export async function removeBefore(db: Db, start: Date) {
  await db.delete(invoiceRuns).where(lt(invoiceRuns.createdAt, start))
}
