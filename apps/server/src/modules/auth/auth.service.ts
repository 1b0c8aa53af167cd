import { createHash, randomBytes } from 'node:crypto'
import type { UserId } from '@slipway/contract/account'
import type { CaptchaSolution } from '@slipway/contract/captcha'
import { day, limits } from '@slipway/contract/limits'
import type { Locale } from '@slipway/phrases'
import type { Context, RequestContext, Tx, UserContext } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { invalid, problem } from '../../problem.ts'
import * as account from '../account/account.service.ts'
import * as captcha from '../captcha/captcha.service.ts'
import * as mail from '../mail/mail.service.ts'
import type { SessionId } from '../sessions/sessions.schema.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { tokenLetter } from './auth.letters.ts'
import { hashPassword, isPassword } from './auth.passwords.ts'
import type { MailTokenKind } from './auth.schema.ts'
import * as store from './auth.store.ts'

/** Mails the link to set a new password to whoever signs in with an address. */
export const forgotJob = 'auth.forgot'

const hash = (token: string) => createHash('sha256').update(token).digest()

const lifetimes: Record<MailTokenKind, number> = {
  verify: limits.verifyTokenLifetime,
  reset: limits.resetTokenLifetime,
}

async function newToken(ctx: Pick<Context, 'clock'>, tx: Tx, userId: UserId, kind: MailTokenKind) {
  const token = randomBytes(32).toString('base64url')
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + lifetimes[kind])
  await store.insertToken(tx, { tokenHash: hash(token), kind, userId, expiresAt }, now)
  return token
}

const takeMail = (ctx: Pick<Context, 'clock'>, tx: Tx, kind: MailTokenKind, email: string) =>
  throttle.take(
    tx,
    ctx.clock.now(),
    `mail:${kind}:${email}`,
    limits.mailsPerAddressAndKind,
    'action_limit_reached',
  )

/** Puts the letter with a new token into the outbox. `about` is what it is mailed for, once. */
async function mailToken(
  ctx: Pick<Context, 'clock' | 'jobs' | 'env'>,
  tx: Tx,
  kind: MailTokenKind,
  user: { id: UserId; name: string; email: string },
  { locale, about }: { locale: Locale; about?: string },
) {
  const token = await newToken(ctx, tx, user.id, kind)
  const { PUBLIC_URL: publicUrl } = ctx.env
  await mail.send(ctx, tx, {
    key: `${kind}:${about ?? hash(token).toString('hex')}`,
    to: user.email,
    ...tokenLetter(kind, { locale, name: user.name, publicUrl, token }),
  })
}

async function mailVerification(
  ctx: RequestContext,
  tx: Tx,
  user: { id: UserId; name: string; email: string },
) {
  await takeMail(ctx, tx, 'verify', user.email)
  await mailToken(ctx, tx, 'verify', user, ctx)
}

/**
 * A new account with its own team, its verification mail and a session, all or nothing; gives the
 * session's token. Throws `email_already_exists`, and `validation_error` for a captcha that does not
 * hold; the captcha is spent either way, so that one does not serve to try out addresses.
 */
export async function signUp(
  ctx: RequestContext,
  form: {
    name: string
    email: string
    password: string
    __captcha_solution__: CaptchaSolution
  },
): Promise<{ token: string }> {
  if (!(await captcha.accept(ctx, form.__captcha_solution__)))
    throw invalid({ __captcha_solution__: 'form_verify_not_robot' })
  const passwordHash = await hashPassword(form.password)
  return ctx.write(async (tx) => {
    const user = await account.create(ctx, tx, {
      name: form.name,
      email: form.email,
      loginKind: 'Email',
      passwordHash,
      verifiedAt: null,
    })
    await mailVerification(ctx, tx, user)
    return { token: await ctx.sessions.start(tx, user.id) }
  })
}

/**
 * A session for the right e-mail and password; gives its token. Throws `invalid_credentials`,
 * `user_not_created_with_email`, and `too_many_requests` after 10 wrong passwords for the account, or
 * 100 from the address, in 15 minutes. Every try counts before it is looked at, so tries at the same
 * time cannot slip past; a right one gives its count back.
 */
