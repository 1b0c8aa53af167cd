import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Context, RequestContext, Tx } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { eventEmail, type User } from '../account/account.service.ts'
import * as mail from '../mail/mail.service.ts'
import { describeOrigin } from '../sessions/sessions.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import * as store from './devices.store.ts'

const cookieName = 'device'
/** True for the value of a device cookie: 256 random bits in base64url. */
const isDeviceId = (text: string | undefined) => text !== undefined && /^[\w-]{43}$/.test(text)

const hash = (userId: UserId, deviceId: string) =>
  createHash('sha256').update(`${userId} ${deviceId}`).digest()

/** Sets or renews the device cookie of the browser. Returns the device's id. */
function renewCookie({ cookies }: RequestContext): string {
  const sent = cookies.get(cookieName)
  const deviceId =
    sent !== undefined && isDeviceId(sent) ? sent : randomBytes(32).toString('base64url')
  cookies.set(cookieName, deviceId, serviceLimits.knownDeviceLifetime)
  return deviceId
}

/** Makes the browser a known device, one of the last 100; true if it was unknown. */
async function save(ctx: RequestContext, tx: Tx, userId: UserId, lastLoginAt: Date | null) {
  const now = ctx.clock.now()
  const isUnknown = await store.save(tx, {
    userId,
    deviceHash: hash(userId, renewCookie(ctx)),
    lastLoginAt,
    createdAt: now,
    expiresAt: new Date(now.getTime() + serviceLimits.knownDeviceLifetime),
  })
  if (isUnknown) await store.removeBeyond(tx, userId, serviceLimits.knownDevicesPerUser)
  return isUnknown
}

/** Makes the browser a known device of a user who signs up, in the caller's transaction. */
export async function recordSignUp(ctx: RequestContext, tx: Tx, userId: UserId): Promise<void> {
  await save(ctx, tx, userId, null)
}

/**
 * Makes the browser a known device of a user who logs in, in the caller's transaction. Emails a
 * verified user if it was unknown, at most three times in 15 minutes and not for the first login.
 */
export async function recordLogin(
  ctx: RequestContext,
  tx: Tx,
  user: Pick<User, 'id' | 'name' | 'email' | 'locale' | 'loginKind' | 'verifiedAt'>,
): Promise<void> {
  const now = ctx.clock.now()
  await store.removeExpired(tx, now, user.id)
  const isFirst = !(await store.hasLoggedIn(tx, user.id))
  const isUnknown = await save(ctx, tx, user.id, now)
  if (isFirst || !isUnknown || !user.verifiedAt) return
  const subject = `mail:new-device:${user.email}`
  const limit = serviceLimits.emailsPerAddressAndKind
  if ((await throttle.count(tx, now, subject, limit)) >= limit) return
  await throttle.add(tx, now, subject)
  await mail.send(ctx, tx, {
    key: `device:${newId()}`,
    to: user.email,
    ...eventEmail('newDevice', {
      user,
      locale: user.locale ?? ctx.locale,
      publicUrl: ctx.env.PUBLIC_URL,
      address: ctx.address,
      time: now,
      device: await describeOrigin(ctx),
    }),
  })
}

/**
 * Removes all known devices of a user who has set a new password, except this browser: another may
 * be an attacker's. Runs in the caller's transaction.
 */
export async function recordNewPassword(
  ctx: RequestContext,
  tx: Tx,
  userId: UserId,
): Promise<void> {
  await store.removeOfUser(tx, userId)
  await save(ctx, tx, userId, ctx.clock.now())
}

/** Removes devices without a login for a year. */
export const removeExpired = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, ctx.clock.now())
