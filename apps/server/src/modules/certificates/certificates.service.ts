import type { CertificateProblem, CertificateState } from '@slipway/contract/domains'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context, Db, Tx } from '../../context.ts'
import type { Env } from '../../env/env.ts'
import * as orders from './certificates.orders.store.ts'
import { orderRetention, ownHosts, stateOf } from './certificates.policy.ts'
import type { ChallengeType } from './certificates.schema.ts'
import * as store from './certificates.store.ts'

/** The certificate of a host, for its project's page. */
export type CertificateStatus = {
  state: CertificateState
  /** The name of the CA; null before the first certificate. */
  issuer: string | null
  expiresAt: Date | null
  /** When the next one is ordered; null before the first. */
  renewAt: Date | null
  /** Why the last attempt failed; null unless it did. */
  problem: CertificateProblem | null
  /** The CA's error text. */
  detail: string | null
  /** The end of the last attempt. */
  checkedAt: Date | null
}

/** The issuer names of CAs in CAA records (RFC 8659 §4.2), by the host of their directory. */
const caaIssuers: [RegExp, string][] = [
  [/(^|\.)letsencrypt\.org$/, 'letsencrypt.org'],
  [/(^|\.)zerossl\.com$/, 'sectigo.com'],
  [/(^|\.)pki\.goog$/, 'pki.goog'],
  [/(^|\.)buypass\.(com|no)$/, 'buypass.com'],
  [/(^|\.)ssl\.com$/, 'ssl.com'],
]

/** The CAA names of the configured CAs; empty if one of them is unknown. */
export function caaIssuersOf(
  env: Pick<Env, 'ACME_DIRECTORY' | 'ACME_FALLBACK_DIRECTORY'>,
): string[] {
  const used = [env.ACME_DIRECTORY, env.ACME_FALLBACK_DIRECTORY].filter((url) => url !== undefined)
  const names = used.map((url) => {
    const host = new URL(url).hostname
    return caaIssuers.find(([pattern]) => pattern.test(host))?.[1]
  })
  const validNames = names.filter((name) => name !== undefined)
  return validNames.length === names.length ? validNames : []
}

export const certificateJobName = 'certificates.process'

type WriteContext = Pick<Context, 'clock' | 'env' | 'jobs'>

/** Enqueues the job of a certificate, unless it is queued. */
const enqueue = (
  ctx: Pick<Context, 'jobs'>,
  tx: Tx,
  { id }: Pick<store.Certificate, 'id'>,
): Promise<void> =>
  ctx.jobs.send(tx, certificateJobName, { certificateId: id }, { singletonKey: id })

/**
 * Requests a certificate for a host of a project. The host is in lower case, and its ownership is
 * proven. An existing certificate of the host stays, also when the host moves to another project.
 */
export const requestForProject = (
  ctx: WriteContext,
  tx: Tx,
  { host, projectId }: { host: string; projectId: ProjectId },
): Promise<void> => request(ctx, tx, { host, projectId, challenge: 'http-01' })

async function request(
  ctx: WriteContext,
  tx: Tx,
  certificateRequest: { host: string; projectId: ProjectId | null; challenge: ChallengeType },
) {
  const { host, projectId } = certificateRequest
  const now = ctx.clock.now()
  const certificate =
    (await store.lockByHost(tx, host)) ??
    (await store.restore(tx, certificateRequest)) ??
    (await store.insert(tx, certificateRequest, now)) ??
    // Another transaction inserted the certificate meanwhile.
    (await store.lockByHost(tx, host))
  if (!certificate) throw new Error(`${host} was dropped while it was requested`)
  if (certificate.projectId !== projectId) await store.setProject(tx, certificate, projectId)
  // The owner of the domain may have fixed the cause of the failure. The rate limits of a host
  // still apply.
  if (stateOf(certificate, now) !== 'active') await store.setDue(tx, certificate, now)
  await store.notify(tx, host)
  if (ctx.env.ACME_DIRECTORY !== undefined) await enqueue(ctx, tx, certificate)
}

/** Stops serving a host's certificate at once; a job revokes and deletes it. */
export async function drop(ctx: WriteContext, tx: Tx, host: string): Promise<void> {
  const dropped = await store.drop(tx, host, ctx.clock.now())
  if (!dropped) return
  await store.notify(tx, host)
  await enqueue(ctx, tx, dropped)
}

/** Requests the certificates of the service's own hosts; drops those of hosts it had before. */
export async function requestOwnCertificates(ctx: Context): Promise<void> {
  const configuredHosts = ownHosts(ctx.env)
  const existing = await store.listOwn(ctx.db)
  const isIn = (all: typeof configuredHosts) => (each: (typeof configuredHosts)[number]) =>
    all.some(({ host, challenge }) => host === each.host && challenge === each.challenge)
  const missing = configuredHosts.filter((each) => !isIn(existing)(each))
  const former = existing.filter((each) => !isIn(configuredHosts)(each))
  if (missing.length + former.length === 0) return
  await ctx.write(async (tx) => {
    for (const { host } of former) await drop(ctx, tx, host)
    for (const each of missing) await request(ctx, tx, { ...each, projectId: null })
  })
}

const sweepBatch = 32

/** Enqueues every certificate that is due, including those whose worker was killed. */
export async function sweep(ctx: Context, limit = sweepBatch): Promise<void> {
  const due = await orders.listDueCertificates(ctx.db, ctx.clock.now(), {
    limit,
    onlyDropped: ctx.env.ACME_DIRECTORY === undefined,
  })
  if (due.length === 0) return
  await ctx.write(async (tx) => {
    // Sorted, so that two concurrent sweeps cannot deadlock.
    for (const certificate of due.toSorted((first, second) => (first.id < second.id ? -1 : 1)))
      await enqueue(ctx, tx, certificate)
  })
}

/** Removes orders older than every rate limit's window. */
export const removeOldOrders = (ctx: Pick<Context, 'db' | 'clock'>): Promise<void> =>
  orders.removeOrdersBefore(ctx.db, new Date(ctx.clock.now().getTime() - orderRetention))

/** The certificate status of each host that has a current certificate. */
export async function statusByHost(
  db: Db,
  hosts: readonly string[],
  now: Date,
): Promise<Map<string, CertificateStatus>> {
  const rows = hosts.length === 0 ? [] : await store.listByHosts(db, hosts)
  return new Map(rows.map((row) => [row.host, toStatus(row, now)]))
}

function toStatus(row: store.Certificate, now: Date): CertificateStatus {
  const state = stateOf(row, now)
  return {
    state,
    issuer: row.issuer,
    expiresAt: row.expiresAt,
    renewAt: row.renewAt,
    // An expired certificate that no attempt replaced, such as while no worker ran.
    problem: row.problem ?? (state === 'failed' ? 'internal' : null),
    detail: row.detail,
    checkedAt: row.checkedAt,
  }
}
