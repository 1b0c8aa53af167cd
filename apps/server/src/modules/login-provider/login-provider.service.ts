import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { UserProfile } from '@slipway/contract/account'
import { day, limits, second } from '@slipway/contract/limits'
import type { AuthorizationRequest } from '@slipway/contract/login-provider'
import type { ProjectId } from '@slipway/contract/projects'
import { SignJWT } from 'jose'
import type { Context, SessionContext } from '../../context.ts'
import { Problem, problem } from '../../problem.ts'
import * as account from '../account/account.service.ts'
import * as projectClients from '../projects/clients/clients.service.ts'
import * as siteClients from '../site-clients/site-clients.service.ts'
import { algorithm, rotate, signingKey } from './login-provider.keys.ts'
import { OAuthProblem } from './login-provider.problem.ts'
import { isRedirectAllowed } from './login-provider.redirects.ts'
import * as store from './login-provider.store.ts'

export { publicKeys } from './login-provider.keys.ts'
export { OAuthProblem } from './login-provider.problem.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'env' | 'sealing' | 'sessions' | 'write'>

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const randomToken = () => randomBytes(32).toString('base64url')

/** Supported scopes; others are ignored (OpenID Connect Core §3.1.2.1). */
const scopes = ['openid', 'profile', 'email'] as const

const supportedScope = (requested = 'openid profile email') =>
  scopes.filter((scope) => requested.split(' ').includes(scope)).join(' ')

const invalidParameter = (parameter: string) =>
  new Problem('invalid_params', { context: parameter })

/** The shape of an S256 challenge: a SHA-256 in base64url (RFC 7636 §4.2). */
const isChallenge = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)

/** The shape of a verifier: 43 to 128 unreserved characters (RFC 7636 §4.1). */
const isVerifier = (text: string) => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

// RFC 6749 appendix A excludes these characters; PostgreSQL cannot store the first.
// biome-ignore lint/suspicious/noControlCharactersInRegex: this finds them
const controlCharacter = /[\u0000-\u001f\u007f]/

function checkRequest(request: AuthorizationRequest) {
  for (const [name, value] of Object.entries(request))
    if (controlCharacter.test(value)) throw invalidParameter(name)
  // OpenID Connect Core §6.1 and §6.2.
  if (request.request !== undefined) throw problem('request_not_supported')
  if (request.request_uri !== undefined) throw problem('request_uri_not_supported')
  // OAuth 2.0 Multiple Response Types §2.1: `query` is the default of the code flow.
  if (request.response_mode !== undefined && request.response_mode !== 'query')
    throw invalidParameter('response_mode')
  if (request.response_type !== 'code') throw invalidParameter('response_type')
  const { code_challenge: challenge, code_challenge_method: method } = request
  // RFC 9700 §2.1.1: `plain` reveals the verifier in the request.
  if (challenge === undefined ? method !== undefined : method !== 'S256')
    throw invalidParameter('code_challenge_method')
  if (challenge !== undefined && !isChallenge(challenge)) throw invalidParameter('code_challenge')
  // OpenID Connect Core §3.1.2.1: reject what we cannot do. The caller is signed in, so `none`
  // holds; forcing another login is not supported.
  if (request.prompt !== undefined && request.prompt !== 'none') throw invalidParameter('prompt')
  if (request.max_age !== undefined) throw invalidParameter('max_age')
}

/**
 * Issues an authorization code for the project's site. It works once, for 60 seconds and while the
 * caller's session lasts, and is bound to client, redirect URI, user and PKCE challenge. Throws
 * `invalid_params`, with the parameter as context, `request_not_supported`,
 * `request_uri_not_supported`, and `project_not_found` for a deleted project or one of another
 * team.
 */
export async function createCode(
  ctx: SessionContext,
  request: AuthorizationRequest,
): Promise<{ token: string; issuer: string }> {
  checkRequest(request)
  const client = await projectClients.findClientForUser(ctx, ctx.user.id, request.client_id)
  if (!client) throw problem('project_not_found')
  if (!isRedirectAllowed(request.redirect_uri, client.origins))
    throw invalidParameter('redirect_uri')

  const token = randomToken()
  const now = ctx.clock.now()
  await store.insertCode(ctx.db, {
    codeHash: sha256(token),
    projectId: client.id,
    userId: ctx.user.id,
    sessionId: ctx.session.id,
    redirectUri: request.redirect_uri,
    scope: supportedScope(request.scope),
    nonce: request.nonce ?? null,
    codeChallenge: request.code_challenge ?? null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + limits.authorizationCodeLifetime),
  })
  return { token, issuer: ctx.env.PUBLIC_URL }
}

