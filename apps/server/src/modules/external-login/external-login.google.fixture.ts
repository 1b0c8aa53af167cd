import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { onTestFinished, vi } from 'vitest'

const issuer = 'https://accounts.google.com'
const tokenEndpoint = 'https://oauth2.googleapis.com/token'
const keys = 'https://www.googleapis.com/oauth2/v3/certs'

/** As Google publishes it at https://accounts.google.com/.well-known/openid-configuration. */
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
/** The same whenever it is played, for clients keep the published key for a while. */
const signingKeys = { published: await newKey(), unpublished: await newKey() }
const kid = 'example-key'

type TokenRequest = { method: string; headers: IncomingMessage['headers']; form: URLSearchParams }

/**
 * Google as the network shows it: its three hosts, played by a server of this process to which `fetch`
 * leads until the test is finished. Nothing else can be asked meanwhile.
 */
export async function playGoogle() {
  const tokenRequests: TokenRequest[] = []
  const accessToken = 'ya29.example-access-token'
  let answer: { status: number; body: object } = { status: 500, body: {} }

  const routes: Record<string, (request: IncomingMessage) => Promise<[number, object]>> = {
    [`${issuer}/.well-known/openid-configuration`]: async () => [200, discovery],
    [keys]: async () => {
      const key = await exportJWK(signingKeys.published.publicKey)
      return [200, { keys: [{ ...key, kid, alg: 'RS256', use: 'sig' }] }]
    },
    [tokenEndpoint]: async (request) => {
      const form = new URLSearchParams(await text(request))
      tokenRequests.push({ method: request.method ?? '', headers: request.headers, form })
      return [answer.status, answer.body]
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

  const direct = globalThis.fetch
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    direct(address.replace('https:/', `http://127.0.0.1:${port}`), init),
  )

  function goDown() {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(() => {
    vi.stubGlobal('fetch', direct)
    goDown()
  })

  return {
    tokenRequests,
    accessToken,
    /** Answers the next codes with an ID token of these claims; gives that token. */
    async answerWith(claims: JWTPayload, by: keyof typeof signingKeys = 'published') {
      const idToken = await new SignJWT({ iss: issuer, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .setIssuedAt()
        .setExpirationTime(claims.exp ?? '1h')
        .sign(signingKeys[by].privateKey)
      this.answerBody({ id_token: idToken })
      return idToken
    },
    /** Answers the next codes with an access token and that. */
    answerBody(more: object) {
      const body = { access_token: accessToken, token_type: 'Bearer', expires_in: 3599, ...more }
      answer = { status: 200, body }
    },
    /** Refuses the next codes (RFC 6749 §5.2). */
    refuse(error: string) {
      answer = { status: 400, body: { error } }
    },
    /** From now on no connection is taken. */
    goDown,
  }
}

export type TestGoogle = Awaited<ReturnType<typeof playGoogle>>
