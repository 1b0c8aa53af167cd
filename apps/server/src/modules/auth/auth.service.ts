import type { CaptchaSolution } from '@slipway/contract/captcha'
import { day } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import { baseLocale, type Locale } from '@slipway/phrases'
import type { Context, RequestContext, SessionContext, Tx, UserContext } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { invalid, problem } from '../../problem.ts'
import { logSecurityEvent } from '../../security-events.ts'
import * as account from '../account/account.service.ts'
import * as captcha from '../captcha/captcha.service.ts'
import * as devices from '../devices/devices.service.ts'
import * as siteTokens from '../login-provider/login-provider.tokens.service.ts'
import * as mail from '../mail/mail.service.ts'
import * as personalTokens from '../personal-tokens/personal-tokens.service.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { countLogin, resetLogins } from './auth.attempts.ts'
import { noPasswordEmail } from './auth.emails.ts'
import { countEmail, hash, isUsable, mailToken } from './auth.mailed-tokens.ts'
import { hashPassword, isPassword } from './auth.passwords.ts'
import * as store from './auth.store.ts'
import { mailVerification } from './auth.verify.service.ts'

export const forgotJob = 'auth.forgot'

/** Throws `validation_error` for one of the most common passwords. Loads their list once. */
async function rejectCommonPassword(password: string) {
  const { isCommonPassword } = await import('./auth.common-passwords.ts')
  if (isCommonPassword(password)) throw invalid({ password: 'form_common_password' })
}

/**
 * Creates an account with its own team, verification email and session; returns the session's
 * token. Throws `email_already_exists`, and `validation_error` for a common password or a wrong
 * captcha. The captcha is used up once the form is valid, so that it cannot test many addresses.
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
  await rejectCommonPassword(form.password)
  if (!(await captcha.accept(ctx, form.__captcha_solution__)))
    throw invalid({ __captcha_solution__: 'form_verify_not_robot' })
  const passwordHash = await hashPassword(form.password)
  const { token, userId } = await ctx.write(async (tx) => {
    const user = await account.create(ctx, tx, {
      name: form.name,
      email: form.email,
      loginKind: 'Email',
      passwordHash,
      verifiedAt: null,
    })
    await mailVerification(ctx, tx, user)
    await devices.recordSignUp(ctx, tx, user.id)
    return { token: await ctx.sessions.start(tx, user.id, ctx), userId: user.id }
  })
  logSecurityEvent(ctx, 'sign_up', { userId })
  return { token }
}

/**
 * Starts a session; returns its token. Throws `invalid_credentials`, `user_not_created_with_email`,
 * and `validation_error` of the captcha after too many wrong passwords.
 */
export async function login(
  ctx: RequestContext,
  {
    email,
    password,
    __captcha_solution__: solution,
  }: { email: string; password: string; __captcha_solution__?: CaptchaSolution | null | undefined },
): Promise<{ token: string }> {
  const { resetCount } = await countLogin(ctx, email, solution)
  const user = await account.findByEmail(ctx.db, email)
  const isRight = await isPassword(user?.passwordHash, password)
  const fail = (code: 'user_not_created_with_email' | 'invalid_credentials') => {
    logSecurityEvent(ctx, 'login_failed', { userId: user?.id, reason: code })
    return problem(code)
  }
  if (user && user.loginKind !== 'Email') throw fail('user_not_created_with_email')
  if (!isRight || !user) throw fail('invalid_credentials')

  const token = await ctx.write(async (tx) => {
    // Before the shared lock: two logins that upgrade it to write would deadlock.
    await account.saveLocale(ctx, tx, user)
    // A password change ends every session, so a login with the old password must not follow it.
    if (!(await account.lockPassword(tx, user.id, user.passwordHash)))
      throw fail('invalid_credentials')
    await resetCount(tx)
    await devices.recordLogin(ctx, tx, user)
    return ctx.sessions.start(tx, user.id, ctx)
  })
  logSecurityEvent(ctx, 'login', { userId: user.id })
  return { token }
}

/** The job of a lockout: emails the owner if the account is verified and has a password. */
export async function mailLockout(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs' | 'env' | 'write'>,
  lockout: { email: string; address: string; time: string; lockoutId: string },
): Promise<void> {
  const user = await account.findByEmail(ctx.db, lockout.email)
  if (!user?.verifiedAt || user.loginKind !== 'Email') return
  const { address, time } = lockout
  const publicUrl = ctx.env.PUBLIC_URL
  const email = account.eventEmail('lockout', {
    user,
    locale: user.locale ?? baseLocale,
    publicUrl,
    address,
    time: new Date(time),
  })
  await ctx.write((tx) =>
    mail.send(ctx, tx, { key: `lockout:${lockout.lockoutId}`, to: user.email, ...email }),
  )
}

/**
 * Makes the user's other devices unknown, ends the grants of sites and programs, and emails the
 * owner.
 */
async function recordNewPassword(
  ctx: RequestContext,
  tx: Tx,
  user: NonNullable<Awaited<ReturnType<typeof account.find>>>,
  emailKey: string,
) {
  await devices.recordNewPassword(ctx, tx, user.id)
  await siteTokens.endGrants(tx, user.id)
  await mail.send(ctx, tx, {
    key: emailKey,
    to: user.email,
    ...account.eventEmail('passwordChanged', {
      user,
      locale: user.locale ?? ctx.locale,
      publicUrl: ctx.env.PUBLIC_URL,
      address: ctx.address,
      time: ctx.clock.now(),
    }),
  })
}

