import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createSignInClient } from '@slipway/contract/sign-in-clients'
import { until } from '../../apps/server/src/testing/until.ts'
import type { TestDatabase } from './database.ts'
import { insertOwnProject } from './project-screens.ts'
import type { TestUser } from './user.ts'

type CallbackRequest = { method: string; parameters: Record<string, string> }

export type SignInClient = Awaited<ReturnType<typeof startSignInClient>>

/** Starts a client of the login provider for a project: a web server at `http://localhost`. */
export async function startSignInClient(user: TestUser, database: TestDatabase) {
  const received: CallbackRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '/' } = request
    const { pathname, search } = new URL(url, 'http://localhost')
    const query = method === 'POST' ? await text(request) : search
    if (pathname === '/callback')
      received.push({ method, parameters: Object.fromEntries(new URLSearchParams(query)) })
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Client</title><h1>Back at ${pathname}</h1>`)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const redirectUri = `${origin}/callback`
  const { id } = await insertOwnProject(database, user)
  const { client, secret } = await user.call(createSignInClient, {
    params: { id },
    body: {
      name: 'Intranet',
      redirectUris: ['http://localhost/callback'],
      logoutRedirectUris: ['http://localhost/bye'],
    },
  })
  return {
    origin,
    name: client.name,
    clientId: client.clientId,

    /** The authorization request (RFC 6749 §4.1.1), to which the client redirects the browser. */
    authorizationUrl(parameters: Record<string, string> = {}) {
      const query = new URLSearchParams({
        client_id: client.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email',
        state: 'a state',
        ...parameters,
      })
      return `${user.serverUrl}/auth/code?${query}`
    },

    /** The next response of the service to the client. */
    response: () => until(() => received.shift()),

    /** Redeems a code; returns the ID token and its claims. */
    async redeem(code = '') {
      const response = await fetch(`${user.serverUrl}/api/auth/project/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          client_id: client.clientId,
          client_secret: secret ?? '',
        }),
      })
      const { id_token: idToken } = (await response.json()) as { id_token: string }
      const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url')
      return { idToken, claims: JSON.parse(payload.toString()) }
    },

    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
