import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { onTestFinished, vi } from 'vitest'

const issuer = 'https://accounts.google.com'
const tokenEndpoint = 'https://oauth2.googleapis.com/token'
const keys = 'https://www.googleapis.com/oauth2/v3/certs'

/** Copied from https://accounts.google.com/.well-known/openid-configuration. */
const discovery = {
  issuer,
  authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
  token_endpoint: tokenEndpoint,
  userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
  jwks_uri: keys,
  response_types_supported: ['code', 'token', 'id_token', 'code token id_token', 'none'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  scopes_supported: ['openid', 'email', 'profile'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
  code_challenge_methods_supported: ['plain', 'S256'],
}

const newKey = () => generateKeyPair('RS256', { extractable: true })
/** Shared by all instances, because clients cache the published key. */
const signingKeys = { published: await newKey(), unpublished: await newKey() }
const kid = 'example-key'

type TokenRequest = { method: string; headers: IncomingMessage['headers']; form: URLSearchParams }

/**
 * Starts a server that stands in for Google's three hosts. Until the test ends, `fetch` sends every
 * request to it.
 */
export async function startGoogle() {
  const tokenRequests: TokenRequest[] = []
  const accessToken = 'ya29.example-access-token'
  let tokenResponse: { status: number; body: object } = { status: 500, body: {} }

  const routes: Record<string, (request: IncomingMessage) => Promise<[number, object]>> = {
    [`${issuer}/.well-known/openid-configuration`]: async () => [200, discovery],
    [keys]: async () => {
      const key = await exportJWK(signingKeys.published.publicKey)
      return [200, { keys: [{ ...key, kid, alg: 'RS256', use: 'sig' }] }]
    },
    [tokenEndpoint]: async (request) => {
      const form = new URLSearchParams(await text(request))
      tokenRequests.push({ method: request.method ?? '', headers: request.headers, form })
      return [tokenResponse.status, tokenResponse.body]
    },
  }
  const server = createServer(async (request, response) => {
    const route = routes[`https:/${request.url}`]
    const [status, body] = route ? await route(request) : [404, {}]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const realFetch = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    realFetch(address.replace('https:/', `http://127.0.0.1:${port}`), init),
  )

  function stop() {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(() => {
    vi.stubGlobal('fetch', realFetch)
    stop()
  })

  return {
    tokenRequests,
    accessToken,
    /** Makes the next token responses contain an ID token with these claims; returns it. */
    async respondWithClaims(claims: JWTPayload, signedBy: keyof typeof signingKeys = 'published') {
      const idToken = await new SignJWT({ iss: issuer, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .setIssuedAt()
        .setExpirationTime(claims.exp ?? '1h')
        .sign(signingKeys[signedBy].privateKey)
      this.respondWith({ id_token: idToken })
      return idToken
    },
    /** Makes the next token responses contain an access token and these fields. */
    respondWith(fields: object) {
      const body = { access_token: accessToken, token_type: 'Bearer', expires_in: 3599, ...fields }
      tokenResponse = { status: 200, body }
    },
    /** Makes the next token responses an error (RFC 6749 §5.2). */
    respondWithError(error: string) {
      tokenResponse = { status: 400, body: { error } }
    },
    stop,
  }
}

export type TestGoogle = Awaited<ReturnType<typeof startGoogle>>
