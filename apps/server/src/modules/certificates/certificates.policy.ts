import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { CertificateProblem, CertificateState } from '@slipway/contract/domains'
import { day, hour, minute } from '@slipway/contract/limits'
import type { Env } from '../../env/env.ts'
import type { ChallengeType, ExpiryNotice } from './certificates.schema.ts'

const after = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds)

/** The state of a host's certificate: `active` until it expires, also while its renewal fails. */
export function stateOf(
  { expiresAt, problem }: { expiresAt: Date | null; problem: CertificateProblem | null },
  now: Date,
): CertificateState {
  if (expiresAt !== null && expiresAt > now) return 'active'
  return problem === null && expiresAt === null ? 'pending' : 'failed'
}

/** A number from 0 to 1 that is always the same for a name: it spreads work over time. */
export const spread = (name: string) =>
  createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32

type Validity = { startsAt: Date; expiresAt: Date }

const lifeOf = ({ startsAt, expiresAt }: Validity) => expiresAt.getTime() - startsAt.getTime()

/**
 * When a certificate is renewed: with a third of its life left, or up to a tenth of that earlier,
 * so that renewals are spread.
 */
export function renewalTime(host: string, validity: Validity): Date {
  const third = lifeOf(validity) / 3
  return after(validity.expiresAt, -third - (third / 10) * spread(host))
}

/**
 * When a certificate is renewed in the window that the CA suggests (RFC 9773 §4.2). No CA can
 * postpone it to the last ninth of its life.
 */
export function suggestedRenewalTime(
  host: string,
  validity: Validity,
  { start, end }: { start: Date; end: Date },
): Date {
  const suggested = after(start, (end.getTime() - start.getTime()) * spread(host))
  const last = after(validity.expiresAt, -lifeOf(validity) / 9)
  return suggested < last ? suggested : last
}

/** How long until the CA's renewal information is read again (RFC 9773 §4.3.2). */
export const renewalCheckDelay = (retryAfter: number | undefined) =>
  Math.min(Math.max(retryAfter ?? 6 * hour, hour), day)

/**
 * The delay before the next attempt, by the number of consecutive failures: five minutes, doubled
 * each time, up to a day. The name adds up to a tenth, so that attempts are spread.
 */
export const retryDelay = (failures: number, name: string) =>
  Math.min(5 * minute * 2 ** Math.max(0, failures - 1), day) * (1 + spread(name) / 10)

/**
 * The pause for a CA that does not respond: from half a minute, doubled each time, up to an hour.
 */
export const pauseDelay = (failures: number) =>
  Math.min((minute / 2) * 2 ** Math.max(0, failures - 1), hour)

export const maxRetryAfter = 7 * day

export const openOrdersPerAuthority = 8
/**
 * The window of `ACME_ORDER_LIMIT`: Let's Encrypt counts new orders over three hours. A minute
 * longer, because it counts an order when it arrives, and we count it before it is sent.
 */
export const authorityWindow = 3 * hour + minute
/** Orders of one team at one CA in the window, so that its domains cannot use up our limit. */
export const ordersPerTeam = (limit: number) => Math.max(50, Math.floor(limit / 5))
/** Orders of first certificates in the window: a fifth of the limit is reserved for renewals. */
export const firstOrders = (limit: number) => limit - Math.floor(limit / 5)
/**
 * Orders of one host at one CA, so that a user cannot use up the CA's limits. Let's Encrypt allows
 * five failed validations of a host in an hour, and five equal certificates in a week.
 */
const hostLimits = {
  interval: 5 * minute,
  hour: 4,
  issuedInWeek: 4,
}

export type PastOrder = { createdAt: Date; outcome: string | null }

/**
 * When a host may be ordered again at a CA, by its past orders there, newest first; null when at
 * once.
 */
export function nextOrderTime(orders: readonly PastOrder[], now: Date): Date | null {
  const issued = orders.filter(({ outcome }) => outcome === 'issued')
  const times = [
    after(orders[0]?.createdAt ?? new Date(0), hostLimits.interval),
    after(orders[hostLimits.hour - 1]?.createdAt ?? new Date(0), hour),
    after(issued[hostLimits.issuedInWeek - 1]?.createdAt ?? new Date(0), 7 * day),
  ]
  const last = new Date(Math.max(...times.map((time) => time.getTime())))
  return last > now ? last : null
}

/** Ended orders older than this count for no limit. */
export const orderRetention = 8 * day

/** How long one job waits for a CA's next step. The next job continues. */
export const pollTimeout = minute
/** The delay before a CA is polled again, in milliseconds. */
export const pollDelay = (polls: number) => Math.min(100 * 1.5 ** polls, 5_000)
/** The longest time of an order that the CA does not finish. */
export const orderLifetime = hour
/** When a sweep continues an order whose worker was killed. */
export const orderLease = 2 * minute

/** A certificate may start this long after our time: clocks differ a little. */
export const clockTolerance = 5 * minute

/**
 * The email that is due for a certificate that was not renewed: three weeks before its end, one
 * week, and at its end. For one that is valid for less than 90 days the times are shorter in
 * proportion, so that they are sent after several failed renewals.
 */
export function dueNotice(validity: Validity, now: Date): ExpiryNotice | null {
  const timeLeft = validity.expiresAt.getTime() - now.getTime()
  const share = Math.min(1, lifeOf(validity) / (90 * day))
  if (timeLeft <= 0) return 'expired'
  if (timeLeft <= 7 * day * share) return 'one_week'
  return timeLeft <= 21 * day * share ? 'three_weeks' : null
}

const order: readonly (ExpiryNotice | null)[] = [null, 'three_weeks', 'one_week', 'expired']

export const isLaterNotice = (notice: ExpiryNotice | null, than: ExpiryNotice | null) =>
  order.indexOf(notice) > order.indexOf(than)

/**
 * The service's own hosts that get a certificate of the CA, unless files have one: the console, and
 * the wildcard of the sites, which needs a hook for DNS (RFC 8555 §8.4).
 */
export function ownHosts(env: Env): { host: string; challenge: ChallengeType }[] {
  if (env.ACME_DIRECTORY === undefined || env.SITES_TLS_PORT === undefined) return []
  const { protocol, hostname } = new URL(env.PUBLIC_URL)
  const hasHook = env.ACME_DNS_HOOK !== undefined
  const needsConsoleCertificate =
    env.CONSOLE_TLS_CERTIFICATE === undefined && protocol === 'https:' && isPublicName(hostname)
  const needsWildcardCertificate =
    env.SITES_TLS_CERTIFICATE === undefined && hasHook && isPublicName(env.SITES_DOMAIN)
  return [
    ...(needsConsoleCertificate
      ? [{ host: hostname, challenge: hasHook ? ('dns-01' as const) : ('http-01' as const) }]
      : []),
    ...(needsWildcardCertificate
      ? [{ host: `*.${env.SITES_DOMAIN}`, challenge: 'dns-01' as const }]
      : []),
  ]
}

/** True for a name that a CA may issue a certificate for: neither an address nor a local name. */
const isPublicName = (host: string) =>
  host.includes('.') && !/(^|\.)localhost$/.test(host) && isIP(host.replace(/^\[|\]$/g, '')) === 0
