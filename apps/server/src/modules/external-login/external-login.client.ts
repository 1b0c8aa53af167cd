import { minute } from '@slipway/contract/limits'
import * as openid from 'openid-client'
import type { Provider } from './external-login.providers.ts'

/** The user's identity, as the provider states it. */
export type Identity = {
  subject: string
  /** As the provider sent it, neither folded nor validated. */
  email: string | undefined
  emailVerified: boolean
  name: string | undefined
}

/** The user cancelled at the provider. */
export class Cancelled extends Error {}

/** Timeout of a request to the provider, in seconds. */
const timeout = 10
/** How long a provider's configuration is cached, in milliseconds. */
const cacheLifetime = 60 * minute
const cache = new Map<string, { fetchedAt: number; configuration: openid.Configuration }>()

/** The provider's endpoints and keys, fetched once an hour. Rejects when it is unreachable. */
async function configurationOf({ issuer, clientId, clientSecret, standIn }: Provider) {
  const key = `${issuer} ${clientId}`
  const cached = cache.get(key)
  if (cached && performance.now() - cached.fetchedAt < cacheLifetime) return cached.configuration
  const configuration = await openid.discovery(
    new URL(issuer),
    clientId,
    undefined,
    openid.ClientSecretPost(clientSecret),
    // The stand-in runs in this server, over HTTP on loopback.
    {
      timeout,
      execute: [
        openid.enableNonRepudiationChecks,
        ...(standIn ? [openid.allowInsecureRequests] : []),
      ],
    },
  )
  cache.set(key, { fetchedAt: performance.now(), configuration })
  return configuration
}

/** Creates an authorization request with PKCE (RFC 7636), state and nonce. */
export async function authorizationRequest(provider: Provider, redirectUri: string) {
  const configuration = await configurationOf(provider)
  const codeVerifier = openid.randomPKCECodeVerifier()
  const nonce = openid.randomNonce()
  const state = openid.randomState()
  const url = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    nonce,
    state,
    prompt: 'select_account',
  })
  return { url, codeVerifier, nonce, state }
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
    const tokens = await openid.authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: expected.codeVerifier,
      expectedNonce: expected.nonce,
      expectedState: expected.state,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('the provider sent no ID token')
    return {
      subject: claims.sub,
      email: text(claims.email),
      emailVerified: claims.email_verified === true,
      name: text(claims.name),
    }
  } catch (error) {
    if (error instanceof openid.AuthorizationResponseError && error.error === 'access_denied')
      throw new Cancelled('the sign-in was cancelled', { cause: error })
    throw error
  }
}