/** Throws `invalid_client` for a wrong secret; takes as long for an unknown client. */
async function authenticateClient(ctx: Ctx, clientId: string, secret: string): Promise<ProjectId> {
  const client = await projectClients.findClient(ctx, clientId)
  const unknownId = '00000000-0000-0000-0000-000000000000' as ProjectId
  const expected = sha256(await siteClients.clientSecret(ctx, client?.id ?? unknownId))
  const matches = timingSafeEqual(expected, sha256(secret))
  if (!client || !matches)
    throw new OAuthProblem('invalid_client', 'unknown client or wrong secret')
  return client.id
}

type TokenRequest = {
  clientId: string
  clientSecret: string
  code: string
  redirectUri: string
  codeVerifier: string | undefined
}

/** Why the request cannot redeem the code; undefined when it can. */
function rejectionReason(
  code: store.AuthorizationCode,
  projectId: ProjectId,
  request: TokenRequest,
  now: Date,
) {
  if (code.projectId !== projectId) return 'the code was issued to another client'
  if (code.expiresAt <= now) return 'the code has expired'
  // RFC 6749 §4.1.3: identical to the one in the authorization request.
  if (code.redirectUri !== request.redirectUri)
    return 'the redirect_uri is not the one of the request'
  if (code.codeChallenge === null)
    // RFC 9700 §4.8.2: a verifier without a challenge is a downgrade attack.
    return request.codeVerifier === undefined ? undefined : 'no code_challenge was sent'
  if (request.codeVerifier === undefined) return 'the code_verifier is missing'
  const challenge = sha256(request.codeVerifier).toString('base64url')
  return challenge === code.codeChallenge ? undefined : 'the code_verifier is wrong'
}

/**
 * Redeems a code for an access token and an ID token (OpenID Connect Core §3.1.3.3); times in
 * seconds. Throws `OAuthProblem`: `invalid_request` for a malformed verifier, `invalid_client`, and
 * `invalid_grant` for a code that is unknown, used, expired, of an ended session or bound to other
 * parameters. A second use revokes the tokens of the first (RFC 6749 §4.1.2).
 */
export async function redeemCode(ctx: Ctx, request: TokenRequest) {
  if (request.codeVerifier !== undefined && !isVerifier(request.codeVerifier))
    throw new OAuthProblem('invalid_request', 'the code_verifier is malformed')
  const projectId = await authenticateClient(ctx, request.clientId, request.clientSecret)
  const codeHash = sha256(request.code)
  const now = ctx.clock.now()
  const accessToken = randomToken()

  // A rejection is returned, not thrown: its writes must be committed.
  const outcome = await ctx.write(async (tx) => {
    const code = await store.lockCode(tx, codeHash)
    if (!code) return 'the code is unknown'
    if (code.usedAt) {
      await store.removeTokensOfCode(tx, codeHash)
      return 'the code was used before'
    }
    const sessionEnded =
      code.sessionId !== null && !(await ctx.sessions.isActive(tx, code.sessionId))
    const reason = sessionEnded
      ? 'the session that requested the code has ended'
      : rejectionReason(code, projectId, request, now)
    // A code tried with wrong parameters may be stolen: mark it as used, too.
    await store.redeemCode(tx, codeHash, now)
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
      ? { id_token: await idToken(ctx, request.clientId, nonce, claims) }
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

/** The claims that the scope grants (OpenID Connect Core §5.4). */
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

/** Undefined when the user has left the team or the project is deleted. */
async function claimsForSite(
  ctx: Ctx,
  grant: { projectId: ProjectId; userId: UserProfile['id']; scope: string },
): Promise<Claims | undefined> {
  const isMember = await projectClients.isMember(ctx, grant.userId, grant.projectId)
  const user = isMember ? await account.find(ctx.db, grant.userId) : undefined
  return user && claimsOf(user, grant.scope)
}

/**
 * The claims of an access token's user (OpenID Connect Core §5.3). Throws `OAuthProblem`
 * `invalid_token`.
 */
export async function userInfo(ctx: Ctx, accessToken: string): Promise<Claims> {
  const token = await store.findToken(ctx.db, sha256(accessToken))
  const validToken = token && token.expiresAt > ctx.clock.now() ? token : undefined
  const claims = validToken && (await claimsForSite(ctx, validToken))
  if (!claims) throw new OAuthProblem('invalid_token', 'the token is unknown or has ended')
  return claims
}

/** The provider's metadata (OpenID Connect Discovery §3, RFC 8414, RFC 9207). */
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
 * True when the console uses https and the sites do not, so that codes travel unencrypted. RFC 9700
 * §2.6 forbids that except in development.
 */
export const sendsCodesUnencrypted = ({ env }: Pick<Context, 'env'>): boolean =>
  env.PUBLIC_URL.startsWith('https:') && env.SITES_URL.startsWith('http:')

/** Rotates the signing keys; removes codes and tokens a day after they expired. */
export async function maintain(ctx: Ctx): Promise<void> {
  await rotate(ctx)
  await store.removeExpired(ctx.db, new Date(ctx.clock.now().getTime() - day))
}
