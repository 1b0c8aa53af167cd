import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { UserProfile } from '@slipway/contract/account'
import { day, limits, second } from '@slipway/contract/limits'
import type { AuthorizationRequest } from '@slipway/contract/login-provider'
import type { ProjectId } from '@slipway/contract/projects'
import { SignJWT } from 'jose'
import type { Context, UserContext } from '../../context.ts'
import { Problem, problem } from '../../problem.ts'
import * as account from '../account/account.service.ts'
import * as projects from '../projects/projects.service.ts'
import * as siteClients from '../site-clients/site-clients.service.ts'
import { algorithm, rotate, signingKey } from './login-provider.keys.ts'
import { OAuthProblem } from './login-provider.problem.ts'
import { isRedirectAllowed } from './login-provider.redirects.ts'
import * as store from './login-provider.store.ts'

export { publicKeys } from './login-provider.keys.ts'
export { OAuthProblem } from './login-provider.problem.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'env' | 'write'>

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const randomToken = () => randomBytes(32).toString('base64url')

/** What a site may ask for; anything else in `scope` is ignored (OpenID Connect Core §3.1.2.1). */
const scopes = ['openid', 'profile', 'email'] as const

const knownScope = (asked = 'openid profile email') =>
  scopes.filter((scope) => asked.split(' ').includes(scope)).join(' ')

const refuse = (parameter: string) => new Problem('invalid_params', { context: parameter })

/** The shape of an S256 challenge: a SHA-256 in base64url (RFC 7636 §4.2). */
const isChallenge = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)

/** The shape of a verifier: 43 to 128 unreserved characters (RFC 7636 §4.1). */
const isVerifier = (text: string) => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

// Characters that no identifier of ours has (RFC 6749 appendix A), and one that no database stores.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f]/

function checkRequest(request: AuthorizationRequest) {
  for (const [name, value] of Object.entries(request)) if (control.test(value)) throw refuse(name)
  if (request.response_type !== 'code') throw refuse('response_type')
  const { code_challenge: challenge, code_challenge_method: method } = request
  // RFC 9700 §2.1.1: `plain` would show the verifier to whoever sees the request.
  if (challenge === undefined ? method !== undefined : method !== 'S256')
    throw refuse('code_challenge_method')
  if (challenge !== undefined && !isChallenge(challenge)) throw refuse('code_challenge')
  // OpenID Connect Core §3.1.2.1: what cannot be done must not be passed over. Whoever asks here is
  // signed in, so nothing is shown to them; but nobody is made to log in once more.
  if (request.prompt !== undefined && request.prompt !== 'none') throw refuse('prompt')
  if (request.max_age !== undefined) throw refuse('max_age')
}

/**
 * A code with which the project's site signs the user in: one use, 60 seconds, bound to the client, the
 * redirect URI, the user and the PKCE challenge. Throws `invalid_params`, its context the parameter
 * that is wrong, and `project_not_found` for a project that is deleted or whose team the user is not
 * in. Whatever is refused is refused before any code exists.
 */
export async function createCode(
  ctx: UserContext,
  request: AuthorizationRequest,
): Promise<{ token: string; issuer: string }> {
  checkRequest(request)
  const client = await projects.findClientForUser(ctx, ctx.user.id, request.client_id)
  if (!client) throw problem('project_not_found')
  if (!isRedirectAllowed(request.redirect_uri, client.origins)) throw refuse('redirect_uri')

  const token = randomToken()
  const now = ctx.clock.now()
  await store.insertCode(ctx.db, {
    codeHash: sha256(token),
    projectId: client.id,
    userId: ctx.user.id,
    redirectUri: request.redirect_uri,
    scope: knownScope(request.scope),
    nonce: request.nonce ?? null,
    codeChallenge: request.code_challenge ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + limits.authorizationCodeLifetime),
  })
  return { token, issuer: ctx.env.PUBLIC_URL }
}

/** Throws `invalid_client` unless the secret is that project's. Takes as long for an unknown client. */
async function authenticateClient(ctx: Ctx, clientId: string, secret: string): Promise<ProjectId> {
  const client = await projects.findClient(ctx, clientId)
  const nobody = '00000000-0000-0000-0000-000000000000' as ProjectId
  const expected = sha256(await siteClients.clientSecret(ctx, client?.id ?? nobody))
  const right = timingSafeEqual(expected, sha256(secret))
  if (!client || !right) throw new OAuthProblem('invalid_client', 'unknown client or wrong secret')
  return client.id
}

type Redemption = {
  clientId: string
  clientSecret: string
  code: string
  redirectUri: string
  codeVerifier: string | undefined
}

/** Why the code cannot be redeemed with that; undefined when it can. */
function refusal(
  code: store.AuthorizationCode,
  projectId: ProjectId,
  given: Redemption,
  now: Date,
) {
  if (code.projectId !== projectId) return 'the code was issued to another client'
  if (code.expiresAt <= now) return 'the code has expired'
  // RFC 6749 §4.1.3: identical to the one the code was asked with.
  if (code.redirectUri !== given.redirectUri)
    return 'the redirect_uri is not the one of the request'
  if (code.codeChallenge === null)
    // RFC 9700 §4.8.2: a verifier without a challenge is how a downgrade shows.
    return given.codeVerifier === undefined ? undefined : 'no code_challenge was sent'
  if (given.codeVerifier === undefined) return 'the code_verifier is missing'
  const challenge = sha256(given.codeVerifier).toString('base64url')
  return challenge === code.codeChallenge ? undefined : 'the code_verifier is wrong'
}

