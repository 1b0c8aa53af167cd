import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { createRateLimit } from './rate-limit.ts'

/**
 * `/healthz`: the process responds. `/readyz`: so do database, jobs and, in a worker, the engine, and
 * it does not stop soon.
 */
export function mountHealth(
  app: FastifyInstance,
  ctx: Context,
  options: { worker: boolean; isDraining(): boolean },
) {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  const limitRate = createRateLimit(app, ctx.env.RATE_LIMIT)
  app.get('/readyz', { schema: { hide: true }, onRequest: limitRate }, async (request, reply) => {
    if (options.isDraining()) return reply.code(503).send({ status: 'stopping' })
    const checks = {
      database: ctx.db.execute(sql`select 1`),
      jobs: ctx.jobs.check(),
      ...(options.worker ? { engine: ctx.engine.check() } : {}),
    }
    const results = await Promise.allSettled(Object.values(checks))
    const states = Object.keys(checks).map((name, place) => {
      const result = results[place]
      if (result?.status === 'rejected')
        request.log.warn({ err: result.reason, check: name }, 'not ready')
      return [name, result?.status === 'fulfilled' ? 'ok' : 'failed'] as const
    })
    const ready = states.every(([, state]) => state === 'ok')
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', ...Object.fromEntries(states) })
  })
}
