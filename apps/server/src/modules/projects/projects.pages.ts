import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { isProxied } from '../../http/own-host.ts'
import { createRateLimit } from '../../http/rate-limit.ts'
import * as projects from './projects.service.ts'

type Query = { Querystring: { domain?: unknown } }

const isPrivate = compile(['loopback', 'linklocal', 'uniquelocal'])

/**
 * Tells a proxy in front whether it may order a certificate for a name: 200 or 404, as Caddy's
 * `on_demand_tls` requests it. Only for this machine and private networks, and never through a
 * proxy.
 */
export function pages(app: FastifyInstance, ctx: Context) {
  const options = { onRequest: createRateLimit(app, ctx.env.RATE_LIMIT) }
  app.get<Query>('/internal/domain-allowed', options, async (request, reply) => {
    const { domain } = request.query
    const address = request.raw.socket.remoteAddress ?? ''
    const mayRead = isPrivate(address, 0) && !isProxied(request)
    const isServed =
      mayRead && typeof domain === 'string' && (await projects.isServedHost(ctx, domain))
    return reply
      .code(isServed ? 200 : 404)
      .header('Cache-Control', 'no-store')
      .send()
  })
}