/**
 * Redeems a code for an access token and an ID token (OpenID Connect Core §3.1.3.3); times in seconds.
 * Throws OAuthProblem: `invalid_request` for a verifier that can be none, `invalid_client`, and
 * `invalid_grant` for a code that is unknown, used, expired, or not bound to what is given. A second use also ends the tokens of the first (RFC 6749 §4.1.2).
 */
export async function redeemCode(ctx: Ctx, given: Redemption) {
  if (given.codeVerifier !== undefined && !isVerifier(given.codeVerifier))
    throw new OAuthProblem('invalid_request', 'the code_verifier is malformed')
  const projectId = await authenticateClient(ctx, given.clientId, given.clientSecret)
  const codeHash = sha256(given.code)
  const now = ctx.clock.now()
  const accessToken = randomToken()

  // The refusal is a value, not an exception: what it writes must not be rolled back.
  const outcome = await ctx.write(async (tx) => {
    const code = await store.lockCode(tx, codeHash)
    if (!code) return 'the code is unknown'
    if (code.usedAt) {
      await store.removeTokensOfCode(tx, codeHash)
      return 'the code was used before'
    }
    const reason = refusal(code, projectId, given, now)
    // Whoever tried it with anything wrong may have stolen it: it works for nobody after that.
    await store.spendCode(tx, codeHash, now)
    if (reason) return reason
    await store.insertToken(tx, {
      tokenHash: sha256(accessToken),
      codeHash,
      projectId,
      userId: code.userId,
      scope: code.scope,
      createdAt: now,
      expiresAt: new Date(now.getTime() + limits.accessTokenLifetime),
    })
    return code
  })
  if (typeof outcome === 'string') throw new OAuthProblem('invalid_grant', outcome)

  const claims = await claimsForSite(ctx, outcome)
  if (!claims) throw new OAuthProblem('invalid_grant', 'the user may not sign in to this site')
  const { scope, nonce } = outcome
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: limits.accessTokenLifetime / second,
    scope,
    ...(scope.split(' ').includes('openid')
      ? { id_token: await idToken(ctx, given.clientId, nonce, claims) }
      : {}),
  }
}

type Claims = { sub: string; [claim: string]: unknown }

async function idToken(ctx: Ctx, clientId: string, nonce: string | null, claims: Claims) {
  const { kid, key } = await signingKey(ctx)
  const now = Math.floor(ctx.clock.now().getTime() / second)
  return new SignJWT({ ...claims, ...(nonce === null ? {} : { nonce }) })
    .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
    .setIssuer(ctx.env.PUBLIC_URL)
    .setAudience(clientId)
    .setIssuedAt(now)
    .setExpirationTime(now + limits.accessTokenLifetime / second)
    .sign(key)
}

/** What the scope lets the site know of the user (OpenID Connect Core §5.4). */
function claimsOf(user: UserProfile & { verifiedAt: Date | null }, scope: string): Claims {
  const granted = scope.split(' ')
  return {
    sub: user.id,
    ...(granted.includes('profile') ? { name: user.name, preferred_username: user.username } : {}),
    ...(granted.includes('email')
      ? { email: user.email, email_verified: user.verifiedAt !== null }
      : {}),
  }
}

/** Undefined when the user has left the team, or the project is gone, since the code was given. */
async function claimsForSite(
  ctx: Ctx,
  grant: { projectId: ProjectId; userId: UserProfile['id']; scope: string },
): Promise<Claims | undefined> {
  const known = await projects.isMember(ctx, grant.userId, grant.projectId)
  const user = known ? await account.find(ctx.db, grant.userId) : undefined
  return user && claimsOf(user, grant.scope)
}

/** The user of an access token (OpenID Connect Core §5.3). Throws OAuthProblem `invalid_token`. */
export async function userInfo(ctx: Ctx, accessToken: string): Promise<Claims> {
  const token = await store.findToken(ctx.db, sha256(accessToken))
  const live = token && token.expiresAt > ctx.clock.now() ? token : undefined
  const claims = live && (await claimsForSite(ctx, live))
  if (!claims) throw new OAuthProblem('invalid_token', 'the token is unknown or has ended')
  return claims
}

/** What a client library has to know (OpenID Connect Discovery §3, RFC 8414, RFC 9207). */
export function metadata(ctx: Pick<Context, 'env'>) {
  const issuer = ctx.env.PUBLIC_URL
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth/code`,
    token_endpoint: `${issuer}/api/auth/project/token`,
    userinfo_endpoint: `${issuer}/api/auth/project/userinfo`,
    jwks_uri: `${issuer}/api/auth/project/jwks`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'],
      ...['name', 'preferred_username', 'email', 'email_verified'],
    ],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}

/**
 * True when the console is reached by https and the sites are not: their sign-ins would come back in the
 * clear, which RFC 9700 §2.6 forbids outside of a development machine.
 */
export const answersInTheClear = ({ env }: Pick<Context, 'env'>): boolean =>
  env.PUBLIC_URL.startsWith('https:') && env.SITES_URL.startsWith('http:')

/** Rotates the signing keys, and forgets codes and tokens a day after they ended. */
export async function tidy(ctx: Ctx): Promise<void> {
  await rotate(ctx)
  await store.removeExpired(ctx.db, new Date(ctx.clock.now().getTime() - day))
}
