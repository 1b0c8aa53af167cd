import { serviceLimits } from '@slipway/contract/service-limits'
import type { RequestContext, Tx } from '../../context.ts'
import { problem } from '../../problem.ts'
import { logSecurityEvent } from '../../security-events.ts'
import * as account from '../account/account.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { countEmail, hash, isUsable, mailToken } from './auth.mailed-tokens.ts'
import { isPassword } from './auth.passwords.ts'
import * as store from './auth.store.ts'

/** Queues the verification email, in the caller's transaction. Throws `action_limit_reached`. */
export async function mailVerification(
  ctx: RequestContext,
  tx: Tx,
  user: Pick<account.User, 'id' | 'name' | 'email' | 'createdAt'>,
) {
  await countEmail(ctx, tx, 'verify', user.email)
  await mailToken(ctx, tx, 'verify', user, ctx)
}

/**
 * Sends the verification email again to the user of a bearer token. Throws `unauthorized`,
 * `already_verified`, `action_limit_reached`.
 */
export async function sendVerification(ctx: RequestContext, token: string): Promise<void> {
  const caller = await ctx.sessions.authenticate(token)
  if (!caller) throw problem('unauthorized')
  await ctx.write(async (tx) => {
    const user = await account.lockUnverified(tx, caller.user.id)
    if (user) return mailVerification(ctx, tx, user)
    throw problem((await account.find(tx, caller.user.id)) ? 'already_verified' : 'unauthorized')
  })
}

/** How the caller proves that they created the account; `mailbox`: they only have the link. */
type Proof = 'mailbox' | 'session' | { passwordHash: string | null }

/** Undefined from a client that never prompts for it; null from one that has not prompted yet. */
type Password = string | null | undefined

/**
 * Throws `invalid_credentials` for a wrong password or another user's session, `too_many_requests`.
 */
async function prove(ctx: RequestContext, user: account.User, password: Password): Promise<Proof> {
  const caller = ctx.bearer === undefined ? null : await ctx.sessions.authenticate(ctx.bearer)
  if (caller?.user.id === user.id) return 'session'
  if (password === undefined && ctx.bearer === undefined) return 'mailbox'
  if (password == null) throw problem('invalid_credentials')
  // Only the owner of the mailbox gets here, so the limit cannot lock out another user.
  await ctx.write((tx) =>
    throttle.consume(
      tx,
      ctx.clock.now(),
      `verify:${user.email}`,
      serviceLimits.wrongPasswordsPerLink,
      'too_many_requests',
    ),
  )
  if (await isPassword(user.passwordHash, password)) return { passwordHash: user.passwordHash }
  logSecurityEvent(ctx, 'login_failed', { userId: user.id, reason: 'invalid_credentials' })
  throw problem('invalid_credentials')
}

/**
 * Verifies the account of an emailed token. The link proves that the caller owns the mailbox; a
 * session or the password proves that they also created the account. With neither, all sessions of
 * the account end (decision 12).
 *
 * Throws `already_verified`; `invalid_token` for an unknown, used or expired token;
 * `invalid_credentials` for a wrong password, or when it is null or the session is another
 * account's; `too_many_requests`. An error leaves the token usable.
 */
export async function verify(
  ctx: RequestContext,
  { token, password }: { token: string; password?: Password },
): Promise<void> {
  const tokenHash = hash(token)
  const storedToken = await store.findToken(ctx.db, ['verify'], tokenHash)
  const user = storedToken && (await account.find(ctx.db, storedToken.userId))
  if (!user) throw problem('invalid_token')
  if (user.verifiedAt) throw problem('already_verified')
  if (!isUsable(storedToken, ctx.clock.now())) throw problem('invalid_token')
  const proof = await prove(ctx, user, password)

  await ctx.write(async (tx) => {
    const lockedUser = await account.lockUnverified(tx, user.id)
    if (!lockedUser)
      throw problem((await account.find(tx, user.id)) ? 'already_verified' : 'invalid_token')
    const lockedToken = await store.lockToken(tx, ['verify'], tokenHash)
    if (!lockedToken || !isUsable(lockedToken, ctx.clock.now())) throw problem('invalid_token')
    if (typeof proof === 'object' && proof.passwordHash !== lockedUser.passwordHash)
      throw problem('invalid_credentials')
    await store.redeemTokens(tx, user.id, ['verify'], ctx.clock.now())
    await account.verify(ctx, tx, user.id)
    if (proof === 'mailbox') await ctx.sessions.endAll(tx, user.id)
  })
  ctx.sessions.invalidateUser(user.id)
  logSecurityEvent(ctx, 'account_verified', { userId: user.id })
}
