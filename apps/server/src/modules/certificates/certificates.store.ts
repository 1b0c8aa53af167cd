import { certificateProblems } from '@slipway/contract/domains'
import { day } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { and, asc, count, eq, gt, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { users } from '../account/account.schema.ts'
import { projects } from '../projects/projects.schema.ts'
import { teamMembers } from '../teams/teams.schema.ts'
import { certificateChallenges, certificates } from './certificates.schema.ts'

export type Certificate = typeof certificates.$inferSelect

/** The PostgreSQL channel on which gateways receive the hosts whose certificate changed. */
export const channel = 'slipway_certificates'

/** Makes every gateway read the certificate of the host again, once the transaction commits. */
export async function notify(tx: Tx, host: string) {
  await tx.execute(sql`select pg_notify(${channel}, ${host})`)
}

const isCurrent = isNull(certificates.droppedAt)

/** Locks the certificate of a host, unless it was dropped. */
export async function lockByHost(tx: Tx, host: string): Promise<Certificate | undefined> {
  const [certificate] = await tx
    .select()
    .from(certificates)
    .where(and(eq(certificates.host, host), isCurrent))
    .for('update')
  return certificate
}

/** Stores a certificate to order; undefined when the host has one. */
export async function insert(
  tx: Tx,
  values: Pick<Certificate, 'host' | 'projectId' | 'challenge'>,
  now: Date,
): Promise<Certificate | undefined> {
  const [certificate] = await tx
    .insert(certificates)
    .values({ ...values, id: newId<'Certificate'>(), dueAt: now, createdAt: now })
    .onConflictDoNothing({ target: certificates.host, where: isCurrent })
    .returning()
  return certificate
}

/** Restores the newest dropped certificate of a host whose revocation has not begun. */
export async function restore(
  tx: Tx,
  { host, projectId, challenge }: Pick<Certificate, 'host' | 'projectId' | 'challenge'>,
): Promise<Certificate | undefined> {
  const [dropped] = await tx
    .select({ id: certificates.id })
    .from(certificates)
    .where(
      and(
        eq(certificates.host, host),
        isNotNull(certificates.droppedAt),
        isNull(certificates.revokingAt),
        eq(certificates.challenge, challenge),
      ),
    )
    .orderBy(sql`${certificates.id} desc`)
    .limit(1)
    .for('update')
  if (!dropped) return undefined
  const [certificate] = await tx
    .update(certificates)
    .set({ projectId, droppedAt: null })
    .where(eq(certificates.id, dropped.id))
    .returning()
  return certificate
}

export async function setProject(tx: Tx, { id }: Certificate, projectId: ProjectId | null) {
  await tx.update(certificates).set({ projectId }).where(eq(certificates.id, id))
}

/** Makes a certificate due at `time`, or leaves an earlier due time. */
export async function setDue(tx: Tx, { id }: Certificate, time: Date) {
  await tx
    .update(certificates)
    .set({ dueAt: sql`least(${certificates.dueAt}, ${time})` })
    .where(eq(certificates.id, id))
}

/** Ends the use of a host's certificate; undefined when it has none. */
export async function drop(tx: Tx, host: string, now: Date): Promise<Certificate | undefined> {
  const [certificate] = await tx
    .update(certificates)
    .set({ droppedAt: now, dueAt: now })
    .where(and(eq(certificates.host, host), isCurrent))
    .returning()
  return certificate
}

export const listByHosts = (db: Db, hosts: readonly string[]): Promise<Certificate[]> =>
  db
    .select()
    .from(certificates)
    .where(and(inArray(certificates.host, [...hosts]), isCurrent))
    .orderBy(asc(certificates.host))

const served = {
  id: certificates.id,
  host: certificates.host,
  sealed: certificates.sealed,
  fingerprint: certificates.fingerprint,
}
export type ServedCertificate = Pick<Certificate, keyof typeof served>

const isServed = and(isCurrent, isNotNull(certificates.sealed))

export async function findServed(db: Db, host: string): Promise<ServedCertificate | undefined> {
  const [certificate] = await db
    .select(served)
    .from(certificates)
    .where(and(eq(certificates.host, host), isServed))
  return certificate
}

/** A page of the certificates that gateways serve, after the one with this id. */
export const listServed = (
  db: Db,
  after: ServedCertificate | undefined,
  limit: number,
): Promise<ServedCertificate[]> =>
  db
    .select(served)
    .from(certificates)
    .where(and(isServed, after && gt(certificates.id, after.id)))
    .orderBy(asc(certificates.id))
    .limit(limit)

/** The HTTP-01 challenges of all open orders, of which each CA has eight at most. */
export const listHttpChallenges = (db: Db) =>
  db
    .select({
      host: certificateChallenges.host,
      token: certificateChallenges.token,
      response: certificateChallenges.response,
    })
    .from(certificateChallenges)
    .where(eq(certificateChallenges.type, 'http-01'))
    .orderBy(asc(certificateChallenges.host), asc(certificateChallenges.token))

export type HttpChallenge = Awaited<ReturnType<typeof listHttpChallenges>>[number]

/** The certificates of projects that expire before a time, and whose last renewal failed. */
export const listUnrenewed = (db: Db, before: Date): Promise<Certificate[]> =>
  db
    .select()
    .from(certificates)
    .where(
      and(
        isCurrent,
        lte(certificates.expiresAt, before),
        isNotNull(certificates.problem),
        isNotNull(certificates.projectId),
      ),
    )
    .orderBy(asc(certificates.expiresAt), asc(certificates.id))
    .limit(1_000)

/** The project of a certificate and the members of its team, who get its emails. */
export const listRecipients = (db: Db, projectId: ProjectId) =>
  db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      locale: users.locale,
      project: { key: projects.key, name: projects.name },
    })
    .from(projects)
    .innerJoin(teamMembers, eq(teamMembers.teamId, projects.teamId))
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(eq(projects.id, projectId))
    .orderBy(asc(users.id))

