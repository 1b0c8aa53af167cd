import type { ProjectId } from '@slipway/contract/projects'
import { and, asc, eq, lte, ne } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { projects } from '../projects/projects.schema.ts'
import { domainChecks } from './domains.schema.ts'

export type Check = typeof domainChecks.$inferSelect

/** Starts checks of a project's domain, due now; false when it is unchanged. */
export async function setDomain(tx: Tx, projectId: ProjectId, domain: string, now: Date) {
  const target = { domain, nextCheckAt: now }
  const noResult = { verdict: null, found: [], checkedAt: null, foundAt: null, misses: 0 }
  const rows = await tx
    .insert(domainChecks)
    .values({ projectId, ...target })
    .onConflictDoUpdate({
      target: domainChecks.projectId,
      set: { ...target, ...noResult },
      setWhere: ne(domainChecks.domain, domain),
    })
    .returning({ projectId: domainChecks.projectId })
  return rows.length === 1
}

/** Ends the checks of a project's domain. */
export const remove = (tx: Tx, projectId: ProjectId) =>
  tx.delete(domainChecks).where(eq(domainChecks.projectId, projectId))

/** The checks of a project's domain; the caller has checked read access. */
export async function find(db: Db, projectId: ProjectId): Promise<Check | undefined> {
  const [check] = await db.select().from(domainChecks).where(eq(domainChecks.projectId, projectId))
  return check
}

/** The domain to check, and the region whose gateway it should point to. */
export async function findTarget(db: Db, projectId: ProjectId) {
  const [target] = await db
    .select({ projectId: projects.id, domain: domainChecks.domain, regionId: projects.regionId })
    .from(domainChecks)
    .innerJoin(projects, eq(projects.id, domainChecks.projectId))
    .where(eq(domainChecks.projectId, projectId))
  return target
}

/** Locks the checks of a domain; undefined when the project has another domain now. */
export async function lock(
  tx: Tx,
  { projectId, domain }: Pick<Check, 'projectId' | 'domain'>,
): Promise<Check | undefined> {
  const [check] = await tx
    .select()
    .from(domainChecks)
    .where(and(eq(domainChecks.projectId, projectId), eq(domainChecks.domain, domain)))
    .for('update')
  return check
}

export async function save(tx: Tx, { projectId, ...check }: Omit<Check, 'domain'>) {
  const saved = await tx
    .update(domainChecks)
    .set(check)
    .where(eq(domainChecks.projectId, projectId))
    .returning({ projectId: domainChecks.projectId })
  if (saved.length !== 1) throw new Error(`the check of project ${projectId} was not locked`)
}

/** The projects whose check is due, longest due first, at most one batch. */
export async function listDue(db: Db, now: Date): Promise<ProjectId[]> {
  const rows = await db
    .select({ projectId: domainChecks.projectId })
    .from(domainChecks)
    .where(lte(domainChecks.nextCheckAt, now))
    .orderBy(asc(domainChecks.nextCheckAt), asc(domainChecks.projectId))
    .limit(200)
  return rows.map((row) => row.projectId)
}
