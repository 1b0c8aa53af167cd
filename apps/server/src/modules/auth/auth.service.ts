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
import { hash, isUsable, mailToken, takeMail } from './auth.mailed-tokens.ts'
import { hashPassword, tryPassword } from './auth.passwords.ts'
import * as store from './auth.store.ts'
import { mailVerification } from './auth.verify.service.ts'

/** Mails the link to set a new password to whoever signs in with an address. */
export const forgotJob = 'auth.forgot'

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
  const user = await account.findByEmail(ctx.db, email)
  const { right, giveBack } = await tryPassword(ctx, email, user?.passwordHash, password)
  if (user && user.loginKind !== 'Email') throw problem('user_not_created_with_email')
  if (!right || !user) throw problem('invalid_credentials')

  return ctx.write(async (tx) => {
    // Before the row is locked for sharing: two logins that then both wrote would wait for each other.
    await account.saveLocale(ctx, tx, user)
    // A new password ends every session: one that is begun with the old one must not come after it.
    if (!(await account.lockPassword(tx, user.id, user.passwordHash)))
      throw problem('invalid_credentials')
    await giveBack(tx)
    return { token: await ctx.sessions.start(tx, user.id) }
  })
}

/** Whether the caller's account is verified: what a page may ask before everything else is open to it. */
export const session = async (ctx: Pick<UserContext, 'user'>) => ({ verified: ctx.user.verified })

/** Ends the session of the call. */
export const logout = (ctx: UserContext) => ctx.sessions.end(ctx.session.id as SessionId)

/**
 * Asks for a mail to set a new password. Does and answers the same for a known and an unknown address:
 * who it is for is looked up later, by a job. Throws `action_limit_reached`.
 */
export const forgotPassword = (ctx: RequestContext, email: string): Promise<void> =>
  ctx.write(async (tx) => {
    await takeMail(ctx, tx, 'reset', email)
    await ctx.jobs.send(tx, forgotJob, { email, locale: ctx.locale, requestId: newId() })
  })

/**
 * The second half of `forgotPassword`: mails the link, if somebody signs in with that address; whoever
 * signs in elsewhere is told where.
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
      ? mailToken(ctx, tx, 'reset', user, { locale, about: requestId })
      : mail.send(ctx, tx, {
          key: `reset:${requestId}`,
          to: user.email,
          ...noPasswordEmail({ locale, user, publicUrl: ctx.env.PUBLIC_URL }),
        }),
  )
}

/**
 * Sets a new password with a mailed token, ends every session of the account and verifies it: the token
 * proves the mailbox. That of the verification mail does, too, for whoever finds that somebody else signed
 * up with their address. Throws `invalid_token` for one that is unknown, used or expired.
 */
export async function resetPassword(
  ctx: RequestContext,
  { password, token }: { password: string; token: string },
): Promise<void> {
  const kinds = ['reset', 'verify'] as const
  const found = await store.findToken(ctx.db, kinds, hash(token))
  if (!found) throw problem('invalid_token')
  const passwordHash = await hashPassword(password)
  await ctx.write(async (tx) => {
    const now = ctx.clock.now()
    // First, for it locks the user: everybody locks that before a token.
    if (!(await account.setPassword(ctx, tx, found.userId, passwordHash)))
      throw problem('invalid_token')
    const mailed = await store.lockToken(tx, kinds, hash(token))
    if (!mailed || !isUsable(mailed, now)) throw problem('invalid_token')
    await store.spendTokens(tx, found.userId, kinds, now)
    const user = await account.find(tx, found.userId)
    if (user) await throttle.reset(tx, `login:account:${user.email}`)
  })
  ctx.sessions.forgetUser(found.userId)
}

/** Removes mailed tokens a day after they expired. */
export const tidy = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, new Date(ctx.clock.now().getTime() - day))
