import { createHash, randomBytes } from 'node:crypto'
import { type UserId, updateProfileName } from '@slipway/contract/account'
import { limits } from '@slipway/contract/limits'
import type { ExternalLoginError } from '@slipway/contract/sessions'
import type { Context, RequestContext } from '../../context.ts'
import { Problem } from '../../problem.ts'
import * as account from '../account/account.service.ts'
import * as retention from '../retention/retention.service.ts'
import {
  authorizationRequest,
  Cancelled,
  type Identity,
  identify,
} from './external-login.client.ts'
import { findProvider, type Provider } from './external-login.providers.ts'
import * as store from './external-login.store.ts'

/** Why an external login did not come to its end; the login page says it. */
export class ExternalLoginProblem extends Error {
  readonly code: ExternalLoginError
  /** The console's state of that login, where it is known and the browser's own. */
  readonly consoleState: string | undefined

  constructor(code: ExternalLoginError, details: { cause?: unknown; consoleState?: string } = {}) {
    super(code, { cause: details.cause })
    this.name = 'ExternalLoginProblem'
    this.code = code
    this.consoleState = details.consoleState
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest()

/** Where the provider sends people back to. */
const callbackUrl = (ctx: Pick<Context, 'env'>) => `${ctx.env.PUBLIC_URL}/api/auth/oauth/callback`

/**
 * Begins a sign-in with an outside provider; gives the address to send the browser to, its state there,
 * and a value for the browser to keep, which ties the sign-in to it (RFC 9700 §4.7). Undefined when there
 * is no such provider. Throws ExternalLoginProblem when the provider cannot be reached.
 */
export async function begin(
  ctx: Pick<Context, 'db' | 'clock' | 'env'>,
  { provider: name, consoleState }: { provider: string; consoleState: string },
): Promise<{ url: URL; state: string; browserId: string } | undefined> {
  const provider = findProvider(ctx.env, name)
  if (!provider) return undefined
  const sent = await authorizationRequest(provider, callbackUrl(ctx)).catch((cause) => {
    throw new ExternalLoginProblem('external_login_failed', { cause, consoleState })
  })
  const browserId = randomBytes(32).toString('base64url')
  const now = ctx.clock.now()
  await store.insertLogin(ctx.db, {
    stateHash: hash(sent.state),
    provider: provider.provider,
    consoleState,
    browserHash: hash(browserId),
    nonce: sent.nonce,
    codeVerifier: sent.codeVerifier,
    createdAt: now,
    expiresAt: new Date(now.getTime() + limits.loginStateLifetime),
  })
  return { url: sent.url, state: sent.state, browserId }
}

/**
 * Ends a sign-in that came back from a provider; gives the console's state and a session's token.
 * Throws ExternalLoginProblem: unknown, used or expired state, another browser, cancelled, an answer
 * that does not hold, an address the provider has not verified, or one that has another account.
 */
export async function complete(
  ctx: RequestContext,
  returned: { query: URLSearchParams; browserId: string | undefined },
): Promise<{ consoleState: string; token: string }> {
  const state = returned.query.get('state') ?? ''
  const login = await store.takeLogin(ctx.db, hash(state))
  const sameBrowser =
    login && returned.browserId !== undefined && hash(returned.browserId).equals(login.browserHash)
  if (!sameBrowser) throw new ExternalLoginProblem('external_login_expired')

  const { consoleState } = login
  const fail: Fail = (code, cause) => new ExternalLoginProblem(code, { cause, consoleState })
  const provider = findProvider(ctx.env, login.provider)
  if (!provider || login.expiresAt <= ctx.clock.now()) throw fail('external_login_expired')

  const url = new URL(callbackUrl(ctx))
  url.search = returned.query.toString()
  const identity = await identify(provider, url, { ...login, state }).catch((cause) => {
    const cancelled = cause instanceof Cancelled
    throw fail(cancelled ? 'external_login_cancelled' : 'external_login_failed', cause)
  })
  return { consoleState, token: await signIn(ctx, provider, identity, fail) }
}

type Fail = (code: ExternalLoginError, cause?: unknown) => ExternalLoginProblem

/** A session for the account of the identity, which is made when there is none. */
async function signIn(ctx: RequestContext, provider: Provider, identity: Identity, fail: Fail) {
  const { subject, email, emailVerified } = identity
  let released: UserId | undefined
  const token = await ctx.write(async (tx) => {
    await store.lockIdentity(tx, provider.provider, subject)
    const known = await store.findUserId(tx, provider.provider, subject)
    if (known) return ctx.sessions.start(tx, known)

    // An address nobody has proven to own must not become an account's, nor find one.
    if (email === undefined || !emailVerified || !isAddress(email))
      throw fail('external_email_not_verified')
    const newUser = {
      name: nameOf(identity.name, email),
      email,
      loginKind: provider.loginKind,
      passwordHash: null,
      verifiedAt: ctx.clock.now(),
    }
    // Whoever signed up with the address has not proven it in all that time; this person just did.
    released = await retention.releaseAddress(ctx, tx, email)
    const user = await account.create(ctx, tx, newUser).catch(async (error) => {
      if (!(error instanceof Problem && error.code === 'email_already_exists')) throw error
      // A verified account that has the address is not taken over, however it was made.
      const owner = await account.findByEmail(tx, email)
      const byPassword = owner?.loginKind === 'Email'
      throw fail(byPassword ? 'email_already_exists' : 'external_email_in_use', error)
    })
    const link = { provider: provider.provider, subject, userId: user.id }
    await store.insertIdentity(tx, link, ctx.clock.now())
    return ctx.sessions.start(tx, user.id)
  })
  if (released) ctx.sessions.forgetUser(released)
  return token
}

/** Any address of a mail server's, within what fits (RFC 5321 §4.5.3.1). */
const isAddress = (email: string) =>
  email.length <= limits.emailMax &&
  /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(email)

/** The name as our own forms would take it; else the address's local part stands in. */
function nameOf(given: string | undefined, email: string) {
  const name = updateProfileName.body.safeParse({ name: given })
  return name.success ? name.data.name : email.slice(0, email.lastIndexOf('@'))
}

/** Forgets the sign-ins that did not come back. */
export const tidy = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, ctx.clock.now())
