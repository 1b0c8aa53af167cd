import { createHash, randomBytes } from 'node:crypto'
import type { ResponseOf } from '@slipway/contract/endpoint'
import { day } from '@slipway/contract/limits'
import type {
  AuthorizationRequest,
  checkAuthorizationRequest,
} from '@slipway/contract/login-provider'
import { serviceLimits } from '@slipway/contract/service-limits'
import { signingAlgorithms } from '@slipway/contract/sign-in-clients'
import type { Context, RequestContext, SessionContext, Tx } from '../../context.ts'
import { Problem, problem } from '../../problem.ts'
import { recordDailyActivity } from '../activity/activity.service.ts'
import * as projects from '../projects/projects.service.ts'
import { type Client, findClient, findClientForUser } from './login-provider.clients.ts'
import { rotate } from './login-provider.keys.ts'
import {
  createTicket,
  errorOf,
  needsNewLogin,
  promptsOf,
  type RequestError,
  responseModes,
} from './login-provider.requests.ts'
import { scopes, supportedScope } from './login-provider.scopes.ts'
import * as store from './login-provider.store.ts'

export { publicKeys } from './login-provider.keys.ts'
export { OAuthProblem } from './login-provider.problem.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const randomToken = () => randomBytes(32).toString('base64url')

const invalidParameter = (parameter: string) =>
  new Problem('invalid_params', { context: parameter })

/** The error of the API for an invalid request. */
const problemOf = ({ code, parameter }: RequestError) =>
  code === 'request_not_supported' || code === 'request_uri_not_supported'
    ? problem(code)
    : invalidParameter(parameter)

/**
 * Issues an authorization code for a client. It works once, for 60 seconds and while the caller's
 * session lasts, and is bound to client, redirect URI, user and PKCE challenge. Throws
 * `invalid_params`, with the parameter as context, `request_not_supported`,
 * `request_uri_not_supported`, `login_required` when the caller must log in again, and
 * `project_not_found` for a deleted project or one of another team.
 */
export async function createCode(
  ctx: SessionContext,
  request: AuthorizationRequest,
): Promise<{ token: string; issuer: string }> {
  // Errors that do not depend on the client come first.
  const requestError = errorOf(request, { isPublic: false })
  if (requestError) throw problemOf(requestError)
  const client = await findClientForUser(ctx, ctx.user.id, request.client_id)
  if (!client) throw problem('project_not_found')
  if (!client.mayRedirectTo(request.redirect_uri)) throw invalidParameter('redirect_uri')
  const clientError = errorOf(request, client)
  if (clientError) throw problemOf(clientError)
  const authTime = await ctx.sessions.findStart(ctx.db, ctx.session.id)
  if (!authTime) throw problem('unauthorized')
  if (await needsNewLogin(ctx, request, authTime)) throw problem('login_required')

  const token = randomToken()
  const now = ctx.clock.now()
  await ctx.write(async (tx) => {
    await store.insertCode(tx, {
      codeHash: sha256(token),
      projectId: client.projectId,
      clientId: client.ownId,
      userId: ctx.user.id,
      sessionId: ctx.session.id,
      authTime,
      redirectUri: request.redirect_uri,
      scope: supportedScope(request.scope),
      nonce: request.nonce ?? null,
      codeChallenge: request.code_challenge ?? null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + serviceLimits.authorizationCodeLifetime),
    })
    if (client.ownId === null) await recordAccess(ctx, tx, client)
  })
  return { token, issuer: ctx.env.PUBLIC_URL }
}

/** Records that a member signed in to the site of a project, once a day. */
async function recordAccess(ctx: SessionContext, tx: Tx, { projectId }: Client) {
  const project = await projects.findTeam(tx, projectId)
  if (!project) return
  const isFirst = await recordDailyActivity(ctx, tx, 'site_accessed', project)
  if (isFirst) await projects.publishChange(tx, projectId)
}

/**
 * The client, if a response may be sent to its address. Throws `invalid_params`, also for an
 * unknown client, so that it reveals nothing.
 */
export async function requireRedirect(
  ctx: Pick<Context, 'db' | 'env'>,
  { client_id, redirect_uri }: { client_id: string; redirect_uri: string },
): Promise<Client> {
  const client = await findClient(ctx, client_id)
  if (!client?.mayRedirectTo(redirect_uri)) throw invalidParameter('redirect_uri')
  return client
}

/**
 * Checks an authorization request before the user logs in. Returns its error, whether that error is
 * sent to the client, and the user's next step. Throws `invalid_params` for an unknown client and
 * for an address that is not the client's: no response may be sent there.
 */
export async function checkRequest(
  ctx: RequestContext,
  request: AuthorizationRequest,
): Promise<ResponseOf<typeof checkAuthorizationRequest>> {
  const client = await requireRedirect(ctx, request)
  const error = errorOf(request, client)
  const prompts = promptsOf(request)
  return {
    issuer: ctx.env.PUBLIC_URL,
    clientName: client.name,
    responseMode: request.response_mode === 'form_post' ? 'form_post' : 'query',
    error: error ? { code: error.code, description: `${error.parameter} is invalid` } : null,
    isSilent: prompts.includes('none'),
    needsConfirmation: prompts.includes('consent') || prompts.includes('select_account'),
    loginTicket: await createTicket(ctx, request),
  }
}

/** The provider's metadata (OpenID Connect Discovery §3, RFC 8414, RFC 9207). */
export function metadata(ctx: Pick<Context, 'env'>) {
  const issuer = ctx.env.PUBLIC_URL
  const clientAuthentication = ['client_secret_basic', 'client_secret_post']
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth/code`,
    token_endpoint: `${issuer}/api/auth/project/token`,
    userinfo_endpoint: `${issuer}/api/auth/project/userinfo`,
    jwks_uri: `${issuer}/api/auth/project/jwks`,
    end_session_endpoint: `${issuer}/auth/end-session`,
    revocation_endpoint: `${issuer}/api/auth/project/revoke`,
    introspection_endpoint: `${issuer}/api/auth/project/introspect`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: responseModes,
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: signingAlgorithms,
    token_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    revocation_endpoint_auth_methods_supported: [...clientAuthentication, 'none'],
    introspection_endpoint_auth_methods_supported: clientAuthentication,
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce'],
      ...['name', 'preferred_username', 'email', 'email_verified'],
    ],
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
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

/** Rotates the signing keys; removes codes, tokens and grants a day after they expired. */
export async function rotateKeysAndRemoveExpired(
  ctx: Pick<Context, 'db' | 'clock' | 'sealing' | 'write'>,
): Promise<void> {
  for (const algorithm of signingAlgorithms) await rotate(ctx, algorithm)
  await store.removeExpired(ctx.db, new Date(ctx.clock.now().getTime() - day))
}

/** Removes the grants of a deleted project with their tokens. Other tokens expire in an hour. */
export const removeGrants = store.removeGrantsOfProject
