import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { createShare } from '../../db/shared-pool.ts'
import { isProxied } from '../../http/own-host.ts'
import * as projects from './projects.service.ts'

type Query = { Querystring: { domain?: unknown } }

const isPrivate = compile(['loopback', 'linklocal', 'uniquelocal'])

/**
 * Tells a proxy in front whether it may order a certificate for a name: 200 or 404, as Caddy's
 * `on_demand_tls` requests it. Only for this machine and private networks, and never through a
 * proxy. There is no limit by address: all visitors of the proxy share one, and random names of one
 * of them would stop the certificates of all others. The share limits its database connections.
 */
export function pages(app: FastifyInstance, ctx: Context) {
  const share = createShare()
  app.get<Query>('/internal/domain-allowed', async (request, reply) => {
    const { domain } = request.query
    const address = request.raw.socket.remoteAddress ?? ''
    const mayRead = isPrivate(address, 0) && !isProxied(request)
    const isServed =
      mayRead &&
      typeof domain === 'string' &&
      (await share.run(() => projects.isServedHost(ctx, domain)))
    return reply
      .code(isServed ? 200 : 404)
      .header('Cache-Control', 'no-store')
      .send()
  })
}
