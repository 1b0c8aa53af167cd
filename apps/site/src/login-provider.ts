import type { Configuration } from 'openid-client'
import { isOutdated, isRefusal } from './provider-errors.ts'
import type { Access, Person } from './sessions.ts'
import type { SignInSettings } from './settings.ts'
import type { Transaction } from './transactions.ts'

export type LoginProvider = {
  /** Where to send the visitor, and what to remember until they come back. Rejects as `redeem` does. */
  begin(
    settings: SignInSettings,
    redirectUri: string,
  ): Promise<{ url: URL; transaction: Transaction }>
  /**
   * Who came back to this address, and what to ask the provider about them with: checks the answer and
   * exchanges its code (OpenID Connect Core §3.1.3).
   * Rejects with an error of openid-client, or of the network, when there is anything wrong with it.
   */
  redeem(settings: SignInSettings, url: URL, transaction: Transaction): Promise<SignedIn>
  /**
   * True while the provider stands by what it said of the person (OpenID Connect Core §5.3). Rejects as
   * `redeem` does when it gives no answer to trust.
   */
  vouchesFor(settings: SignInSettings, subject: string, accessToken: string): Promise<boolean>
}

export type SignedIn = { person: Person; access: Access }

const timeoutSeconds = 10
// Keys and addresses of the provider may change, but not with every sign-in.
const discoveryMs = 10 * 60 * 1000

const isLoopback = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(host)

// Loaded when somebody signs in: most sites are read far more often than edited, and start without it.
const library = () => import('openid-client')

const discover = async ({ issuer, clientId, clientSecret }: SignInSettings) => {
  const client = await library()
  const server = new URL(issuer)
  const insecure = server.protocol === 'http:' && isLoopback(server.hostname)
  const configuration = await client.discovery(
    server,
    clientId,
    {},
    client.ClientSecretBasic(clientSecret),
    {
      timeout: timeoutSeconds,
      // Without TLS, or with it ended by a proxy, the signature is what proves the ID token's issuer.
      execute: [
        client.enableNonRepudiationChecks,
        ...(insecure ? [client.allowInsecureRequests] : []),
      ],
      // The client secret and the code are for the issuer alone, whatever its metadata says.
      [client.customFetch]: async (url, options) => {
        if (new URL(url).origin !== server.origin) {
          throw new Error('The provider names an endpoint of another origin')
        }
        return fetch(url, options as RequestInit)
      },
    },
  )
  if (!configuration.serverMetadata().supportsPKCE()) {
    throw new Error('The provider does not support PKCE with S256')
  }
  return configuration
}

// A token that has ended as soon as it is there would send the browser round without end.
const leastAccessSeconds = 60
// RFC 6749 §5.1 lets the provider leave it out.
const usualAccessSeconds = 60 * 60

const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** The console as the site sees it: an OpenID provider, found by discovery. */
export const createLoginProvider = (): LoginProvider => {
  let found: { for: string; until: number; configuration: Promise<Configuration> } | null = null

  const discovered = async (settings: SignInSettings): Promise<Configuration> => {
    const wanted = JSON.stringify(settings)
    const now = performance.now()
    if (found?.for !== wanted || found.until < now) {
      found = { for: wanted, until: now + discoveryMs, configuration: discover(settings) }
    }
    const used = found
    try {
      return await used.configuration
    } catch (error) {
      if (found === used) found = null
      throw error
    }
  }

  /** Does something at the provider, and looks for it anew next time when it is not where it was. */
  const at = async <T>(
    settings: SignInSettings,
    work: (client: Awaited<ReturnType<typeof library>>, configuration: Configuration) => Promise<T>,
  ): Promise<T> => {
    const configuration = await discovered(settings)
    try {
      return await work(await library(), configuration)
    } catch (error) {
      if (isOutdated(error)) found = null
      throw error
    }
  }

  return {
    async begin(settings, redirectUri) {
      const configuration = await discovered(settings)
      const client = await library()
      const codeVerifier = client.randomPKCECodeVerifier()
      const [state, nonce] = [client.randomState(), client.randomNonce()]
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return { url, transaction: { state, nonce, codeVerifier } }
    },

    redeem: (settings, url, { state, nonce, codeVerifier }) =>
      at(settings, async (client, configuration) => {
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('The provider gave no ID token')
        const seconds = Math.max(tokens.expiresIn() ?? usualAccessSeconds, leastAccessSeconds)
        return {
          person: { subject: claims.sub, name: text(claims.name), email: text(claims.email) },
          access: { token: tokens.access_token, expiresAt: Date.now() + seconds * 1000 },
        }
      }),

    vouchesFor: (settings, subject, accessToken) =>
      at(settings, async (client, configuration) => {
        try {
          await client.fetchUserInfo(configuration, accessToken, subject)
          return true
        } catch (error) {
          if (isRefusal(error)) return false
          throw error
        }
      }),
  }
}
