import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { Locale } from '@slipway/phrases'
import type { Context, Tx } from '../../context.ts'
import * as mail from '../mail/mail.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { tokenEmail } from './auth.emails.ts'
import type { EmailTokenKind } from './auth.schema.ts'
import * as store from './auth.store.ts'

export const hash = (token: string) => createHash('sha256').update(token).digest()

const lifetimes: Record<EmailTokenKind, number> = {
  verify: serviceLimits.verifyTokenLifetime,
  reset: serviceLimits.resetTokenLifetime,
}

async function newToken(ctx: Pick<Context, 'clock'>, tx: Tx, userId: UserId, kind: EmailTokenKind) {
  const token = randomBytes(32).toString('base64url')
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + lifetimes[kind])
  await store.insertToken(tx, { tokenHash: hash(token), kind, userId, expiresAt }, now)
  return token
}

/** Counts one email of this kind to the address. Throws `action_limit_reached`. */
export const countEmail = (
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  kind: EmailTokenKind,
  email: string,
) =>
  throttle.consume(
    tx,
    ctx.clock.now(),
    `mail:${kind}:${email}`,
    serviceLimits.emailsPerAddressAndKind,
    'action_limit_reached',
  )

/** Queues the email with a new token. With a `requestId` it is sent once per request. */
export async function mailToken(
  ctx: Pick<Context, 'clock' | 'jobs' | 'env'>,
  tx: Tx,
  kind: EmailTokenKind,
  user: { id: UserId; name: string; email: string; createdAt: Date },
  { locale, requestId }: { locale: Locale; requestId?: string },
) {
  const token = await newToken(ctx, tx, user.id, kind)
  const { PUBLIC_URL: publicUrl } = ctx.env
  await mail.send(ctx, tx, {
    key: `${kind}:${requestId ?? hash(token).toString('hex')}`,
    to: user.email,
    ...tokenEmail(kind, { locale, user, publicUrl, token }),
  })
}

export const isUsable = (
  { usedAt, expiresAt }: { usedAt: Date | null; expiresAt: Date },
  now: Date,
) => usedAt === null && expiresAt > now
