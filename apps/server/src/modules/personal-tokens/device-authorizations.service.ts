import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { ResponseOf } from '@slipway/contract/endpoint'
import { second } from '@slipway/contract/limits'
import {
  type Device,
  formatUserCode,
  type pollDevice,
  type requestDevice,
  userCodeLetters,
} from '@slipway/contract/personal-tokens'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Context, RequestContext, SessionContext, Tx, UserContext } from '../../context.ts'
import { Problem, problem } from '../../problem.ts'
import { logSecurityEvent } from '../../security-events.ts'
import * as account from '../account/account.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import * as store from './device-authorizations.store.ts'
import { type Grant, issue, requireGrantable } from './personal-tokens.service.ts'

// Device authorization in the shape of RFC 8628.

const hash = (code: string) => createHash('sha256').update(code).digest()

/**
 * One of 20^8 codes. At 20 attempts per user in 15 minutes, 1,000 pending codes cannot be guessed
 * within their ten minutes (RFC 8628 §5.1).
 */
const newUserCode = () =>
  Array.from({ length: 8 }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join('')

/** Starts the authorization of a program, which the user recognizes by `name`. */
export async function request(
  ctx: RequestContext,
  name: string,
): Promise<ResponseOf<typeof requestDevice>> {
  const deviceCode = randomBytes(32).toString('base64url')
  const createdAt = ctx.clock.now()
  const expiresAt = new Date(createdAt.getTime() + serviceLimits.deviceCodeLifetime)
  let userCode = newUserCode()
  const insert = () =>
    store.insert(ctx.db, {
      deviceCodeHash: hash(deviceCode),
      userCode,
      name,
      address: ctx.address,
      interval: serviceLimits.devicePollInterval,
      createdAt,
      expiresAt,
    })
  // Another code while this one is taken.
  while (!(await insert())) userCode = newUserCode()
  const verificationUri = `${ctx.env.PUBLIC_URL}/account/device`
  const shown = formatUserCode(userCode)
  return {
    deviceCode,
    userCode: shown,
    verificationUri,
    verificationUriComplete: `${verificationUri}?code=${shown}`,
    expiresIn: serviceLimits.deviceCodeLifetime / second,
    interval: serviceLimits.devicePollInterval / second,
  }
}

type Poll = ResponseOf<typeof pollDevice>

/**
 * The state of an authorization, and its token once the user has approved it. Each poll that comes
 * too soon adds five seconds to the interval (RFC 8628 §3.5).
 */
export async function poll(ctx: RequestContext, deviceCode: string): Promise<Poll> {
  const pollResult = (
    state: Poll['state'],
    interval: number,
    token: string | null = null,
  ): Poll => ({
    state,
    token,
    interval: interval / second,
  })
  const result = await ctx.write(async (tx): Promise<{ poll: Poll; userId?: UserId }> => {
    const authorization = await store.lockByDeviceCode(tx, hash(deviceCode))
    const now = ctx.clock.now()
    if (!authorization || authorization.expiresAt <= now)
      return { poll: pollResult('expired_token', serviceLimits.devicePollInterval) }
    const { id, interval, lastPolledAt } = authorization
    if (authorization.state === 'denied') {
      await store.remove(tx, id)
      return { poll: pollResult('access_denied', interval) }
    }
    if (authorization.state === 'pending') {
      // Half a second of tolerance for the network's jitter.
      const isEarly = lastPolledAt && now.getTime() - lastPolledAt.getTime() < interval - 500
      const next = isEarly ? interval + serviceLimits.devicePollInterval : interval
      await store.update(tx, id, { lastPolledAt: now, interval: next })
      return { poll: pollResult(isEarly ? 'slow_down' : 'authorization_pending', next) }
    }
    await store.remove(tx, id)
    const token = await issueApproved(ctx, tx, authorization)
    if (token === null || authorization.userId === null)
      return { poll: pollResult('access_denied', interval) }
    return { poll: pollResult('approved', interval, token), userId: authorization.userId }
  })
  if (result.userId) logSecurityEvent(ctx, 'personal_token_created', { userId: result.userId })
  return result.poll
}

/** The token of an approved authorization; null when the user can no longer grant it. */
async function issueApproved(
  ctx: RequestContext,
  tx: Tx,
  authorization: store.DeviceAuthorization,
) {
  const user = authorization.userId && (await account.find(tx, authorization.userId))
  if (!user || authorization.days === null) return null
  const { name, projectIds, days } = authorization
  try {
    return (await issue(ctx, tx, user, { name, projectIds, days })).token
  } catch (error) {
    // After the approval, the user left a team or reached the limit of tokens.
    if (error instanceof Problem) return null
    throw error
  }
}

/** Locks the pending authorization with a user code. Throws `item_not_found`. */
async function lockPending(ctx: UserContext, tx: Tx, code: string) {
  const authorization = await store.lockByUserCode(tx, code)
  if (authorization?.state !== 'pending' || authorization.expiresAt <= ctx.clock.now())
    throw problem('item_not_found')
  return authorization
}

/**
 * Counts an attempted code in its own transaction, so that a wrong code still counts. Throws
 * `too_many_requests` after 20 codes in 15 minutes.
 */
const countCodeAttempt = (ctx: UserContext) =>
  ctx.write((tx) =>
    throttle.consume(
      tx,
      ctx.clock.now(),
      `device-code:user:${ctx.user.id}`,
      serviceLimits.deviceCodesPerUser,
      'too_many_requests',
    ),
  )

/**
 * The pending authorization with a user code. Throws `item_not_found`, and `too_many_requests`
 * after 20 codes in 15 minutes.
 */
export async function view(ctx: UserContext, code: string): Promise<Device> {
  await countCodeAttempt(ctx)
  const authorization = await ctx.write((tx) => lockPending(ctx, tx, code))
  return {
    name: authorization.name,
    address: authorization.address,
    createdAt: authorization.createdAt.toISOString(),
    expiresAt: authorization.expiresAt.toISOString(),
  }
}

/**
 * Approves an authorization: the program gets its token at its next poll. Throws
 * `item_not_found`, `project_not_found`, and `too_many_requests` after 20 codes in 15 minutes.
 */
export async function approve(ctx: SessionContext, code: string, grant: Grant): Promise<void> {
  await countCodeAttempt(ctx)
  await ctx.write(async (tx) => {
    await ctx.sessions.requireActive(tx, ctx.session.id)
    const authorization = await lockPending(ctx, tx, code)
    await requireGrantable(ctx, tx, ctx.user.id, grant.projectIds)
    await store.update(tx, authorization.id, {
      state: 'approved',
      userId: ctx.user.id,
      projectIds: grant.projectIds && [...grant.projectIds],
      days: grant.days,
    })
  })
  logSecurityEvent(ctx, 'device_login_approved', { userId: ctx.user.id })
}

/**
 * Denies an authorization. Throws `item_not_found`, and `too_many_requests` after 20 codes in 15
 * minutes.
 */
export async function deny(ctx: UserContext, code: string): Promise<void> {
  await countCodeAttempt(ctx)
  await ctx.write(async (tx) => {
    const authorization = await lockPending(ctx, tx, code)
    await store.update(tx, authorization.id, { state: 'denied' })
  })
  logSecurityEvent(ctx, 'device_login_denied', { userId: ctx.user.id })
}

/** Removes expired authorizations. */
export const removeExpired = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, ctx.clock.now())