/**
 * Changes the password of the caller. Ends all other sessions, earlier links to set a new password
 * and the grants of sites; personal tokens stay. Tells the owner by email. Throws
 * `user_not_created_with_email`, `action_limit_reached` after too many tries, and
 * `validation_error` for a wrong current password or a common new one.
 */
export async function changePassword(
  ctx: SessionContext,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<void> {
  const { id } = ctx.user
  const user = await account.find(ctx.db, id)
  if (user?.loginKind !== 'Email') throw problem('user_not_created_with_email')
  await rejectCommonPassword(password)
  // Counted before the check, so that concurrent guesses cannot exceed the limit. A successful
  // change counts, too: it sends an email.
  await ctx.write((tx) =>
    throttle.consume(
      tx,
      ctx.clock.now(),
      `password-change:${id}`,
      serviceLimits.passwordChangesPerUser,
      'action_limit_reached',
    ),
  )
  const wrong = invalid({ currentPassword: 'form_wrong_password' })
  if (!(await isPassword(user.passwordHash, currentPassword))) throw wrong
  const next = await hashPassword(password)
  await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    const hashes = { current: user.passwordHash, next }
    const session = { userId: id, sessionId: ctx.session.id }
    // Another change came first.
    if (!(await account.changePassword(ctx, tx, session, hashes))) throw wrong
    // The token of a verification email stays: the address may still have to be verified.
    await store.redeemTokens(tx, id, ['reset'], now)
    await recordNewPassword(ctx, tx, user, `password-changed:${newId()}`)
  })
  ctx.sessions.invalidateUser(id)
  logSecurityEvent(ctx, 'password_changed', { userId: id })
}

/** Whether the caller's account is verified. Also open to unverified users. */
export const session = async (ctx: Pick<UserContext, 'user'>) => ({ verified: ctx.user.verified })

/** Ends the session of the request. */
export async function logout(ctx: SessionContext): Promise<void> {
  await ctx.sessions.end(ctx.session.id)
  logSecurityEvent(ctx, 'logout', { userId: ctx.user.id })
}

/**
 * Requests an email with a link to set a new password. A job looks up the account later, so that
 * the response and its time are the same for an unknown address. Throws `action_limit_reached`.
 */
export async function forgotPassword(ctx: RequestContext, email: string): Promise<void> {
  await ctx.write(async (tx) => {
    await countEmail(ctx, tx, 'reset', email)
    await ctx.jobs.send(tx, forgotJob, { email, locale: ctx.locale, requestId: newId() })
  })
  logSecurityEvent(ctx, 'password_reset_requested', {})
}

/**
 * The job behind `forgotPassword`: emails the link if the address has an account. A user of an
 * outside provider gets an email that names it.
 */
export async function mailReset(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs' | 'env' | 'write'>,
  request: { email: string; locale: Locale; requestId: string },
): Promise<void> {
  const user = await account.findByEmail(ctx.db, request.email)
  if (!user) return
  const { locale, requestId } = request
  await ctx.write((tx) =>
    user.loginKind === 'Email'
      ? mailToken(ctx, tx, 'reset', user, { locale, requestId })
      : mail.send(ctx, tx, {
          key: `reset:${requestId}`,
          to: user.email,
          ...noPasswordEmail({ locale, user, publicUrl: ctx.env.PUBLIC_URL }),
        }),
  )
}

/**
 * Sets a new password with an emailed token and verifies the account. Ends its sessions, personal
 * tokens and the grants of sites. The token of the verification email works too: the owner of an
 * address can take over an account that another user created with it. Tells the owner by email.
 * Throws `invalid_token` for an unknown, used or expired token, and `validation_error` for a common
 * password.
 */
export async function resetPassword(
  ctx: RequestContext,
  { password, token }: { password: string; token: string },
): Promise<void> {
  const kinds = ['reset', 'verify'] as const
  const storedToken = await store.findToken(ctx.db, kinds, hash(token))
  if (!storedToken) throw problem('invalid_token')
  await rejectCommonPassword(password)
  const passwordHash = await hashPassword(password)
  await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    // Lock order: the user first, then the token.
    if (!(await account.setPassword(ctx, tx, storedToken.userId, passwordHash)))
      throw problem('invalid_token')
    const lockedToken = await store.lockToken(tx, kinds, hash(token))
    if (!lockedToken || !isUsable(lockedToken, now)) throw problem('invalid_token')
    await store.redeemTokens(tx, storedToken.userId, kinds, now)
    const user = await account.find(tx, storedToken.userId)
    if (!user) throw problem('invalid_token')
    await resetLogins(ctx, tx, user.email)
    await personalTokens.removeAll(ctx, tx, user.id)
    await recordNewPassword(ctx, tx, user, `password-changed:${hash(token).toString('hex')}`)
  })
  ctx.sessions.invalidateUser(storedToken.userId)
  logSecurityEvent(ctx, 'password_changed', { userId: storedToken.userId })
}

/** Removes emailed tokens a day after they expired. */
export const removeExpired = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, new Date(ctx.clock.now().getTime() - day))
