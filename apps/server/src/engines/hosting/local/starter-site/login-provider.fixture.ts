import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import OidcProvider, { type Adapter, type AdapterPayload } from 'oidc-provider'
import { onTestFinished } from 'vitest'

/** How the user responds at the provider. */
export type Decision = { subject: string } | 'cancel'

export type TestProvider = {
  issuer: string
  /** The number of attempts to exchange a code. */
  exchanges: number
  /** How the next user responds. By default `ada` signs in. */
  decision: Decision
  /** Rejects the access tokens that it has issued. */
  revokeTokens(): void
  close(): void
}

/** In seconds. */
const lifetime = 3600

const users: Record<string, { name?: string; email: string }> = {
  ada: { name: 'Ada <b>Example</b>', email: 'ada@example.com' },
  grace: { email: 'grace@example.com' },
}

/** An in-memory adapter. The built-in one prints a warning at every start. */
const createAdapter =
  (rows: Map<string, AdapterPayload>) =>
  (model: string): Adapter => ({
    upsert: async (id, payload) => void rows.set(`${model} ${id}`, payload),
    find: async (id) => rows.get(`${model} ${id}`),
    findByUid: async (uid) =>
      [...rows].find(([id, row]) => id.startsWith(`${model} `) && row.uid === uid)?.[1],
    findByUserCode: async () => undefined,
    destroy: async (id) => void rows.delete(`${model} ${id}`),
    async consume(id) {
      const row = rows.get(`${model} ${id}`)
      if (row) row.consumed = Math.trunc(Date.now() / 1000)
    },
    async revokeByGrantId(grantId) {
      for (const [id, row] of rows) if (row.grantId === grantId) rows.delete(id)
    },
  })

const signingKey = async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }
}

/**
 * An independent, certified OpenID provider with one client. It requires PKCE and signs ID tokens
 * with ES256, as ours does. Closed after the test.
 */
export const startLoginProvider = async (client: {
  id: string
  secret: string
  redirectUris: string[]
}): Promise<TestProvider> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const rows = new Map<string, AdapterPayload>()
  const provider = new OidcProvider(issuer, {
    adapter: createAdapter(rows),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: client.redirectUris,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    cookies: { keys: ['a key of the tests'] },
    jwks: { keys: [await signingKey()] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/ask/${uid}` },
    pkce: { required: () => true },
    // The defaults print a notice on standard output. Nothing expires during a test.
    ttl: {
      AccessToken: lifetime,
      AuthorizationCode: lifetime,
      Grant: lifetime,
      IdToken: lifetime,
      Interaction: lifetime,
      Session: lifetime,
    },
    async loadExistingGrant({ oidc }) {
      const grantId = oidc.session?.grantIdFor(client.id)
      if (grantId) return provider.Grant.find(grantId)
      const grant = new provider.Grant({
        clientId: client.id,
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email_verified: true, ...users[accountId] }),
    }),
  })

  const state: TestProvider = {
    issuer,
    exchanges: 0,
    decision: { subject: 'ada' },
    revokeTokens() {
      for (const id of rows.keys()) if (id.startsWith('AccessToken ')) rows.delete(id)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (request.url === '/token') state.exchanges += 1
    if (!request.url?.startsWith('/ask/')) return void handle(request, response)
    const { decision } = state
    const result =
      decision === 'cancel'
        ? { error: 'access_denied', error_description: 'The user canceled' }
        : { login: { accountId: decision.subject } }
    provider
      .interactionFinished(request, response, result)
      .catch((error: Error) => response.writeHead(500).end(error.message))
  })
  onTestFinished(() => state.close())
  return state
}
