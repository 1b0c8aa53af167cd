import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  createAuthorizationCode,
} from '@slipway/contract/login-provider'
import { createBrowser } from '../../testing/browser.ts'
import type { Provider } from './login-provider.fixture.ts'

/** A web server of a client, at `http://localhost` with a free port. */
export async function startClientServer() {
  const server = createServer()
  server.listen(0, 'localhost')
  await once(server, 'listening')
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    handle: (listener: RequestListener) => void server.on('request', listener),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Service = Pick<Provider, 'member' | 'url'>

/** Requests a code with the URL that a client sends the browser to, as the console does. */
export async function respondTo({ member, url: urlOf }: Service, address: URL | string) {
  const url = new URL(address)
  if (url.origin + url.pathname !== urlOf('/auth/code'))
    throw new Error(`not the authorization endpoint: ${url}`)
  const { state, ...query } = Object.fromEntries(url.searchParams)
  const body = query as AuthorizationRequest
  const { responseMode } = await member.call(checkAuthorizationRequest, { body })
  const response = await member.call(createAuthorizationCode, { body })
  return {
    redirectUri: body.redirect_uri,
    responseMode,
    parameters: {
      code: response.token,
      iss: response.issuer,
      ...(state === undefined ? {} : { state }),
    },
  }
}

export function createMemberBrowser(provider: Service) {
  const { visit } = createBrowser({ stopAt: (url) => url.href.startsWith(provider.url('/auth/')) })
  return {
    visit,
    /** Starts at the client, signs in at the service, and follows the response back. */
    async signIn(start: string, form?: Record<string, string>) {
      const request = await visit(start, form)
      const { redirectUri, responseMode, parameters } = await respondTo(provider, request.url)
      if (responseMode === 'form_post') return visit(redirectUri, parameters)
      return visit(`${redirectUri}?${new URLSearchParams(parameters)}`)
    },
  }
}
