import { minute } from '@slipway/contract/limits'
import * as openid from 'openid-client'
import type { Provider } from './external-login.providers.ts'

/** The user's identity, as the provider states it. */
export type Identity = {
  subject: string
  /** The address from the provider, neither folded nor validated. */
  email: string | undefined
  emailVerified: boolean
  name: string | undefined
}

/** The user canceled at the provider. */
export class Cancelled extends Error {}

/** Timeout of a request to the provider, in seconds. */
const timeout = 10
/** How long a provider's configuration is cached, in milliseconds. */
const cacheLifetime = 60 * minute
const cache = new Map<string, { fetchedAt: number; configuration: openid.Configuration }>()

/** The provider's endpoints and keys, fetched once an hour. Rejects when it is unreachable. */
async function configurationOf(provider: Provider) {
  const { type, issuer, clientId } = provider
  const key = `${type} ${issuer} ${clientId}`
  const cached = cache.get(key)
  if (cached && performance.now() - cached.fetchedAt < cacheLifetime) return cached.configuration
  // Over HTTP only on this machine, as the stand-in: the settings accept no other.
  const isInsecure = issuer.startsWith('http:')
  const configuration =
    type === 'github'
      ? githubConfiguration(provider)
      : await openid.discovery(new URL(issuer), clientId, undefined, clientSecretOf(provider), {
          timeout,
          execute: [
            openid.enableNonRepudiationChecks,
            ...(isInsecure ? [openid.allowInsecureRequests] : []),
          ],
        })
  if (type === 'github' && isInsecure) openid.allowInsecureRequests(configuration)
  cache.set(key, { fetchedAt: performance.now(), configuration })
  return configuration
}

/**
 * Sends the secret in the form to Google and to providers that support nothing else, and otherwise
 * in the header, the default of OpenID Connect (Dynamic Client Registration §2).
 */
function clientSecretOf({ provider, clientSecret }: Provider): openid.ClientAuth {
  const [inForm, inHeader] = [
    openid.ClientSecretPost(clientSecret),
    openid.ClientSecretBasic(clientSecret),
  ]
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isForm = provider === 'google' || !methods.includes('client_secret_basic')
    ;(isForm ? inForm : inHeader)(server, client, body, headers)
  }
}

/** GitHub, or a GitHub Enterprise at another address: it has OAuth 2.0 without discovery. */
function githubConfiguration({ issuer, clientId, clientSecret }: Provider) {
  const base = `${issuer.replace(/\/$/, '')}/login/oauth`
  const configuration = new openid.Configuration(
    {
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/access_token`,
    },
    clientId,
    undefined,
    openid.ClientSecretPost(clientSecret),
  )
  configuration.timeout = timeout
  configuration[openid.customFetch] = fetchGitHub
  return configuration
}

/** GitHub sends errors of the token endpoint with status 200, and not with 400 (RFC 6749 §5.2). */
const fetchGitHub: openid.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit)
  const body = await response.text()
  const { headers, status } = response
  return new Response(body, { headers, status: /^\{"error":/.test(body) ? 400 : status })
}

/**
 * Google shows its account chooser; a provider that does not announce this prompt would reject it.
 */
const choosesAccount = ({ provider }: Provider, configuration: openid.Configuration) =>
  provider === 'google' ||
  (configuration.serverMetadata().prompt_values_supported as string[] | undefined)?.includes(
    'select_account',
  ) === true

/** Creates an authorization request with PKCE (RFC 7636), state and nonce. */
export async function authorizationRequest(provider: Provider, redirectUri: string) {
  const configuration = await configurationOf(provider)
  const codeVerifier = openid.randomPKCECodeVerifier()
  const nonce = openid.randomNonce()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: provider.scopes,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    // GitHub has no ID token.
    ...(provider.type === 'oidc' ? { nonce } : {}),
    state,
    ...(choosesAccount(provider, configuration) ? { prompt: 'select_account' } : {}),
  })
  return { url, codeVerifier, nonce, state }
}

type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>

/** The ID token's claims, with those of the userinfo endpoint if it has no email. */
async function identityOf(configuration: openid.Configuration, tokens: Tokens): Promise<Identity> {
  const claims = tokens.claims()
  if (!claims) throw new Error('the provider sent no ID token')
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
  const more =
    claims.email === undefined && hasUserInfo
      ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : claims
  return {
    subject: claims.sub,
    email: text(more.email),
    emailVerified: more.email_verified === true,
    name: text(more.name ?? claims.name),
  }
}

/** GitHub's user and their primary address (https://docs.github.com/en/rest/users). */
async function githubIdentity(
  { issuer }: Provider,
  configuration: openid.Configuration,
  accessToken: string,
): Promise<Identity> {
  const host = issuer.replace(/\/$/, '')
  const api = host === 'https://github.com' ? 'https://api.github.com' : `${host}/api/v3`
  const get = async (path: string): Promise<unknown> => {
    const url = new URL(api + path)
    const headers = new Headers({ accept: 'application/vnd.github+json' })
    const response = await openid.fetchProtectedResource(
      configuration,
      accessToken,
      url,
      'GET',
      undefined,
      headers,
    )
    if (!response.ok) throw new Error(`GitHub responded to ${path} with ${response.status}`)
    return response.json()
  }
  const user = (await get('/user')) as { id?: unknown; name?: unknown; login?: unknown }
  if (typeof user.id !== 'number') throw new Error('GitHub sent no id of the user')
  const emails = (await get('/user/emails')) as {
    email?: unknown
    primary?: unknown
    verified?: unknown
  }[]
  const primary = emails.find((each) => each.primary === true)
  return {
    subject: String(user.id),
    email: text(primary?.email),
    emailVerified: primary?.verified === true,
    name: text(user.name) ?? text(user.login),
  }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * Exchanges the code in the callback `url` for the user's identity. Rejects with `Cancelled`, or
 * with openid-client's error for an invalid response.
 */
export async function identify(
  provider: Provider,
  url: URL,
  expected: { codeVerifier: string; nonce: string; state: string },
): Promise<Identity> {
  const configuration = await configurationOf(provider)
  try {
    const isOidc = provider.type === 'oidc'
    const tokens = await openid.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: expected.codeVerifier,
      ...(isOidc ? { expectedNonce: expected.nonce } : {}),
      expectedState: expected.state,
      idTokenExpected: isOidc,
    })
    return await (isOidc
      ? identityOf(configuration, tokens)
      : githubIdentity(provider, configuration, tokens.access_token))
  } catch (error) {
    if (error instanceof openid.AuthorizationResponseError && error.error === 'access_denied')
      throw new Cancelled('the sign-in was cancelled', { cause: error })
    if (error instanceof openid.ResponseBodyError)
      throw new Error(`${provider.name} responded with ${error.error}`, { cause: error })
    throw error
  }
}
