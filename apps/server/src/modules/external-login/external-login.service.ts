import { createHash, randomBytes } from 'node:crypto'
import { type UserId, updateProfileName } from '@slipway/contract/account'
import { isEmailAddress, lowercaseEmail } from '@slipway/contract/email'
import { limits } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { ExternalLoginError } from '@slipway/contract/sessions'
import type { Context, RequestContext } from '../../context.ts'
import { Problem, problem } from '../../problem.ts'
import { logSecurityEvent } from '../../security-events.ts'
import * as account from '../account/account.service.ts'
import * as devices from '../devices/devices.service.ts'
import * as retention from '../retention/retention.service.ts'
import {
  authorizationRequest,
  Cancelled,
  type Identity,
  identify,
} from './external-login.client.ts'
import { findProvider, type Provider } from './external-login.providers.ts'
import * as store from './external-login.store.ts'

/** An external login that failed; the login page shows the code. */
export class ExternalLoginProblem extends Error {
  readonly code: ExternalLoginError
  /** The console's state; undefined when unknown or when another browser returned. */
  readonly consoleState: string | undefined

  constructor(code: ExternalLoginError, details: { cause?: unknown; consoleState?: string } = {}) {
    super(code, { cause: details.cause })
    this.name = 'ExternalLoginProblem'
    this.code = code
    this.consoleState = details.consoleState
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest()

/** The redirect URI registered with the provider. */
const callbackUrl = (ctx: Pick<Context, 'env'>) => `${ctx.env.PUBLIC_URL}/api/auth/oauth/callback`

/** One cookie per login, so that concurrent logins do not overwrite each other's. */
const cookieName = (consoleState: string) => `external_login_${consoleState.slice(0, 8)}`

/** True in the browser that started the login (RFC 9700 §4.7). */
function isSameBrowser(
  { cookies }: RequestContext,
  { consoleState, browserHash }: { consoleState: string; browserHash: Buffer },
) {
  const browserId = cookies.get(cookieName(consoleState))
  return browserId !== undefined && hash(browserId).equals(browserHash)
}

/**
 * Starts an external login, and binds it to the browser by a cookie. Returns the provider's URL for
 * the browser; undefined for an unknown provider. Throws `ExternalLoginProblem` when the provider
 * is unreachable.
 */
export async function start(
  ctx: RequestContext,
  { provider: name, consoleState }: { provider: string; consoleState: string },
): Promise<URL | undefined> {
  const provider = findProvider(ctx.env, name)
  if (!provider) return undefined
  const request = await authorizationRequest(provider, callbackUrl(ctx)).catch((cause) => {
    throw new ExternalLoginProblem('external_login_failed', { cause, consoleState })
  })
  const browserId = randomBytes(32).toString('base64url')
  const now = ctx.clock.now()
  await store.insertLogin(ctx.db, {
    stateHash: hash(request.state),
    provider: provider.provider,
    consoleState,
    browserHash: hash(browserId),
    nonce: request.nonce,
    codeVerifier: request.codeVerifier,
    createdAt: now,
    expiresAt: new Date(now.getTime() + limits.loginStateLifetime),
  })
  const lifetime = limits.loginStateLifetime + serviceLimits.externalLoginCodeLifetime
  ctx.cookies.set(cookieName(consoleState), browserId, lifetime)
  return request.url
}

/**
 * Completes an external login; returns the console's state and a code for `exchange`. Throws
 * `ExternalLoginProblem` for an unknown, used or expired state, another browser, a canceled login,
 * an invalid response, an address that is unverified or not ours, or that has another account.
 */
export async function complete(
  ctx: RequestContext,
  query: URLSearchParams,
): Promise<{ consoleState: string; code: string }> {
  const state = query.get('state') ?? ''
  const login = await store.takeLogin(ctx.db, hash(state))
  if (!login || !isSameBrowser(ctx, login)) throw new ExternalLoginProblem('external_login_expired')

  const { consoleState } = login
  const fail: Fail = (code, cause) => {
    ctx.cookies.clear(cookieName(consoleState))
    return new ExternalLoginProblem(code, { cause, consoleState })
  }
  const provider = findProvider(ctx.env, login.provider)
  if (!provider || login.expiresAt <= ctx.clock.now()) throw fail('external_login_expired')

  const url = new URL(callbackUrl(ctx))
  url.search = query.toString()
  const identity = await identify(provider, url, { ...login, state }).catch((cause) => {
    const cancelled = cause instanceof Cancelled
    throw fail(cancelled ? 'external_login_cancelled' : 'external_login_failed', cause)
  })
  const code = randomBytes(32).toString('base64url')
  const newCode = { codeHash: hash(code), consoleState, browserHash: login.browserHash }
  await createCode(ctx, provider, identity, newCode, fail)
  return { consoleState, code }
}

type Fail = (code: ExternalLoginError, cause?: unknown) => ExternalLoginProblem

/** Stores a code for the identity's account, which it creates if missing. */
async function createCode(
  ctx: RequestContext,
  provider: Provider,
  identity: Identity,
  code: { codeHash: Buffer; consoleState: string; browserHash: Buffer },
  fail: Fail,
) {
  const { subject } = identity
  let releasedUserId: UserId | undefined
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + serviceLimits.externalLoginCodeLifetime)
  await ctx.write(async (tx) => {
    const storeCode = (userId: UserId) =>
      store.insertCode(tx, { ...code, userId, createdAt: now, expiresAt })
    await store.lockIdentity(tx, provider.provider, subject)
    const userId = await store.findUserId(tx, provider.provider, subject)
    if (userId) return storeCode(userId)

    // An unverified address neither creates nor finds an account.
    if (identity.email === undefined || !identity.emailVerified)
      throw fail('external_email_not_verified')
    const email = lowercaseEmail(identity.email)
    if (!isEmailAddress(email)) throw fail('external_email_not_supported')
    const newUser = {
      name: nameOf(identity.name, email),
      email,
      loginKind: provider.name,
      passwordHash: null,
      verifiedAt: ctx.clock.now(),
    }
    // The provider has verified that this user owns the address: an unverified account gives way.
    releasedUserId = await retention.releaseAddress(ctx, tx, email)
    const user = await account.create(ctx, tx, newUser).catch(async (error) => {
      if (!(error instanceof Problem && error.code === 'email_already_exists')) throw error
      // A verified account with this address is never taken over.
      const owner = await account.findByEmail(tx, email)
      const hasPassword = owner?.loginKind === 'Email'
      throw fail(hasPassword ? 'email_already_exists' : 'external_email_in_use', error)
    })
    const link = { provider: provider.provider, subject, userId: user.id }
    await store.insertIdentity(tx, link, ctx.clock.now())
    await storeCode(user.id)
  })
  if (releasedUserId) ctx.sessions.invalidateUser(releasedUserId)
}

/**
 * Exchanges a code for a session; returns its token. The first use redeems it, even if it
 * fails.
 * Throws `invalid_token` for a code that is unknown, used, expired, of another state or another
 * browser.
 */
export async function exchange(
  ctx: RequestContext,
  { code, state }: { code: string; state: string },
): Promise<{ token: string }> {
  // A rejection is returned, not thrown: the code stays redeemed.
  const started = await ctx.write(async (tx) => {
    const stored = await store.takeCode(tx, hash(code))
    const isValid =
      stored !== undefined &&
      stored.expiresAt > ctx.clock.now() &&
      stored.consoleState === state &&
      isSameBrowser(ctx, stored)
    const user = isValid ? await account.find(tx, stored.userId) : undefined
    if (!user) return undefined
    await account.saveLocale(ctx, tx, user)
    await devices.recordLogin(ctx, tx, user)
    return { token: await ctx.sessions.start(tx, user.id, ctx), userId: user.id }
  })
  if (!started) {
    logSecurityEvent(ctx, 'login_failed', { reason: 'invalid_token' })
    throw problem('invalid_token')
  }
  ctx.cookies.clear(cookieName(state))
  logSecurityEvent(ctx, 'login', { userId: started.userId, provider: 'external' })
  return { token: started.token }
}

/** The provider's name if our forms would accept it, else the address's local part. */
function nameOf(providerName: string | undefined, email: string) {
  const result = updateProfileName.body.safeParse({ name: providerName })
  return result.success ? result.data.name : email.slice(0, email.lastIndexOf('@'))
}

/** Removes expired logins. */
export const removeExpired = (ctx: Pick<Context, 'db' | 'clock'>) =>
  store.removeExpired(ctx.db, ctx.clock.now())
