import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../problem.ts'

const ownHosts = ['localhost', '127.0.0.1', '[::1]']

/**
 * Allows only requests with a loopback host and without a proxy: for the development stand-ins. It
 * stops DNS rebinding and public proxies.
 */
export async function requireLoopbackHost(request: FastifyRequest): Promise<void> {
  if (isProxied(request) || !ownHosts.includes((request.headers.host ?? '').replace(/:\d+$/, '')))
    throw problem('route_not_found')
}

/** Headers of proxies. A proxy that adds none of them looks like a local client. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/** True for a request with a header of a proxy. */
export const isProxied = ({ headers }: FastifyRequest) =>
  proxyHeaders.some((name) => name in headers)

/**
 * On a development machine: redirects pages of another loopback name, such as `127.0.0.1`, to the
 * host of `publicUrl`. Cookies and storage are per host, so an external login could not end on
 * another host.
 */
export function redirectToPublicHost(app: FastifyInstance, publicUrl: string) {
  const { hostname, port } = new URL(publicUrl)
  if (!ownHosts.includes(hostname)) return
  const others = ownHosts
    .filter((name) => name !== hostname)
    .map((name) => (port === '' ? name : `${name}:${port}`))

  app.addHook('onRequest', async (request, reply) => {
    const { method, url, headers } = request
    const opensPage =
      (method === 'GET' || method === 'HEAD') &&
      url.startsWith('/') &&
      !/^\/(?:api|assets)(?:[/?]|$)/.test(url) &&
      headers.accept?.includes('text/html')
    if (opensPage && !isProxied(request) && others.includes(headers.host ?? ''))
      return reply.redirect(publicUrl + url, 307)
  })
}
