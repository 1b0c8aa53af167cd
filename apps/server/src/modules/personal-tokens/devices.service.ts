import { createHash, randomBytes, randomInt } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { ResponseOf } from '@slipway/contract/endpoint'
import { limits, second } from '@slipway/contract/limits'
import {
  type Device,
  formatUserCode,
  type pollDevice,
  type requestDevice,
  userCodeLetters,
} from '@slipway/contract/personal-tokens'
import type { Context, RequestContext, Tx, UserContext } from '../../context.ts'
import { Problem, problem } from '../../problem.ts'
import { logSecurityEvent } from '../../security-events.ts'
import * as account from '../account/account.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import * as store from './devices.store.ts'
import { type Grant, issue, requireGrantable } from './personal-tokens.service.ts'

// Device authorization in the shape of RFC 8628.

const hash = (code: string) => createHash('sha256').update(code).digest()

/** 20^8 codes: a guess finds none of a thousand open logins in ten minutes (RFC 8628 §5.1). */
const newUserCode = () =>
  Array.from({ length: 8 }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join('')

/** Starts a login of a program that calls itself `name`. */
export async function request(
  ctx: RequestContext,
  name: string,
): Promise<ResponseOf<typeof requestDevice>> {
  const deviceCode = randomBytes(32).toString('base64url')
  const createdAt = ctx.clock.now()
  const expiresAt = new Date(createdAt.getTime() + limits.deviceCodeLifetime)
  let userCode = ''
  do userCode = newUserCode()
  while (
    !(await store.insert(ctx.db, {
      deviceCodeHash: hash(deviceCode),
      userCode,
      name,
      address: ctx.address,
      interval: limits.devicePollInterval,
      createdAt,
      expiresAt,
    }))
  )
  const verificationUri = `${ctx.env.PUBLIC_URL}/account/device`
  const shown = formatUserCode(userCode)
  return {
    deviceCode,
    userCode: shown,
    verificationUri,
    verificationUriComplete: `${verificationUri}?code=${shown}`,
    expiresIn: limits.deviceCodeLifetime / second,
    interval: limits.devicePollInterval / second,
  }
}

type Poll = ResponseOf<typeof pollDevice>

/**
 * The state of a login, and its token once the user has approved it. A program that polls too often
 * has to wait five seconds longer each time (RFC 8628 §3.5).
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
    const login = await store.lockByDeviceCode(tx, hash(deviceCode))
    const now = ctx.clock.now()
    if (!login || login.expiresAt <= now)
      return { poll: pollResult('expired_token', limits.devicePollInterval) }
    const { id, interval, lastPolledAt } = login
    if (login.state === 'denied') {
      await store.remove(tx, id)
      return { poll: pollResult('access_denied', interval) }
    }
    if (login.state === 'pending') {
      // Half a second of tolerance for the network's jitter.
      const isEarly = lastPolledAt && now.getTime() - lastPolledAt.getTime() < interval - 500
      const next = isEarly ? interval + limits.devicePollInterval : interval
      await store.update(tx, id, { lastPolledAt: now, interval: next })
      return { poll: pollResult(isEarly ? 'slow_down' : 'authorization_pending', next) }
    }
    await store.remove(tx, id)
    const token = await issueApproved(ctx, tx, login)
    if (token === null || login.userId === null)
      return { poll: pollResult('access_denied', interval) }
    return { poll: pollResult('approved', interval, token), userId: login.userId }
  })
  if (result.userId) logSecurityEvent(ctx, 'personal_token_created', { userId: result.userId })
  return result.poll
}

/** The token of an approved login; null when the user can no longer grant it. */
async function issueApproved(ctx: RequestContext, tx: Tx, login: store.DeviceAuthorization) {
  const user = login.userId && (await account.find(tx, login.userId))
  if (!user || login.days === null) return null
  const { name, projectIds, days } = login
  try {
    return (await issue(ctx, tx, user, { name, projectIds, days })).token
  } catch (error) {
    // The user left a team, or made other tokens, after the approval.
    if (error instanceof Problem) return null
    throw error
  }
}

/** Locks the pending login of a code. Throws `item_not_found`, and `too_many_requests`. */
async function lockPending(ctx: UserContext, tx: Tx, code: string) {
  const login = await store.lockByUserCode(tx, code)
  if (login?.state !== 'pending' || login.expiresAt <= ctx.clock.now())
    throw problem('item_not_found')
  return login
}

/** Counts an attempted code in its own transaction, so that a wrong code still counts. */
const takeTurn = (ctx: UserContext) =>
  ctx.write((tx) =>
    throttle.take(
      tx,
      ctx.clock.now(),
      `device-code:user:${ctx.user.id}`,
      limits.deviceCodesPerUser,
      'too_many_requests',
    ),
  )

/** The login with a code. Throws `item_not_found`, and `too_many_requests` after 20 codes. */
export async function view(ctx: UserContext, code: string): Promise<Device> {
  await takeTurn(ctx)
  const login = await ctx.write((tx) => lockPending(ctx, tx, code))
  return {
    name: login.name,
    address: login.address,
    createdAt: login.createdAt.toISOString(),
    expiresAt: login.expiresAt.toISOString(),
  }
}

/**
 * Confirms a login: the program gets its token at its next poll. Throws `item_not_found`,
 * `project_not_found`, and `too_many_requests` after 20 codes.
 */
export async function approve(ctx: UserContext, code: string, grant: Grant): Promise<void> {
  await takeTurn(ctx)
  await ctx.write(async (tx) => {
    const login = await lockPending(ctx, tx, code)
    await requireGrantable(ctx, tx, ctx.user.id, grant.projectIds)
    await store.update(tx, login.id, {
      state: 'approved',
      userId: ctx.user.id,
      projectIds: grant.projectIds && [...grant.projectIds],
      days: grant.days,
    })
  })
  logSecurityEvent(ctx, 'device_login_approved', { userId: ctx.user.id })
}

/** Rejects a login. Throws `item_not_found`, and `too_many_requests` after 20 codes. */
export async function deny(ctx: UserContext, code: string): Promise<void> {
  await takeTurn(ctx)
  await ctx.write(async (tx) => {
    const login = await lockPending(ctx, tx, code)
    await store.update(tx, login.id, { state: 'denied' })
  })
  logSecurityEvent(ctx, 'device_login_denied', { userId: ctx.user.id })
}

/** Removes expired logins. */
export const removeExpired = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, ctx.clock.now())
