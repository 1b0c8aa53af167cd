import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { tooOften } from '../problem.ts'

/** Limits requests per minute and address; `callsPerMinute` 0 is no limit. */
export async function limitRate(app: FastifyInstance, callsPerMinute: number) {
  if (callsPerMinute === 0) return
  await app.register(rateLimit, {
    max: callsPerMinute,
    timeWindow: 60_000,
    errorResponseBuilder: (_request, context) => tooOften('too_many_requests', context.ttl / 1000),
  })
}
