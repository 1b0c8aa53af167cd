import { type Endpoint, endpoint } from '@slipway/contract/endpoint'
import { externalLoginPath } from '@slipway/contract/sessions'
import * as z from 'zod/mini'

// The URLs that follow OAuth 2.0 and OpenID Connect instead of the contract. They are declared like
// its endpoints, so that the same generators make their requests.

const optional = z.optional(z.string())

export const tokenPage = endpoint('POST /auth/project/token', {
  summary: 'The token endpoint (RFC 6749 §3.2)',
  access: 'public',
  body: z.object({
    grant_type: z.string(),
    code: z.string(),
    redirect_uri: z.string(),
    client_id: z.string(),
    client_secret: z.string(),
    code_verifier: z.string(),
  }),
  response: z.object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
    scope: z.string(),
    id_token: optional,
  }),
})

const claims = z.object({
  sub: z.uuid(),
  name: optional,
  preferred_username: optional,
  email: optional,
  email_verified: z.optional(z.boolean()),
})

export const userInfoPage = endpoint('GET /auth/project/userinfo', {
  summary: 'The claims of an access token (OpenID Connect Core §5.3)',
  access: 'public',
  response: claims,
})

const postedUserInfoPage = endpoint('POST /auth/project/userinfo', {
  summary: 'The claims of an access token, by POST',
  access: 'public',
  body: z.object({ scope: optional }),
  response: claims,
})

const keysPage = endpoint('GET /auth/project/jwks', {
  summary: 'The keys of the ID tokens (RFC 7517)',
  access: 'public',
  response: z.object({
    keys: z.array(z.looseObject({ kid: z.string(), alg: z.enum(['RS256', 'ES256']) })),
  }),
})

const tokenForm = z.object({
  token: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
})

const introspectionPage = endpoint('POST /auth/project/introspect', {
  summary: 'The state of a token (RFC 7662)',
  access: 'public',
  body: tokenForm,
  response: z.looseObject({ active: z.boolean() }),
})

const revocationPage = endpoint('POST /auth/project/revoke', {
  summary: 'The revocation of a token (RFC 7009)',
  access: 'public',
  body: tokenForm,
  response: z.object({}),
})

const oauthMetadataPage = endpoint('GET /.well-known/oauth-authorization-server', {
  summary: 'The metadata of the authorization server (RFC 8414)',
  access: 'public',
  response: z.looseObject({ issuer: z.string(), token_endpoint: z.string() }),
})

const metadataPage = endpoint('GET /.well-known/openid-configuration', {
  summary: 'The metadata of the provider (OpenID Connect Discovery §4)',
  access: 'public',
  response: z.looseObject({ issuer: z.string(), token_endpoint: z.string() }),
})

export const externalLoginPage = endpoint(`GET ${externalLoginPath}`, {
  summary: 'The start of an external login, a redirect',
  access: 'public',
  query: z.object({ provider: z.string(), state: z.string() }),
})

const callbackPage = endpoint('GET /auth/oauth/callback', {
  summary: 'The return from a provider, a redirect',
  access: 'public',
  query: z.object({ code: optional, state: optional, error: optional, iss: optional }),
})

export const pages: readonly Endpoint[] = [
  tokenPage,
  userInfoPage,
  postedUserInfoPage,
  keysPage,
  introspectionPage,
  revocationPage,
  metadataPage,
  oauthMetadataPage,
  externalLoginPage,
  callbackPage,
]

/** The endpoints that respond with a redirect of the browser. */
export const redirecting: ReadonlySet<Endpoint> = new Set([externalLoginPage, callbackPage])

/** The endpoints that a site's access token authenticates. */
export const withAccessToken: ReadonlySet<Endpoint> = new Set([userInfoPage, postedUserInfoPage])

export const baseOf = (target: Endpoint): string =>
  target === metadataPage || target === oauthMetadataPage ? '' : '/api'
