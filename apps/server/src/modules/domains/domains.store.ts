import type { ProjectId } from '@slipway/contract/projects'
import { and, asc, eq, lte, ne } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { projects } from '../projects/projects.schema.ts'
import { domainChecks } from './domains.schema.ts'

export type Check = typeof domainChecks.$inferSelect

/** Has the domain of a project asked about from that moment on; false when it is already. */
export async function setDomain(tx: Tx, projectId: ProjectId, domain: string, now: Date) {
  const asked = { domain, nextCheckAt: now }
  const nothing = { verdict: null, found: [], checkedAt: null, foundAt: null, misses: 0 }
  const rows = await tx
    .insert(domainChecks)
    .values({ projectId, ...asked })
    .onConflictDoUpdate({
      target: domainChecks.projectId,
      set: { ...asked, ...nothing },
      setWhere: ne(domainChecks.domain, domain),
    })
    .returning({ projectId: domainChecks.projectId })
  return rows.length === 1
}

/** Ends that, if it was so. */
export const remove = (tx: Tx, projectId: ProjectId) =>
  tx.delete(domainChecks).where(eq(domainChecks.projectId, projectId))

/** What is known of the domain of a project; its caller has made sure that it may be read. */
export async function find(db: Db, projectId: ProjectId): Promise<Check | undefined> {
  const [check] = await db.select().from(domainChecks).where(eq(domainChecks.projectId, projectId))
  return check
}

/** The domain to ask about, and the region whose gateway it should lead to. */
export async function findTarget(db: Db, projectId: ProjectId) {
  const [asked] = await db
    .select({ projectId: projects.id, domain: domainChecks.domain, regionId: projects.regionId })
    .from(domainChecks)
    .innerJoin(projects, eq(projects.id, domainChecks.projectId))
    .where(eq(domainChecks.projectId, projectId))
  return asked
}

/** What is known of that domain, until the transaction ends; undefined when the project has another by now. */
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

/** The projects whose domains are to be asked about by then, the longest ago first, as many as one round does. */
export async function listDue(db: Db, now: Date): Promise<ProjectId[]> {
  const rows = await db
    .select({ projectId: domainChecks.projectId })
    .from(domainChecks)
    .where(lte(domainChecks.nextCheckAt, now))
    .orderBy(asc(domainChecks.nextCheckAt), asc(domainChecks.projectId))
    .limit(200)
  return rows.map((row) => row.projectId)
}
