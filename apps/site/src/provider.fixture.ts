import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type FakeResponse = { status: number; body: object; headers?: Record<string, string> }

export type TestProvider = {
  issuer: string
  /** In order. */
  requestedPaths: string[]
  /** All issued access tokens. */
  tokens: string[]
  /** True while the user is in the team. */
  isMember: boolean
  tokenLifetimeSeconds: number
  /** By path. */
  responseOverrides: Map<string, FakeResponse>
  /** Rotates the signing key. */
  changeKey(): void
  close(): void
}

const json = (response: ServerResponse, { status, body, headers = {} }: FakeResponse) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const createKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomBytes(6).toString('hex')
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' }
  const signToken = (claims: object) => {
    const text = `${part({ alg: 'ES256', kid, typ: 'JWT' })}.${part(claims)}`
    const signature = sign('sha256', Buffer.from(text), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    return `${text}.${signature.toString('base64url')}`
  }
  return { jwk, signToken }
}

const readForm = async (request: IncomingMessage) =>
  new URLSearchParams(Buffer.concat(await request.toArray()).toString())

const user = { sub: 'ada', name: 'Ada Example', email: 'ada@example.com' }

/**
 * An OpenID provider for tests; `responseOverrides` makes any path fail. It signs in every user as
 * Ada and uses the time of this process. Closed after the test.
 */
export const startProviderStandIn = async (): Promise<TestProvider> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let key = createKey()
  const codes = new Map<string, { nonce: string | null; clientId: string | null }>()
  const tokenExpiresAt = new Map<string, number>()

  const state: TestProvider = {
    issuer,
    requestedPaths: [],
    tokens: [],
    isMember: true,
    tokenLifetimeSeconds: 3600,
    responseOverrides: new Map(),
    changeKey() {
      key = createKey()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }

  const authorize = (url: URL, response: ServerResponse) => {
    const parameters = url.searchParams
    const code = randomBytes(16).toString('hex')
    codes.set(code, { nonce: parameters.get('nonce'), clientId: parameters.get('client_id') })
    const back = new URL(parameters.get('redirect_uri') ?? '')
    back.search = String(
      new URLSearchParams({ code, state: parameters.get('state') ?? '', iss: issuer }),
    )
    response.writeHead(303, { location: back.href }).end()
  }

  const redeem = async (request: IncomingMessage, response: ServerResponse) => {
    const code = (await readForm(request)).get('code') ?? ''
    const grant = codes.get(code)
    if (!codes.delete(code) || !grant)
      return json(response, { status: 400, body: { error: 'invalid_grant' } })
    const seconds = Math.floor(Date.now() / 1000)
    const { nonce, clientId: aud } = grant
    const claims = { ...user, iss: issuer, aud, nonce, iat: seconds, exp: seconds + 300 }
    const access_token = randomBytes(16).toString('hex')
    state.tokens.push(access_token)
    tokenExpiresAt.set(access_token, Date.now() + state.tokenLifetimeSeconds * 1000)
    const body = {
      access_token,
      token_type: 'Bearer',
      expires_in: state.tokenLifetimeSeconds,
      id_token: key.signToken(claims),
    }
    json(response, { status: 200, body })
  }

  const respondUserInfo = (request: IncomingMessage, response: ServerResponse) => {
    const expiresAt =
      tokenExpiresAt.get(request.headers.authorization?.slice('Bearer '.length) ?? '') ?? 0
    if (state.isMember && expiresAt > Date.now()) return json(response, { status: 200, body: user })
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' }
    json(response, { status: 401, body: { error: 'invalid_token' }, headers })
  }

  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }

  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    state.requestedPaths.push(url.pathname)
    const override = state.responseOverrides.get(url.pathname)
    if (override) json(response, override)
    else if (url.pathname === '/authorize') authorize(url, response)
    else if (url.pathname === '/token') void redeem(request, response)
    else if (url.pathname === '/userinfo') respondUserInfo(request, response)
    else if (url.pathname === '/jwks') json(response, { status: 200, body: { keys: [key.jwk] } })
    else json(response, { status: 200, body: metadata })
  })
  onTestFinished(() => state.close())
  return state
}