/** The hosts of the service itself that have a certificate, or should have one. */
export const listOwn = (db: Db): Promise<Pick<Certificate, 'host' | 'challenge'>[]> =>
  db
    .select({ host: certificates.host, challenge: certificates.challenge })
    .from(certificates)
    .where(and(isCurrent, isNull(certificates.projectId)))
    .orderBy(asc(certificates.host))

/** The first expiry of the service's own certificates; `now` if one of them was never issued. */
export async function findFirstOwnEnd(db: Db, now: Date): Promise<Date | undefined> {
  const [first] = await db
    .select({ expiresAt: certificates.expiresAt })
    .from(certificates)
    .where(and(isCurrent, isNull(certificates.projectId)))
    .orderBy(sql`${certificates.expiresAt} nulls first`)
    .limit(1)
  return first && (first.expiresAt ?? now)
}

/** The ranges of days until certificates expire; a certificate is in the smallest. */
const dayRanges = [0, 7, 21, 30]

/** Counts the certificates by their days left, and the hosts whose last order failed. */
export async function countAll(db: Db, now: Date) {
  const { expiresAt, problem } = certificates
  const limits = dayRanges.map(
    (days) =>
      sql`when ${expiresAt} <= ${new Date(now.getTime() + days * day)} then ${String(days)}`,
  )
  const daysLeft = sql<string>`case when ${expiresAt} is null then 'none' ${sql.join(limits, sql` `)} else 'more' end`
  const rows = await db
    .select({ daysLeft: daysLeft.as('days_left'), problem, count: count() })
    .from(certificates)
    .where(isCurrent)
    .groupBy(sql`days_left`, problem)
  const sum = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, row) => total + row.count, 0)
  return {
    byDaysLeft: ['none', ...dayRanges.map(String), 'more'].map((range) => ({
      daysLeft: range,
      count: sum((row) => row.daysLeft === range),
    })),
    byProblem: certificateProblems.map((each) => ({
      problem: each,
      count: sum((row) => row.problem === each),
    })),
  }
}
