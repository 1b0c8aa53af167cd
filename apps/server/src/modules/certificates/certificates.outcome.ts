import { hour, minute } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import type { Context, Tx } from '../../context.ts'
import * as events from '../events/events.service.ts'
import * as accounts from './certificates.accounts.store.ts'
import {
  type AcmeError,
  limitsOnlyHost,
  mayDifferElsewhere,
  problemOf,
} from './certificates.acme-error.ts'
import type { IssuedCertificate } from './certificates.chain.ts'
import { countOrder } from './certificates.metrics.ts'
import { emailRenewed } from './certificates.notices.ts'
import * as orders from './certificates.orders.store.ts'
import {
  orderLifetime,
  pauseDelay,
  renewalTime,
  retryDelay,
  spread,
} from './certificates.policy.ts'
import * as store from './certificates.store.ts'
import { sealCertificate } from './certificates.with-key.ts'

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)

/** Stores an issued certificate with its key in place of the old one, and ends its order. */
export async function succeed(
  ctx: Context,
  order: orders.Order,
  { certificateWithKey, ...issued }: IssuedCertificate,
  { hasRenewalInfo }: { hasRenewalInfo: boolean },
) {
  await ctx.write(async (tx) => {
    const certificate = await lockOf(tx, order)
    const { id, host } = certificate
    const now = ctx.clock.now()
    const renewAt = renewalTime(host, issued)
    await orders.updateCertificate(tx, id, {
      ...issued,
      sealed: sealCertificate(ctx.sealing, id, certificateWithKey),
      directory: order.directory,
      renewAt,
      // The CA's own time of the renewal is read by the next job.
      dueAt: certificate.droppedAt ? now : hasRenewalInfo ? after(now, minute) : renewAt,
      problem: null,
      detail: null,
      checkedAt: now,
      failures: 0,
      useFallback: false,
      notice: null,
    })
    await orders.endOrder(tx, order.id, 'issued', now)
    await resumeAuthority(tx, order.directory)
    if (certificate.notice !== null) await emailRenewed(ctx, tx, { ...certificate, ...issued })
    await store.notify(tx, host)
    await publishProjectChange(tx, certificate.projectId)
  })
  countOrder('issued')
}

/**
 * Stores why an order failed and when the next one begins. False when the same order continues once
 * its CA responds again.
 */
export async function fail(ctx: Context, order: orders.Order, error: AcmeError): Promise<boolean> {
  const problem = problemOf(error)
  const isAuthorityPaused =
    error.isOutage || (problem === 'rate_limited' && !limitsOnlyHost(error, order.host))
  const hasEnded = await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const pausedUntil = isAuthorityPaused ? await pauseAuthority(ctx, tx, order, error) : null
    const certificate = await lockOf(tx, order)
    const change = { problem, detail: error.message || null, checkedAt: now }
    if (error.isOutage && mustKeep(ctx, order, now)) {
      const dueAt = after(pausedUntil ?? now, (minute / 2) * spread(order.host))
      await orders.updateCertificate(tx, certificate.id, { ...change, dueAt })
      await publishProjectChange(tx, certificate.projectId)
      return false
    }
    await orders.endOrder(tx, order.id, problem, now)
    await orders.updateCertificate(tx, certificate.id, {
      ...change,
      ...nextAttempt(ctx, certificate, order, { error, pausedUntil }),
      ...(certificate.droppedAt ? { dueAt: now } : {}),
    })
    await publishProjectChange(tx, certificate.projectId)
    return true
  })
  ctx.log.warn(
    { host: order.host, directory: order.directory, problem, reason: error.message },
    hasEnded ? 'a certificate was not issued' : 'the certificate authority does not respond',
  )
  if (hasEnded) countOrder(problem)
  return hasEnded
}

/**
 * True if the order continues once its CA responds again, for an hour at most, so that nothing is
 * ordered twice: every order if there is no other CA, and orders whose certificate may have been
 * issued.
 */
const mustKeep = (
  { env }: Context,
  { directory, finalizedAt, createdAt }: orders.Order,
  now: Date,
) =>
  createdAt > after(now, -orderLifetime) &&
  (finalizedAt !== null ||
    env.ACME_FALLBACK_DIRECTORY === undefined ||
    directory !== env.ACME_DIRECTORY)

/**
 * After a failure of the first CA that may not happen at another CA, the next attempt uses the
 * fallback CA, at once. After a failure of the fallback CA, the next attempt waits, and uses the
 * first CA again.
 */
function nextAttempt(
  { env, clock }: Context,
  { host, failures }: store.Certificate,
  { directory }: orders.Order,
  failure: {
    error: AcmeError
    pausedUntil: Date | null
  },
) {
  const now = clock.now()
  const { error, pausedUntil } = failure
  const hasFallback = env.ACME_FALLBACK_DIRECTORY !== undefined && directory === env.ACME_DIRECTORY
  if (hasFallback && mayDifferElsewhere(error)) return { useFallback: true, dueAt: now }
  if (pausedUntil !== null)
    return { useFallback: false, dueAt: after(pausedUntil, (minute / 2) * spread(host)) }
  const delay = Math.max(retryDelay(failures + 1, host), error.retryAfter ?? 0)
  return { useFallback: false, failures: failures + 1, dueAt: after(now, delay) }
}

/** Pauses all orders at a CA until its Retry-After, or with backoff. */
async function pauseAuthority(
  ctx: Context,
  tx: Tx,
  { directory }: orders.Order,
  { isOutage, retryAfter }: AcmeError,
): Promise<Date | null> {
  const account = await accounts.lock(tx, directory)
  if (!account) return null
  const now = ctx.clock.now()
  // Orders in progress fail together: that is one failure.
  const isNew = account.pausedUntil === null || account.pausedUntil <= now
  const failures = isNew ? account.failures + 1 : account.failures
  const delay = Math.max(retryAfter ?? 0, isOutage ? pauseDelay(failures) : (retryAfter ?? hour))
  const pausedUntil = after(now, delay)
  const latest =
    isNew || pausedUntil > (account.pausedUntil ?? now) ? pausedUntil : account.pausedUntil
  await accounts.update(tx, account, { pausedUntil: latest, failures })
  return latest
}

async function resumeAuthority(tx: Tx, directory: string) {
  const account = await accounts.lock(tx, directory)
  if (account && account.failures > 0)
    await accounts.update(tx, account, { pausedUntil: null, failures: 0 })
}

async function lockOf(tx: Tx, { certificateId, id }: orders.Order): Promise<store.Certificate> {
  const certificate = certificateId && (await orders.lockCertificate(tx, certificateId))
  // A certificate is deleted after its open order, under the same lock of the host.
  if (!certificate) throw new Error(`the order ${id} has no certificate`)
  return certificate
}

async function publishProjectChange(tx: Tx, projectId: ProjectId | null) {
  if (projectId !== null)
    await events.publish(tx, { kind: 'Project', data: { type: 'Updated', projectId } })
}
