import type { ProjectId } from '@slipway/contract/projects'
import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../db/ids.ts'
import { certificateChallenges, certificates } from './certificates.schema.ts'

export type Certificate = typeof certificates.$inferSelect

/** The PostgreSQL channel on which gateways receive the hosts whose certificate changed. */
export const channel = 'slipway_certificates'

/** Has every gateway read the certificate of the host again, once the transaction commits. */
export async function announce(tx: Tx, host: string) {
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

/** Takes back the newest dropped certificate of a host whose revocation has not begun. */
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

/** The certificate that gateways serve for a host. */
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

/** The response to a challenge of an open order. */
export async function findChallenge(
  db: Db,
  host: string,
  token: string,
): Promise<string | undefined> {
  const [challenge] = await db
    .select({ response: certificateChallenges.response })
    .from(certificateChallenges)
    .where(
      and(
        eq(certificateChallenges.host, host),
        eq(certificateChallenges.token, token),
        eq(certificateChallenges.type, 'http-01'),
      ),
    )
  return challenge?.response
}
