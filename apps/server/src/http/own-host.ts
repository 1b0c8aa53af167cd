import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../problem.ts'

const ownHosts = ['localhost', '127.0.0.1', '[::1]']

/**
 * Admits requests by the machine's own host names alone, and none that a proxy passed on: for what plays
 * somebody else on a development machine. A foreign page whose name was rebound to this address, or a
 * proxy put before it, finds nothing here.
 */
export async function onOwnHostOnly(request: FastifyRequest): Promise<void> {
  if (isPassedOn(request) || !ownHosts.includes((request.headers.host ?? '').replace(/:\d+$/, '')))
    throw problem('route_not_found')
}

const isPassedOn = ({ headers }: FastifyRequest) =>
  'x-forwarded-for' in headers || 'forwarded' in headers

/**
 * On a development machine: sends whoever opens a page by another name of this machine, such as
 * `127.0.0.1`, to the one of `publicUrl`. A browser keeps cookies and storage for each name apart, so what
 * begins under one, like a login with an outside account, could not end under the other.
 */
export function keepOneName(app: FastifyInstance, publicUrl: string) {
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
    if (opensPage && !isPassedOn(request) && others.includes(headers.host ?? ''))
      return reply.redirect(publicUrl + url, 307)
  })
}
