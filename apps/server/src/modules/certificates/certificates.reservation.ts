import { hour } from '@slipway/contract/limits'
import type { TeamId } from '@slipway/contract/teams'
import type { Context, Tx } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import * as accounts from './certificates.accounts.store.ts'
import { findOrCreateAccount } from './certificates.accounts.ts'
import * as orders from './certificates.orders.store.ts'
import {
  authorityWindow,
  firstOrders,
  nextOrderTime,
  openOrdersPerAuthority,
  orderLease,
  orderRetention,
  ordersPerTeam,
  spread,
} from './certificates.policy.ts'
import { orderKeys } from './certificates.sealed.ts'
import type { Certificate } from './certificates.store.ts'

/** Orders now, not before a time, or once another order has ended. */
type Verdict = 'now' | 'later' | { until: Date; of: 'host' | 'team' | 'authority' }

/**
 * Stores an order, with its new key, at the CA that is due for the host, or at the other CA while
 * that one is paused or our limit there is reached. Returns undefined if the host has to wait: the
 * time of its next attempt is stored.
 */
export async function reserve(
  ctx: Context,
  certificate: Certificate,
): Promise<orders.Order | undefined> {
  const waits: Date[] = []
  const teamId = await orders.findTeam(ctx.db, certificate.projectId)
  for (const directory of directoriesFor(ctx, certificate)) {
    await findOrCreateAccount(ctx, directory)
    const { newKey } = await import('./certificates.acme.ts')
    const key = await newKey()
    const result = await ctx.write(async (tx) => {
      const verdict = await judge(ctx, tx, certificate, { teamId, directory })
      return verdict === 'now' ? store(ctx, tx, certificate, { teamId, directory, key }) : verdict
    })
    if (result === 'later') return undefined
    if ('id' in result) return result
    waits.push(result.until)
    if (result.of !== 'authority') break
  }
  const first = Math.min(...waits.map((time) => time.getTime()))
  // Hosts that wait for the same time are spread over half a minute.
  const dueAt = new Date(first + 30_000 * spread(certificate.host))
  await orders.updateCertificate(ctx.db, certificate.id, { dueAt })
  return undefined
}

/** The CAs to try, in order. */
function directoriesFor({ env }: Pick<Context, 'env'>, { useFallback }: Certificate): string[] {
  const { ACME_DIRECTORY: first, ACME_FALLBACK_DIRECTORY: fallback } = env
  const directories = [first, fallback].filter((directory) => directory !== undefined)
  return useFallback ? directories.reverse() : directories
}

/**
 * Whether our limits allow an order. Locks the account: one transaction at a time counts orders.
 */
async function judge(
  ctx: Context,
  tx: Tx,
  { host, projectId, expiresAt }: Certificate,
  { teamId, directory }: { teamId: TeamId | null; directory: string },
): Promise<Verdict> {
  const now = ctx.clock.now()
  const account = await accounts.lock(tx, directory)
  if (account?.pausedUntil && account.pausedUntil > now)
    return { until: account.pausedUntil, of: 'authority' }
  const since = new Date(now.getTime() - orderRetention)
  const hostTime = nextOrderTime(await orders.listOfHost(tx, host, directory, since), now)
  if (hostTime) return { until: hostTime, of: 'host' }
  const windowStart = new Date(now.getTime() - authorityWindow)
  const { open, recent, ofTeam } = await orders.countOfAuthority(tx, directory, teamId, windowStart)
  const windowEnd = ({ oldest }: { oldest: Date | null }) =>
    new Date((oldest?.getTime() ?? now.getTime() + hour) + authorityWindow)
  const limit = ctx.env.ACME_ORDER_LIMIT
  if (teamId !== null && ofTeam.count >= ordersPerTeam(limit))
    return { until: windowEnd(ofTeam), of: 'team' }
  const isRenewal = expiresAt !== null || projectId === null
  if (recent.count >= (isRenewal ? limit : firstOrders(limit)))
    return { until: windowEnd(recent), of: 'authority' }
  return open >= openOrdersPerAuthority ? 'later' : 'now'
}

async function store(
  ctx: Context,
  tx: Tx,
  { id: certificateId, host }: Certificate,
  { teamId, directory, key }: { teamId: TeamId | null; directory: string; key: string },
) {
  const now = ctx.clock.now()
  const id = newId<'CertificateOrder'>()
  const sealedKey = orderKeys.seal(ctx.sealing, id, key)
  await orders.updateCertificate(tx, certificateId, { dueAt: new Date(now.getTime() + orderLease) })
  return orders.insertOrder(tx, {
    id,
    certificateId,
    host,
    teamId,
    directory,
    sealedKey,
    createdAt: now,
  })
}
