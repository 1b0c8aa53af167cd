import { createHash, randomBytes } from 'node:crypto'
import type { UserId, UserProfile } from '@slipway/contract/account'
import { second } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { serviceLimits } from '@slipway/contract/service-limits'
import { SignJWT } from 'jose'
import type { Context, Db, RequestContext, Tx } from '../../context.ts'
import { logSecurityEvent } from '../../security-events.ts'
import * as account from '../account/account.service.ts'
import * as projectClients from '../projects/clients/clients.service.ts'
import {
  authenticateClient,
  type Client,
  type Credentials,
  isGrantedTo,
} from './login-provider.clients.ts'
import { signingKey } from './login-provider.keys.ts'
import { OAuthProblem } from './login-provider.problem.ts'
import type { OfflineGrantId } from './login-provider.schema.ts'
import { hasScope } from './login-provider.scopes.ts'
import * as store from './login-provider.store.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'env' | 'sealing' | 'sessions' | 'write'>

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const randomToken = () => randomBytes(32).toString('base64url')

/** The shape of a verifier: 43 to 128 unreserved characters (RFC 7636 §4.1). */
const isVerifier = (text: string) => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

type CodeRequest = Credentials & {
  code: string
  redirectUri: string
  codeVerifier: string | undefined
}

/** Why the request cannot redeem the code; undefined when it can. */
function rejectionReason(
  code: store.AuthorizationCode,
  client: Client,
  request: CodeRequest,
  now: Date,
) {
  if (!isGrantedTo(client, code)) return 'the code was issued to another client'
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

type Grant = Pick<store.AccessToken, 'projectId' | 'clientId' | 'userId' | 'scope'>

type TokenInputs = {
  grant: Grant
  claims: Claims
  accessToken: string
  refreshToken: string | undefined
  authTime: Date | null
  nonce: string | null
}

async function insertAccessToken(
  tx: Tx,
  now: Date,
  { projectId, clientId, userId, scope }: Grant,
  origin: { codeHash?: Buffer; grantId?: OfflineGrantId },
) {
  const accessToken = randomToken()
  await store.insertToken(tx, {
    tokenHash: sha256(accessToken),
    codeHash: origin.codeHash ?? null,
    grantId: origin.grantId ?? null,
    projectId,
    clientId,
    userId,
    scope,
    createdAt: now,
    expiresAt: new Date(now.getTime() + serviceLimits.accessTokenLifetime),
  })
  return accessToken
}

async function insertRefreshToken(
  tx: Tx,
  now: Date,
  { id, expiresAt }: Pick<store.OfflineGrant, 'id' | 'expiresAt'>,
) {
  const refreshToken = randomToken()
  const idleEnd = now.getTime() + serviceLimits.refreshTokenIdleLifetime
  await store.insertRefreshToken(tx, {
    tokenHash: sha256(refreshToken),
    grantId: id,
    createdAt: now,
    expiresAt: new Date(Math.min(idleEnd, expiresAt.getTime())),
  })
  return refreshToken
}

/**
 * Redeems a code for an access token, an ID token and, with `offline_access`, a refresh token
 * (OpenID Connect Core §3.1.3.3); times in seconds. Throws `OAuthProblem`: `invalid_request` for a
 * malformed verifier, `invalid_client`, and `invalid_grant` for a code that is unknown, used,
 * expired, of an ended session or bound to other parameters. A second use revokes the tokens of the
 * first (RFC 6749 §4.1.2).
 */
export async function redeemCode(ctx: Ctx, request: CodeRequest) {
  if (request.codeVerifier !== undefined && !isVerifier(request.codeVerifier))
    throw new OAuthProblem('invalid_request', 'the code_verifier is malformed')
  const client = await authenticateClient(ctx, request)
  const codeHash = sha256(request.code)
  const now = ctx.clock.now()

  // A rejection is returned, not thrown: its writes must be committed.
  const outcome = await ctx.write(async (tx): Promise<TokenInputs | string> => {
    const code = await store.lockCode(tx, codeHash)
    if (!code) return 'the code is unknown'
    if (code.usedAt) {
      await store.removeTokensOfCode(tx, codeHash)
      return 'the code was used before'
    }
    // A new password ends the session before it ends the grants: it waits for this one.
    const sessionEnded =
      code.sessionId !== null && !(await ctx.sessions.isActive(tx, code.sessionId))
    const reason = sessionEnded
      ? 'the session that requested the code has ended'
      : rejectionReason(code, client, request, now)
    // A code tried with wrong parameters may be stolen: mark it as used, too.
    await store.redeemCode(tx, codeHash, now)
    if (reason) return reason
    const claims = await claimsForSite(tx, code)
    if (!claims) return 'the user may not sign in to this site'
    const authTime = code.authTime ?? code.createdAt
    let grantId: OfflineGrantId | undefined
    let refreshToken: string | undefined
    if (hasScope(code.scope, 'offline_access')) {
      const expiresAt = new Date(now.getTime() + serviceLimits.offlineGrantLifetime)
      const { projectId, clientId, userId, scope } = code
      const grant = { projectId, clientId, userId, scope, codeHash, authTime, expiresAt }
      grantId = await store.insertGrant(tx, { ...grant, createdAt: now })
      refreshToken = await insertRefreshToken(tx, now, { id: grantId, expiresAt })
    }
    const accessToken = await insertAccessToken(tx, now, code, {
      codeHash,
      ...(grantId ? { grantId } : {}),
    })
    return { grant: code, claims, accessToken, refreshToken, authTime, nonce: code.nonce }
  })
  if (typeof outcome === 'string') throw new OAuthProblem('invalid_grant', outcome)
  return tokenResponse(ctx, client, outcome)
}

/** The requested part of a granted scope. Throws `invalid_scope` when it is more. */
function narrowedScope(granted: string, requested: string | undefined) {
  if (requested === undefined || requested === '') return granted
  const scopes = requested.split(' ').filter(Boolean)
  if (!scopes.every((scope) => hasScope(granted, scope)))
    throw new OAuthProblem('invalid_scope', 'the scope is more than what was granted')
  return scopes.join(' ')
}

/**
 * Exchanges a refresh token for new tokens (RFC 6749 §6, OpenID Connect Core §12). Each works once:
 * a second use means that it was stolen, so it ends the grant and every token of it (RFC 9700
 * §4.14.2). Throws `OAuthProblem`: `invalid_client`, `invalid_scope`, and `invalid_grant` for a
 * token that is unknown, used, expired or another client's, and while the user may not sign in.
 */
export async function refresh(
  ctx: Ctx & Pick<RequestContext, 'log' | 'address'>,
  request: Credentials & { refreshToken: string; scope: string | undefined },
) {
  const client = await authenticateClient(ctx, request)
  const tokenHash = sha256(request.refreshToken)
  const now = ctx.clock.now()
  const reused: Pick<Grant, 'userId' | 'projectId'>[] = []

  const outcome = await ctx.write(async (tx): Promise<TokenInputs | string> => {
    const stored = await store.findRefreshToken(tx, tokenHash)
    const grant = stored && (await store.lockGrant(tx, stored.grantId))
    // Read again: another request may have used it before the grant was locked.
    const token = grant && (await store.findRefreshToken(tx, tokenHash))
    if (!token) return 'the refresh token is unknown'
    const isForeign = !isGrantedTo(client, grant)
    if (isForeign || token.usedAt) {
      await store.removeGrant(tx, grant.id)
      reused.push(grant)
      return isForeign ? 'the refresh token is of another client' : 'the refresh token was used'
    }
    if (token.expiresAt <= now) return 'the refresh token has expired'
    const scope = narrowedScope(grant.scope, request.scope)
    const claims = await claimsForSite(tx, { ...grant, scope })
    if (!claims) return 'the user may not sign in to this site'
    await store.redeemRefreshToken(tx, tokenHash, now)
    const refreshToken = await insertRefreshToken(tx, now, grant)
    const granted = { ...grant, scope }
    const accessToken = await insertAccessToken(tx, now, granted, { grantId: grant.id })
    return {
      grant: granted,
      claims,
      accessToken,
      refreshToken,
      authTime: grant.authTime,
      // OpenID Connect Core §12.2: it should have none.
      nonce: null,
    }
  })
  for (const { userId, projectId } of reused)
    logSecurityEvent(ctx, 'refresh_token_reused', { userId, projectId })
  if (typeof outcome === 'string') throw new OAuthProblem('invalid_grant', outcome)
  return tokenResponse(ctx, client, outcome)
}

async function tokenResponse(ctx: Ctx, client: Client, issued: TokenInputs) {
  const { scope } = issued.grant
  return {
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: serviceLimits.accessTokenLifetime / second,
    scope,
    ...(issued.refreshToken === undefined ? {} : { refresh_token: issued.refreshToken }),
    ...(hasScope(scope, 'openid') ? { id_token: await idToken(ctx, client, issued) } : {}),
  }
}

type Claims = { sub: string; [claim: string]: unknown }

const inSeconds = (time: Date) => Math.floor(time.getTime() / second)

async function idToken(ctx: Ctx, client: Client, { claims, nonce, authTime }: TokenInputs) {
  const { kid, key } = await signingKey(ctx, client.algorithm)
  const now = inSeconds(ctx.clock.now())
  return new SignJWT({
    ...claims,
    ...(authTime === null ? {} : { auth_time: inSeconds(authTime) }),
    ...(nonce === null ? {} : { nonce }),
  })
    .setProtectedHeader({ alg: client.algorithm, kid, typ: 'JWT' })
    .setIssuer(ctx.env.PUBLIC_URL)
    .setAudience(client.clientId)
    .setIssuedAt(now)
    .setExpirationTime(now + serviceLimits.accessTokenLifetime / second)
    .sign(key)
}

/** The claims that the scope grants (OpenID Connect Core §5.4). */
const claimsOf = (user: UserProfile & { verifiedAt: Date | null }, scope: string): Claims => ({
  sub: user.id,
  ...(hasScope(scope, 'profile') ? { name: user.name, preferred_username: user.username } : {}),
  ...(hasScope(scope, 'email')
    ? { email: user.email, email_verified: user.verifiedAt !== null }
    : {}),
})

/** Undefined when the user has left the team or the project is deleted. */
async function claimsForSite(
  db: Db,
  grant: { projectId: ProjectId; userId: UserProfile['id']; scope: string },
): Promise<Claims | undefined> {
  const isMember = await projectClients.isMember(db, grant.userId, grant.projectId)
  const user = isMember ? await account.find(db, grant.userId) : undefined
  return user && claimsOf(user, grant.scope)
}

/**
 * The claims of an access token's user (OpenID Connect Core §5.3). Throws `OAuthProblem`
 * `invalid_token`.
 */
export async function userInfo(ctx: Ctx, accessToken: string): Promise<Claims> {
  const token = await store.findToken(ctx.db, sha256(accessToken))
  const validToken = token && token.expiresAt > ctx.clock.now() ? token : undefined
  const claims = validToken && (await claimsForSite(ctx.db, validToken))
  if (!claims) throw new OAuthProblem('invalid_token', 'the token is unknown or has ended')
  return claims
}

/** An access or refresh token by its text, with its grant. */
async function findAnyToken(ctx: Ctx, text: string) {
  const tokenHash = sha256(text)
  const access = await store.findToken(ctx.db, tokenHash)
  if (access) return { ...access, kind: 'access' as const, isUsed: false }
  const token = await store.findRefreshToken(ctx.db, tokenHash)
  const grant = token && (await store.findGrant(ctx.db, token.grantId))
  if (!token || !grant) return undefined
  const { createdAt, expiresAt, usedAt } = token
  const isUsed = usedAt !== null
  return { ...grant, grantId: grant.id, createdAt, expiresAt, kind: 'refresh' as const, isUsed }
}

/**
 * The state of a token of the client (RFC 7662 §2.2). Reveals nothing about a token that is
 * unknown, has ended or is another client's. Throws `invalid_client`, for a public client too: it
 * cannot prove that the token is its own.
 */
export async function introspect(
  ctx: Ctx,
  { token: text, ...credentials }: Credentials & { token: string },
) {
  const client = await authenticateClient(ctx, credentials)
  if (client.isPublic)
    throw new OAuthProblem('invalid_client', 'a public client cannot introspect tokens')
  const token = await findAnyToken(ctx, text)
  if (!token || token.isUsed || token.expiresAt <= ctx.clock.now() || !isGrantedTo(client, token))
    return { active: false }
  const claims = await claimsForSite(ctx.db, { ...token, scope: 'profile' })
  if (!claims) return { active: false }
  return {
    active: true,
    scope: token.scope,
    client_id: client.clientId,
    username: claims.preferred_username,
    ...(token.kind === 'access' ? { token_type: 'Bearer' } : {}),
    sub: claims.sub,
    iss: ctx.env.PUBLIC_URL,
    aud: client.clientId,
    iat: inSeconds(token.createdAt),
    exp: inSeconds(token.expiresAt),
  }
}

/**
 * Ends an access token, or a refresh token with its whole grant (RFC 7009 §2.1). An unknown token
 * has ended already. Throws `invalid_client`, and `invalid_grant` for another client's token.
 */
export async function revoke(
  ctx: Ctx,
  { token: text, ...credentials }: Credentials & { token: string },
): Promise<void> {
  const client = await authenticateClient(ctx, credentials)
  const token = await findAnyToken(ctx, text)
  if (!token) return
  if (!isGrantedTo(client, token))
    throw new OAuthProblem('invalid_grant', 'the token was issued to another client')
  if (token.kind === 'access') await store.removeToken(ctx.db, token.tokenHash)
  else await store.removeGrant(ctx.db, token.grantId)
}

/** Ends every grant and access token of a user, as after a new password. */
export const endGrants = (tx: Tx, userId: UserId): Promise<void> =>
  store.removeGrantsOfUser(tx, userId)
