import type { ProjectId } from '@slipway/contract/projects'
import type { TeamId } from '@slipway/contract/teams'
import { and, asc, count, desc, eq, gt, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { projects } from '../projects/projects.schema.ts'
import {
  type CertificateId,
  type CertificateOrderId,
  certificateChallenges,
  certificateOrders,
  certificates,
} from './certificates.schema.ts'

export type Order = typeof certificateOrders.$inferSelect
export type Challenge = typeof certificateChallenges.$inferSelect
type Certificate = typeof certificates.$inferSelect

const time = (text: string | null | undefined) => (text ? new Date(text) : null)

export async function findCertificate(db: Db, id: CertificateId): Promise<Certificate | undefined> {
  const [certificate] = await db.select().from(certificates).where(eq(certificates.id, id))
  return certificate
}

/** Locks a certificate, dropped or not. */
export async function lockCertificate(tx: Tx, id: CertificateId): Promise<Certificate | undefined> {
  const [certificate] = await tx
    .select()
    .from(certificates)
    .where(eq(certificates.id, id))
    .for('update')
  return certificate
}

export async function updateCertificate(db: Db, id: CertificateId, change: Partial<Certificate>) {
  await db.update(certificates).set(change).where(eq(certificates.id, id))
}

export async function removeCertificate(tx: Tx, id: CertificateId) {
  await tx.delete(certificates).where(eq(certificates.id, id))
}

/** Starts the revocation of a dropped certificate. Returns false when it is in use again. */
export async function startRevoking(db: Db, id: CertificateId, now: Date): Promise<boolean> {
  const rows = await db
    .update(certificates)
    .set({ revokingAt: sql`coalesce(${certificates.revokingAt}, ${now})` })
    .where(and(eq(certificates.id, id), isNotNull(certificates.droppedAt)))
    .returning({ id: certificates.id })
  return rows.length === 1
}

/**
 * The certificates that are due. Hosts without one come first, because a user waits for them.
 * `onlyDropped` is for a service without a CA.
 */
export const listDueCertificates = (
  db: Db,
  now: Date,
  { limit, onlyDropped }: { limit: number; onlyDropped: boolean },
): Promise<Pick<Certificate, 'id'>[]> =>
  db
    .select({ id: certificates.id })
    .from(certificates)
    .where(
      and(
        lte(certificates.dueAt, now),
        onlyDropped ? isNotNull(certificates.droppedAt) : undefined,
      ),
    )
    .orderBy(
      sql`${certificates.expiresAt} is not null`,
      asc(certificates.dueAt),
      asc(certificates.id),
    )
    .limit(limit)

export async function findOpenOrder(db: Db, id: CertificateId): Promise<Order | undefined> {
  const [order] = await db
    .select()
    .from(certificateOrders)
    .where(and(eq(certificateOrders.certificateId, id), isNull(certificateOrders.endedAt)))
  return order
}

export async function insertOrder(
  tx: Tx,
  order: typeof certificateOrders.$inferInsert,
): Promise<Order> {
  const [stored] = await tx.insert(certificateOrders).values(order).returning()
  if (!stored) throw new Error('the order was not stored')
  return stored
}

export async function updateOrder(
  db: Db,
  id: CertificateOrderId,
  change: Partial<Pick<Order, 'url' | 'finalizedAt'>>,
) {
  await db.update(certificateOrders).set(change).where(eq(certificateOrders.id, id))
}

/** Ends an order: its key and its challenges are deleted. */
export async function endOrder(tx: Tx, id: CertificateOrderId, outcome: string, now: Date) {
  await tx
    .update(certificateOrders)
    .set({ endedAt: now, outcome, sealedKey: null })
    .where(eq(certificateOrders.id, id))
  await tx.delete(certificateChallenges).where(eq(certificateChallenges.orderId, id))
}

/** The team of a project; null for a host of the service. */
export async function findTeam(db: Db, projectId: ProjectId | null): Promise<TeamId | null> {
  if (projectId === null) return null
  const [project] = await db
    .select({ teamId: projects.teamId })
    .from(projects)
    .where(eq(projects.id, projectId))
  return project?.teamId ?? null
}

/**
 * The orders at a CA that limit the next one: the open ones, and those created since a time, of all
 * and of a team.
 */
export async function countOfAuthority(
  db: Db,
  directory: string,
  teamId: TeamId | null,
  since: Date,
) {
  const [open] = await db
    .select({ count: count() })
    .from(certificateOrders)
    .where(and(eq(certificateOrders.directory, directory), isNull(certificateOrders.endedAt)))
  const isOfTeam = sql`${certificateOrders.teamId} = ${teamId}`
  const oldest = sql<string | null>`min(${certificateOrders.createdAt})`
  const [recent] = await db
    .select({
      count: count(),
      oldest,
      ofTeam: sql<number>`count(*) filter (where ${isOfTeam})`.mapWith(Number),
      oldestOfTeam: sql<string | null>`${oldest} filter (where ${isOfTeam})`,
    })
    .from(certificateOrders)
    .where(and(eq(certificateOrders.directory, directory), gt(certificateOrders.createdAt, since)))
  return {
    open: open?.count ?? 0,
    recent: { count: recent?.count ?? 0, oldest: time(recent?.oldest) },
    ofTeam: { count: recent?.ofTeam ?? 0, oldest: time(recent?.oldestOfTeam) },
  }
}

/** The orders of a host at a CA since a time, newest first. */
export const listOfHost = (db: Db, host: string, directory: string, since: Date) =>
  db
    .select({ createdAt: certificateOrders.createdAt, outcome: certificateOrders.outcome })
    .from(certificateOrders)
    .where(
      and(
        eq(certificateOrders.host, host),
        eq(certificateOrders.directory, directory),
        gt(certificateOrders.createdAt, since),
      ),
    )
    .orderBy(desc(certificateOrders.createdAt))
    .limit(100)

export async function saveChallenge(db: Db, challenge: typeof certificateChallenges.$inferInsert) {
  const { orderId, response, type } = challenge
  await db
    .insert(certificateChallenges)
    .values(challenge)
    .onConflictDoUpdate({
      target: [certificateChallenges.host, certificateChallenges.token],
      // The CA may use one authorization for a later order, too.
      set: { orderId, response, type },
    })
}

export const listChallenges = (db: Db, id: CertificateOrderId): Promise<Challenge[]> =>
  db
    .select()
    .from(certificateChallenges)
    .where(eq(certificateChallenges.orderId, id))
    .orderBy(asc(certificateChallenges.token))

/** Removes ended orders that are too old to count for a limit. */
export async function removeOrdersBefore(db: Db, time: Date) {
  await db
    .delete(certificateOrders)
    .where(and(lt(certificateOrders.createdAt, time), isNotNull(certificateOrders.endedAt)))
}
