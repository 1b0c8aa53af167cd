import type { DomainId } from '@slipway/contract/domains'
import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { and, asc, count, eq, getTableColumns, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { projects } from '../projects/projects.schema.ts'
import { domains, releasedDomains } from './domains.schema.ts'

export type Domain = typeof domains.$inferSelect
export type ReleasedDomain = typeof releasedDomains.$inferSelect

/** A domain with fields of its project. */
export type OwnedDomain = Domain & {
  teamId: TeamId
  key: string
  regionId: string
}

type NewDomain = Pick<
  Domain,
  'projectId' | 'host' | 'role' | 'redirectStatus' | 'state' | 'proof' | 'token'
>

/**
 * Stores a new domain. Throws a violation of `domains_project_host` for a host that the project
 * has, and of `domains_proven` for one that another project has proven.
 */
export async function insert(
  tx: Tx,
  domain: NewDomain & Pick<Domain, 'watchedUntil'>,
  now: Date,
): Promise<Domain> {
  const [created] = await tx
    .insert(domains)
    .values({
      id: newId<'Domain'>(),
      ...domain,
      provenAt: domain.state === 'pending' ? null : now,
      nextCheckAt: now,
      createdAt: now,
    })
    .returning()
  if (!created) throw new Error('a domain was not inserted')
  return created
}

/**
 * The domains of a project, the primary one first, then as they were added. A counterpart that was
 * added with its name follows it.
 */
export const list = (db: Db, projectId: ProjectId): Promise<Domain[]> =>
  db
    .select()
    .from(domains)
    .where(eq(domains.projectId, projectId))
    .orderBy(
      sql`${domains.role} <> 'primary'`,
      asc(domains.createdAt),
      sql`${domains.role} = 'redirect'`,
      asc(domains.host),
    )

/** A domain of this project; the caller has locked the project, so no other call changes it. */
export async function find(
  db: Db,
  { id, projectId }: { id: DomainId; projectId: ProjectId },
): Promise<Domain | undefined> {
  const [domain] = await db
    .select()
    .from(domains)
    .where(and(eq(domains.id, id), eq(domains.projectId, projectId)))
  return domain
}

export async function countOf(db: Db, projectId: ProjectId): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(domains)
    .where(eq(domains.projectId, projectId))
  return row?.count ?? 0
}

export const countByState = (db: Db) =>
  db.select({ state: domains.state, count: count() }).from(domains).groupBy(domains.state)

const owned = (db: Db) =>
  db
    .select({
      ...getTableColumns(domains),
      teamId: projects.teamId,
      key: projects.key,
      regionId: projects.regionId,
    })
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .$dynamic()

/** For checks, which act for no user. */
export async function findOwned(db: Db, id: DomainId): Promise<OwnedDomain | undefined> {
  const [domain] = await owned(db).where(eq(domains.id, id))
  return domain
}

/** Every project's domains with these hosts. */
export const listByHosts = (db: Db, hosts: readonly string[]): Promise<OwnedDomain[]> =>
  owned(db)
    .where(inArray(domains.host, [...hosts]))
    .orderBy(asc(domains.createdAt), asc(domains.id))

/** True if a project serves this host: its domain is proven. */
export const isProven = async (db: Db, host: string): Promise<boolean> =>
  (await listByHosts(db, [host])).some(({ state }) => state !== 'pending')

export async function update(
  tx: Tx,
  id: DomainId,
  change: Partial<Omit<Domain, 'id' | 'projectId' | 'host' | 'createdAt'>>,
): Promise<Domain | undefined> {
  const [updated] = await tx.update(domains).set(change).where(eq(domains.id, id)).returning()
  return updated
}

export const demotePrimary = (tx: Tx, projectId: ProjectId) =>
  tx
    .update(domains)
    .set({ role: 'alias' })
    .where(and(eq(domains.projectId, projectId), eq(domains.role, 'primary')))

