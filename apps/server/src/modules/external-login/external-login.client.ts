import { minute } from '@slipway/contract/limits'
import * as openid from 'openid-client'
import type { Provider } from './external-login.providers.ts'

/** What a provider says of somebody who signed in there. */
export type Identity = {
  subject: string
  email: string | undefined
  emailVerified: boolean
  name: string | undefined
}

/** The user pressed cancel at the provider. */
export class Cancelled extends Error {}

/** How long the provider may take to answer, in seconds. */
const timeout = 10
/** How long its addresses are believed, in milliseconds. */
const kept = 60 * minute
const configurations = new Map<string, { at: number; configuration: openid.Configuration }>()

/** The provider's addresses and keys, asked for once an hour. Rejects when it cannot be reached. */
async function configurationOf({ issuer, clientId, clientSecret, standIn }: Provider) {
  const key = `${issuer} ${clientId}`
  const known = configurations.get(key)
  if (known && performance.now() - known.at < kept) return known.configuration
  const configuration = await openid.discovery(
    new URL(issuer),
    clientId,
    undefined,
    openid.ClientSecretPost(clientSecret),
    // The stand-in is this server itself, over http on loopback.
    {
      timeout,
      execute: [
        openid.enableNonRepudiationChecks,
        ...(standIn ? [openid.allowInsecureRequests] : []),
      ],
    },
  )
  configurations.set(key, { at: performance.now(), configuration })
  return configuration
}

/** A new request to the provider, with PKCE (RFC 7636), state and nonce. */
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
 * Who came back to `url`, as the provider's signed answer says. Rejects with Cancelled, or with
 * openid-client's error for an answer that does not hold.
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
      email: text(claims.email)?.toLowerCase(),
      emailVerified: claims.email_verified === true,
      name: text(claims.name),
    }
  } catch (error) {
    if (error instanceof openid.AuthorizationResponseError && error.error === 'access_denied')
      throw new Cancelled('the sign-in was cancelled', { cause: error })
    throw error
  }
}
