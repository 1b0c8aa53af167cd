import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Oidc from 'oidc-provider'

export const clientId = 'slipway'
export const clientSecret = 'a secret with : and %'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function listen() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle: (handler: Handler) => void server.on('request', handler),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Visitor = (url: URL | string, form?: Record<string, string>) => Promise<{ url: URL }>

/**
 * A real issuer: oidc-provider with its defaults, which authenticates clients in the header, has
 * the email at the userinfo endpoint alone, and rejects unknown values of `prompt`.
 */
export async function startOidcProvider() {
  const server = await listen()
  return {
    ...server,

    /** Registers the client. Every account has these claims. */
    register(callback: string, claims: Record<string, string | boolean>) {
      const oidc = new Oidc(server.origin, {
        clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [callback] }],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        cookies: { keys: ['a key of this test'] },
        findAccount: (_ctx, accountId) => ({
          accountId,
          claims: () => ({ sub: accountId, ...claims }),
        }),
      })
      server.handle(oidc.callback())
    },

    /** Logs in and consents, with the forms of oidc-provider's own pages. */
    async signIn(visit: Visitor, url: URL | string, account: string) {
      const login = await visit(url)
      const consent = await visit(login.url, { prompt: 'login', login: account, password: 'any' })
      return visit(consent.url, { prompt: 'consent' })
    },
  }
}

/**
 * Stands in for GitHub, which cannot run on this machine. Its responses are those of
 * https://docs.github.com/en/apps/oauth-apps and /en/rest/users.
 */
export async function startGitHub(
  user: { id: number; login: string; name: string | null },
  emails: object[],
) {
  const tokenRequests: URLSearchParams[] = []
  let code = 'a-code-of-github'
  const server = await listen()
  server.handle(async (request, response) => {
    const url = new URL(request.url ?? '/', server.origin)
    const reply = (status: number, body: object) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify(body))
    if (url.pathname === '/login/oauth/authorize') {
      const location = new URL(url.searchParams.get('redirect_uri') ?? '')
      location.searchParams.set('code', code)
      location.searchParams.set('state', url.searchParams.get('state') ?? '')
      return response.writeHead(302, { location: location.href }).end()
    }
    if (url.pathname === '/login/oauth/access_token') {
      const form = new URLSearchParams(await text(request))
      tokenRequests.push(form)
      // GitHub responds to a wrong code with 200.
      if (form.get('code') !== 'a-code-of-github')
        return reply(200, { error: 'bad_verification_code', error_description: 'incorrect' })
      return reply(200, { access_token: 'gho_x', token_type: 'bearer', scope: 'user:email' })
    }
    if (request.headers.authorization !== 'Bearer gho_x')
      return reply(401, { message: 'Bad credentials' })
    if (url.pathname === '/api/v3/user') return reply(200, user)
    if (url.pathname === '/api/v3/user/emails') return reply(200, emails)
    return reply(404, { message: 'Not Found' })
  })
  return {
    ...server,
    tokenRequests,
    user,
    issueCode(next: string) {
      code = next
    },
  }
}