/**
 * Makes the checks of a project's domains due now, and frequent until `watchedUntil`. An active
 * domain keeps its failed checks: they decide when it has failed.
 */
export const scheduleFrequentChecks = (
  tx: Tx,
  projectId: ProjectId,
  now: Date,
  watchedUntil: Date,
) =>
  tx
    .update(domains)
    .set({
      nextCheckAt: now,
      watchedUntil,
      misses: sql`case when ${domains.state} = 'active' then ${domains.misses} else 0 end`,
    })
    .where(eq(domains.projectId, projectId))

export const remove = (tx: Tx, ids: readonly DomainId[]): Promise<Domain[]> =>
  tx
    .delete(domains)
    .where(inArray(domains.id, [...ids]))
    .returning()

/** The domains whose check is due, with their teams, longest due first, at most one batch. */
export const listDue = (db: Db, now: Date): Promise<Pick<OwnedDomain, 'id' | 'teamId'>[]> =>
  db
    .select({ id: domains.id, teamId: projects.teamId })
    .from(domains)
    .innerJoin(projects, eq(projects.id, domains.projectId))
    .where(lte(domains.nextCheckAt, now))
    .orderBy(asc(domains.nextCheckAt), asc(domains.id))
    .limit(200)

export type ServedDomain = Pick<
  Domain,
  'projectId' | 'host' | 'role' | 'redirectStatus' | 'hsts' | 'hstsEndedAt'
>

/** The proven domains of a project, or of all, the primary one first. */
export const listServed = (db: Db, projectId?: ProjectId): Promise<ServedDomain[]> =>
  db
    .select({
      projectId: domains.projectId,
      host: domains.host,
      role: domains.role,
      redirectStatus: domains.redirectStatus,
      hsts: domains.hsts,
      hstsEndedAt: domains.hstsEndedAt,
    })
    .from(domains)
    .where(
      and(
        ne(domains.state, 'pending'),
        projectId === undefined ? undefined : eq(domains.projectId, projectId),
      ),
    )
    .orderBy(sql`${domains.role} <> 'primary'`, asc(domains.createdAt), asc(domains.id))

export const listReleased = (db: Db, hosts: readonly string[]): Promise<ReleasedDomain[]> =>
  db
    .select()
    .from(releasedDomains)
    .where(inArray(releasedDomains.host, [...hosts]))

/** Stores that a team released a proven domain; the newest release wins. */
export async function saveReleased(tx: Tx, released: ReleasedDomain) {
  const { host, ...change } = released
  await tx
    .insert(releasedDomains)
    .values(released)
    .onConflictDoUpdate({ target: releasedDomains.host, set: change })
}

export const removeReleased = (tx: Tx, host: string) =>
  tx.delete(releasedDomains).where(eq(releasedDomains.host, host))

/** Removes a released domain, unless it was released again since it was read. */
export const removeIfUnchanged = (tx: Tx, { host, releasedAt }: ReleasedDomain) =>
  tx
    .delete(releasedDomains)
    .where(and(eq(releasedDomains.host, host), eq(releasedDomains.releasedAt, releasedAt)))

/** Stores a check of a released domain, unless it was released again since it was read. */
export const updateReleased = (
  tx: Tx,
  { host, releasedAt }: ReleasedDomain,
  change: Pick<ReleasedDomain, 'nextCheckAt' | 'elsewhereSince' | 'silentSince'>,
) =>
  tx
    .update(releasedDomains)
    .set(change)
    .where(and(eq(releasedDomains.host, host), eq(releasedDomains.releasedAt, releasedAt)))

/** The released domains whose check is due, longest due first, at most one batch. */
export const listReleasedDue = (db: Db, now: Date): Promise<ReleasedDomain[]> =>
  db
    .select()
    .from(releasedDomains)
    .where(lte(releasedDomains.nextCheckAt, now))
    .orderBy(asc(releasedDomains.nextCheckAt), asc(releasedDomains.host))
    .limit(20)
