import type { RequestContext, Tx } from '../../context.ts'
import { problem } from '../../problem.ts'
import * as account from '../account/account.service.ts'
import { hash, isUsable, mailToken, takeMail } from './auth.mailed-tokens.ts'
import { tryPassword } from './auth.passwords.ts'
import * as store from './auth.store.ts'

/** Mails the verification link, in the caller's transaction. Throws `action_limit_reached`. */
export async function mailVerification(
  ctx: RequestContext,
  tx: Tx,
  user: Pick<account.User, 'id' | 'name' | 'email' | 'createdAt'>,
) {
  await takeMail(ctx, tx, 'verify', user.email)
  await mailToken(ctx, tx, 'verify', user, ctx)
}

/**
 * Mails the verification link again to the user of a bearer token. Throws `unauthorized`,
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

/**
 * What says that whoever opens the mailed link is also who signed up, in the transaction that verifies:
 * `mailbox` when nothing but the link was shown.
 */
type Proof = 'mailbox' | 'session' | { passwordHash: string | null; settle: (tx: Tx) => unknown }

/** Null: it has not been asked for yet. */
type Password = string | null | undefined

/** Throws `invalid_credentials` for a session or a password of somebody else, `too_many_requests`. */
async function prove(ctx: RequestContext, user: account.User, password: Password): Promise<Proof> {
  const caller = ctx.bearer === undefined ? null : await ctx.sessions.authenticate(ctx.bearer)
  if (caller?.user.id === user.id) return 'session'
  if (password === undefined && ctx.bearer === undefined) return 'mailbox'
  if (password == null) throw problem('invalid_credentials')
  const { right, giveBack } = await tryPassword(ctx, user.email, user.passwordHash, password)
  if (!right) throw problem('invalid_credentials')
  return { passwordHash: user.passwordHash, settle: giveBack }
}

/**
 * Verifies the account that the mailed token belongs to. The link proves the mailbox; that the same
 * person signed up is proven by a session of the account, or by its password, and then all goes on as it
 * is. With neither, every session of the account ends (decision 12). Throws `already_verified`,
 * `invalid_token` for a token that is unknown, used or expired, `invalid_credentials` for a wrong
 * password, and for none where it is null or the session is another account's, and `too_many_requests`;
 * those spend nothing.
 */
export async function verify(
  ctx: RequestContext,
  { token, password }: { token: string; password?: Password },
): Promise<void> {
  const tokenHash = hash(token)
  const found = await store.findToken(ctx.db, ['verify'], tokenHash)
  const user = found && (await account.find(ctx.db, found.userId))
  if (!user) throw problem('invalid_token')
  if (user.verifiedAt) throw problem('already_verified')
  if (!isUsable(found, ctx.clock.now())) throw problem('invalid_token')
  const proof = await prove(ctx, user, password)

  await ctx.write(async (tx) => {
    const locked = await account.lockUnverified(tx, user.id)
    if (!locked)
      throw problem((await account.find(tx, user.id)) ? 'already_verified' : 'invalid_token')
    const mailed = await store.lockToken(tx, ['verify'], tokenHash)
    if (!mailed || !isUsable(mailed, ctx.clock.now())) throw problem('invalid_token')
    if (typeof proof === 'object') {
      if (proof.passwordHash !== locked.passwordHash) throw problem('invalid_credentials')
      await proof.settle(tx)
    }
    await store.spendTokens(tx, user.id, ['verify'], ctx.clock.now())
    await account.verify(ctx, tx, user.id)
    if (proof === 'mailbox') await ctx.sessions.endAll(tx, user.id)
  })
  ctx.sessions.forgetUser(user.id)
}