export async function login(
  ctx: RequestContext,
  { email, password }: { email: string; password: string },
): Promise<{ token: string }> {
  const ofAccount = `login:account:${email}`
  const ofAddress = `login:address:${ctx.address}`
  const counted = await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    await throttle.take(tx, now, ofAccount, limits.wrongPasswordsPerAccount, 'too_many_requests')
    return throttle.take(tx, now, ofAddress, limits.wrongPasswordsPerAddress, 'too_many_requests')
  })

  const user = await account.findByEmail(ctx.db, email)
  if (user && user.loginKind !== 'Email') throw problem('user_not_created_with_email')
  if (!(await isPassword(user?.passwordHash, password)) || !user)
    throw problem('invalid_credentials')

  return ctx.write(async (tx) => {
    // Before the row is locked for sharing: two logins that then both wrote would wait for each other.
    await account.noteLocale(ctx, tx, user)
    // A new password ends every session: one that is begun with the old one must not come after it.
    if (!(await account.lockPassword(tx, user.id, user.passwordHash)))
      throw problem('invalid_credentials')
    await throttle.forget(tx, ofAccount)
    await throttle.giveBack(tx, ofAddress, counted)
    return { token: await ctx.sessions.start(tx, user.id) }
  })
}

/** Whether the caller's account is verified: what a page may ask before everything else is open to it. */
export const session = async (ctx: Pick<UserContext, 'user'>) => ({ verified: ctx.user.verified })

/** Ends the session of the call. */
export const logout = (ctx: UserContext) => ctx.sessions.end(ctx.session.id as SessionId)

/**
 * Mails the verification link again to the user of a bearer token. Throws `unauthorized`,
 * `already_verified`, `action_limit_reached`.
 */
export async function sendVerification(ctx: RequestContext, token: string): Promise<void> {
  const caller = await ctx.sessions.authenticate(token)
  if (!caller) throw problem('unauthorized')
  if (caller.user.verified) throw problem('already_verified')
  await ctx.write((tx) => mailVerification(ctx, tx, caller.user))
}

/**
 * Verifies the account that the mailed token belongs to. Throws `already_verified`, and `invalid_token`
 * for one that is unknown, used or expired.
 */
export async function verify(ctx: RequestContext, token: string): Promise<void> {
  const userId = await ctx.write(async (tx) => {
    const found = await store.lockToken(tx, 'verify', hash(token))
    if (!found) throw problem('invalid_token')
    const user = await account.find(tx, found.userId)
    if (user?.verifiedAt) throw problem('already_verified')
    if (found.usedAt || found.expiresAt <= ctx.clock.now()) throw problem('invalid_token')
    await store.spendTokens(tx, found.userId, 'verify', ctx.clock.now())
    if (!(await account.verify(ctx, tx, found.userId))) throw problem('already_verified')
    return found.userId
  })
  ctx.sessions.forgetUser(userId)
}

/**
 * Asks for a mail to set a new password. Does and answers the same for a known and an unknown address:
 * who it is for is looked up later, by a job. Throws `action_limit_reached`.
 */
export const forgotPassword = (ctx: RequestContext, email: string): Promise<void> =>
  ctx.write(async (tx) => {
    await takeMail(ctx, tx, 'reset', email)
    await ctx.jobs.send(tx, forgotJob, { email, locale: ctx.locale, requestId: newId() })
  })

/** The second half of `forgotPassword`: mails the link, if somebody signs in with that address. */
export async function mailReset(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs' | 'env' | 'write'>,
  request: { email: string; locale: Locale; requestId: string },
): Promise<void> {
  const user = await account.findByEmail(ctx.db, request.email)
  if (user?.loginKind !== 'Email') return
  const { locale, requestId } = request
  await ctx.write((tx) => mailToken(ctx, tx, 'reset', user, { locale, about: requestId }))
}

/**
 * Sets a new password with a mailed token, and ends every session of the account. Throws
 * `invalid_token` for one that is unknown, used or expired.
 */
export async function resetPassword(
  ctx: RequestContext,
  { password, token }: { password: string; token: string },
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const userId = await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const found = await store.lockToken(tx, 'reset', hash(token))
    if (!found || found.usedAt || found.expiresAt <= now) throw problem('invalid_token')
    await store.spendTokens(tx, found.userId, 'reset', now)
    await account.setPassword(ctx, tx, found.userId, passwordHash)
    const user = await account.find(tx, found.userId)
    if (user) await throttle.forget(tx, `login:account:${user.email}`)
    return found.userId
  })
  ctx.sessions.forgetUser(userId)
}

/** Removes mailed tokens a day after they expired. */
export const tidy = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, new Date(ctx.clock.now().getTime() - day))
