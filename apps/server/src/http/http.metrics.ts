import type { ErrorCode } from '@slipway/contract/errors'
import { eventStreamType } from '@slipway/contract/event-stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, Histogram } from 'prom-client'

const duration = new Histogram({
  name: 'slipway_http_request_duration_seconds',
  help: 'Duration of the requests to the API and the console, by route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

const rejections = new Counter({
  name: 'slipway_http_rejections_total',
  help: 'Responses with an error of the contract, such as too_many_requests, by its code.',
  labelNames: ['error'],
})

export const countRejection = (error: ErrorCode) => rejections.inc({ error })

/** The route of an API call or a health check; the console's files are one route. */
function routeOf({ is404, routeOptions: { url = '' } }: FastifyRequest) {
  if (is404) return 'none'
  return /^\/(api\/|healthz|readyz)/.test(url) ? url : 'console'
}

/** Measures every response, except those of sockets and event streams, which stay open. */
export function measureRequests(app: FastifyInstance) {
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.ws && reply.getHeader('content-type') !== eventStreamType)
      duration.observe(
        {
          // The method of an unknown route is any text that the client chooses.
          method: request.is404 ? 'any' : request.method,
          route: routeOf(request),
          status: reply.statusCode,
        },
        reply.elapsedTime / 1000,
      )
    done()
  })
}
