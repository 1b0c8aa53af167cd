import type { CaptchaSolution } from '@slipway/contract/captcha'
import { day } from '@slipway/contract/limits'
import type { Locale } from '@slipway/phrases'
import type { Context, RequestContext, UserContext } from '../../context.ts'
import { newId } from '../../db/ids.ts'
import { invalid, problem } from '../../problem.ts'
import * as account from '../account/account.service.ts'
import * as captcha from '../captcha/captcha.service.ts'
import * as mail from '../mail/mail.service.ts'
import type { SessionId } from '../sessions/sessions.schema.ts'
import * as throttle from '../throttle/throttle.service.ts'
import { noPasswordEmail } from './auth.emails.ts'
import { countEmail, hash, isUsable, mailToken } from './auth.mailed-tokens.ts'
import { checkPassword, hashPassword } from './auth.passwords.ts'
import * as store from './auth.store.ts'
import { mailVerification } from './auth.verify.service.ts'

/** Name of the job that emails the link to set a new password. */
export const forgotJob = 'auth.forgot'

/**
 * Creates an account with its own team, verification email and session; returns the session's
 * token. Throws `email_already_exists`, and `validation_error` for a wrong captcha. The captcha is
 * used up in any case, so that one captcha cannot test many addresses.
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
 * Starts a session; returns its token. Throws `invalid_credentials`, `user_not_created_with_email`,
 * and `too_many_requests` after 10 wrong passwords for the account, or 100 from the caller's
 * address, in 15 minutes.
 */
export async function login(
  ctx: RequestContext,
  { email, password }: { email: string; password: string },
): Promise<{ token: string }> {
  const user = await account.findByEmail(ctx.db, email)
  const { isRight, resetCount } = await checkPassword(ctx, email, user?.passwordHash, password)
  if (user && user.loginKind !== 'Email') throw problem('user_not_created_with_email')
  if (!isRight || !user) throw problem('invalid_credentials')

  return ctx.write(async (tx) => {
    // Before the shared lock: two logins that upgrade it to write would deadlock.
    await account.saveLocale(ctx, tx, user)
    // A password change ends every session, so a login with the old password must not follow it.
    if (!(await account.lockPassword(tx, user.id, user.passwordHash)))
      throw problem('invalid_credentials')
    await resetCount(tx)
    return { token: await ctx.sessions.start(tx, user.id) }
  })
}

/** Whether the caller's account is verified. Also open to unverified users. */
export const session = async (ctx: Pick<UserContext, 'user'>) => ({ verified: ctx.user.verified })

/** Ends the session of the request. */
export const logout = (ctx: UserContext) => ctx.sessions.end(ctx.session.id as SessionId)

/**
 * Requests an email with a link to set a new password. A job looks up the account later, so that
 * the response and its time are the same for an unknown address. Throws `action_limit_reached`.
 */
export const forgotPassword = (ctx: RequestContext, email: string): Promise<void> =>
  ctx.write(async (tx) => {
    await countEmail(ctx, tx, 'reset', email)
    await ctx.jobs.send(tx, forgotJob, { email, locale: ctx.locale, requestId: newId() })
  })

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
 * Sets a new password with an emailed token, verifies the account and ends its sessions. The token
 * of the verification email works too: the owner of an address can take over an account that
 * another person created with it. Throws `invalid_token` for an unknown, used or expired token.
 */
export async function resetPassword(
  ctx: RequestContext,
  { password, token }: { password: string; token: string },
): Promise<void> {
  const kinds = ['reset', 'verify'] as const
  const storedToken = await store.findToken(ctx.db, kinds, hash(token))
  if (!storedToken) throw problem('invalid_token')
  const passwordHash = await hashPassword(password)
  await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    // Lock order: the user first, then the token.
    if (!(await account.setPassword(ctx, tx, storedToken.userId, passwordHash)))
      throw problem('invalid_token')
    const lockedToken = await store.lockToken(tx, kinds, hash(token))
    if (!lockedToken || !isUsable(lockedToken, now)) throw problem('invalid_token')
    await store.spendTokens(tx, storedToken.userId, kinds, now)
    const user = await account.find(tx, storedToken.userId)
    if (user) await throttle.reset(tx, `login:account:${user.email}`)
  })
  ctx.sessions.forgetUser(storedToken.userId)
}

/** Removes emailed tokens a day after they expired. */
export const removeExpired = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, new Date(ctx.clock.now().getTime() - day))
