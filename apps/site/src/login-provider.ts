import type { Configuration } from 'openid-client'
import { isOutdated, isRejection } from './provider-errors.ts'
import type { Access, SiteUser } from './sessions.ts'
import type { SignInSettings } from './settings.ts'
import type { Transaction } from './transactions.ts'

export type LoginProvider = {
  /**
   * The authorization URL, and the transaction to store until the callback. Rejects as `redeem`
   * does.
   */
  begin(
    settings: SignInSettings,
    redirectUri: string,
  ): Promise<{ url: URL; transaction: Transaction }>
  /**
   * Validates the callback and exchanges its code for the user and an access token (OpenID Connect
   * Core §3.1.3). Rejects with an error of openid-client or of the network.
   */
  redeem(settings: SignInSettings, url: URL, transaction: Transaction): Promise<SignedIn>
  /**
   * True while the provider accepts the access token (UserInfo, OpenID Connect Core §5.3). Rejects
   * as `redeem` does when the response is invalid.
   */
  acceptsToken(settings: SignInSettings, subject: string, accessToken: string): Promise<boolean>
}

export type SignedIn = { user: SiteUser; access: Access }

const timeoutSeconds = 10
// Lifetime of the cached discovery document.
const discoveryMs = 10 * 60 * 1000

const isLoopback = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(host)

// Loaded on the first sign-in: sites start faster, and most are read far more often than edited.
const loadClient = () => import('openid-client')

/** Adds the connection and its reason to an error of fetch, which says only that it failed. */
const withConnection = (error: unknown, origin: string): unknown => {
  if (!(error instanceof TypeError)) return error
  const { code = '', message = '' } = (error.cause ?? {}) as { code?: string; message?: string }
  const reason = [message, code && `(${code})`].filter(Boolean).join(' ')
  return new TypeError(`No connection to ${origin}: ${reason || error.message}`, { cause: error })
}

const discover = async ({ issuer, clientId, clientSecret }: SignInSettings) => {
  const client = await loadClient()
  const server = new URL(issuer)
  const insecure = server.protocol === 'http:' && isLoopback(server.hostname)
  const configuration = await client.discovery(
    server,
    clientId,
    {},
    client.ClientSecretBasic(clientSecret),
    {
      timeout: timeoutSeconds,
      // Without end-to-end TLS only the signature proves the issuer of the ID token.
      execute: [
        client.enableNonRepudiationChecks,
        ...(insecure ? [client.allowInsecureRequests] : []),
      ],
      // Client secret and code are sent only to the issuer, whatever its metadata says.
      [client.customFetch]: async (url, options) => {
        if (new URL(url).origin !== server.origin) {
          throw new Error('The provider names an endpoint of another origin')
        }
        return fetch(url, options as RequestInit).catch((error) => {
          throw withConnection(error, server.origin)
        })
      },
    },
  )
  if (!configuration.serverMetadata().supportsPKCE()) {
    throw new Error('The provider does not support PKCE with S256')
  }
  return configuration
}

// A minimum lifetime: a token that expires at once would cause a redirect loop.
const minAccessSeconds = 60
// RFC 6749 §5.1: expires_in is optional.
const defaultAccessSeconds = 60 * 60

const text = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** The console as an OpenID provider, configured by discovery. */
export const createLoginProvider = (): LoginProvider => {
  let cached: {
    settingsKey: string
    expiresAt: number
    configuration: Promise<Configuration>
  } | null = null

  const configurationOf = async (settings: SignInSettings): Promise<Configuration> => {
    const settingsKey = JSON.stringify(settings)
    const now = performance.now()
    if (cached?.settingsKey !== settingsKey || cached.expiresAt < now) {
      cached = { settingsKey, expiresAt: now + discoveryMs, configuration: discover(settings) }
    }
    const entry = cached
    try {
      return await entry.configuration
    } catch (error) {
      if (cached === entry) cached = null
      throw error
    }
  }

  /** Runs a request to the provider. Repeats discovery next time when the metadata is outdated. */
  const withProvider = async <T>(
    settings: SignInSettings,
    work: (
      client: Awaited<ReturnType<typeof loadClient>>,
      configuration: Configuration,
    ) => Promise<T>,
  ): Promise<T> => {
    const configuration = await configurationOf(settings)
    try {
      return await work(await loadClient(), configuration)
    } catch (error) {
      if (isOutdated(error)) cached = null
      throw error
    }
  }

  return {
    async begin(settings, redirectUri) {
      const configuration = await configurationOf(settings)
      const client = await loadClient()
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
      withProvider(settings, async (client, configuration) => {
        const tokens = await client.authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('The provider returned no ID token')
        const seconds = Math.max(tokens.expiresIn() ?? defaultAccessSeconds, minAccessSeconds)
        return {
          user: { subject: claims.sub, name: text(claims.name), email: text(claims.email) },
          access: { token: tokens.access_token, expiresAt: Date.now() + seconds * 1000 },
        }
      }),

    acceptsToken: (settings, subject, accessToken) =>
      withProvider(settings, async (client, configuration) => {
        try {
          await client.fetchUserInfo(configuration, accessToken, subject)
          return true
        } catch (error) {
          if (isRejection(error)) return false
          throw error
        }
      }),
  }
}
