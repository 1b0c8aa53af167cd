import rateLimit from '@fastify/rate-limit'
import { minute, second } from '@slipway/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tooOften } from '../problem.ts'

/** Counts a request. Throws `too_many_requests` above the limit. */
type Count = (request: FastifyRequest) => Promise<void>

/** Prepares the limits of requests per minute; `callsPerMinute` 0 is no limit. */
export async function prepareRateLimits(app: FastifyInstance, callsPerMinute: number) {
  if (callsPerMinute === 0) return
  await app.register(rateLimit, {
    global: false,
    timeWindow: minute,
    errorResponseBuilder: (_request, { ttl }) => tooOften('too_many_requests', ttl / second),
  })
}

/** A limit for each key; by default for each address, or /64 network of IPv6. */
export function createRateLimit(
  app: FastifyInstance,
  callsPerMinute: number,
  keyOf?: (request: FastifyRequest) => string,
): Count {
  if (callsPerMinute === 0) return async () => {}
  const count = app.createRateLimit({
    max: callsPerMinute,
    timeWindow: minute,
    ...(keyOf ? { keyGenerator: keyOf } : {}),
  })
  return async (request) => {
    const limit = await count(request)
    if (!limit.isAllowed && limit.isExceeded)
      throw tooOften('too_many_requests', limit.ttl / second)
  }
}

/** Limits the requests of an address to all routes of this scope, before anything else runs. */
export function limitByAddress(scope: FastifyInstance, callsPerMinute: number) {
  scope.addHook('onRequest', createRateLimit(scope, callsPerMinute))
}
