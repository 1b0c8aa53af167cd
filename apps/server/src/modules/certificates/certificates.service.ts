import type { ProjectId } from '@slipway/contract/projects'
import type { Context, Db, Tx } from '../../context.ts'
import { type CertificateState, stateOf } from './certificates.policy.ts'
import type { CertificateProblem, ChallengeType } from './certificates.schema.ts'
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
  /** The CA's own words. */
  detail: string | null
  /** The end of the last attempt. */
  checkedAt: Date | null
}

/**
 * Requests a certificate for a host whose ownership is proven, in lower case as DNS has it. A host
 * that has one keeps it, also when it moves to another project.
 */
export const want = (
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  { host, projectId }: { host: string; projectId: ProjectId },
): Promise<void> => request(ctx, tx, { host, projectId, challenge: 'http-01' })

async function request(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  wanted: { host: string; projectId: ProjectId | null; challenge: ChallengeType },
) {
  const { host, projectId } = wanted
  const existing =
    (await store.lockByHost(tx, host)) ??
    (await store.restore(tx, wanted)) ??
    (await store.insert(tx, wanted, ctx.clock.now())) ??
    // Another transaction inserted it meanwhile.
    (await store.lockByHost(tx, host))
  if (existing && existing.projectId !== projectId) await store.setProject(tx, existing, projectId)
  await store.announce(tx, host)
}

/** Ends the use of a host's certificate at once; a job revokes and deletes it. */
export async function drop(ctx: Pick<Context, 'clock'>, tx: Tx, host: string): Promise<void> {
  if (await store.drop(tx, host, ctx.clock.now())) await store.announce(tx, host)
}

/** The certificates of these hosts, of those that should have one. */
export async function certificatesOf(
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
