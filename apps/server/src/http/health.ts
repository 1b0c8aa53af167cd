import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { ProxyWatch } from '../untrusted-proxy.ts'
import { createRateLimit } from './rate-limit.ts'

/** Timeout of every check, in milliseconds. */
const timeout = 2_000

type Checks = Record<string, () => Promise<unknown>>

/**
 * `/healthz`: the process responds. `/readyz`: it is not shutting down, and the database, the jobs
 * and, in a worker, the engine work. A gateway alone is ready without them, because it serves the
 * sites that it knows. A proxy missing in TRUST_PROXY is named, but fails no check.
 */
export function mountHealth(
  app: FastifyInstance,
  ctx: Context,
  options: { web: boolean; worker: boolean; isDraining(): boolean; proxies?: ProxyWatch },
) {
  app.get('/healthz', async () => ({ status: 'ok' }))

  const serverChecks: Checks = {
    database: async () => {
      const { rows } = await ctx.probe.run('show transaction_read_only')
      if (rows[0]?.transaction_read_only !== 'off') throw new Error('the database is read-only')
    },
    jobs: () => ctx.jobs.check(ctx.probe),
    ...(options.worker ? { engine: () => ctx.engine.check() } : {}),
  }
  const checks = options.web || options.worker ? serverChecks : {}
  const checkAll = once(() => runChecks(checks))

  const limitRate = createRateLimit(app, ctx.env.RATE_LIMIT)
  app.get('/readyz', { onRequest: limitRate }, async (request, reply) => {
    if (options.isDraining()) return reply.code(503).send({ status: 'stopping' })
    const results = await checkAll()
    for (const { name, reason } of results)
      if (reason !== undefined) request.log.warn({ err: reason, check: name }, 'not ready')
    const ready = results.every(({ reason }) => reason === undefined)
    const states = results.map(({ name, reason }) => [name, reason === undefined ? 'ok' : 'failed'])
    const proxy = options.proxies?.untrusted() === undefined ? {} : { proxy: 'untrusted' }
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'unavailable', ...Object.fromEntries(states), ...proxy })
  })
}

/** Requests that arrive during a run share its result, so any number of them costs one query. */
function once<Result>(work: () => Promise<Result>) {
  let current: Promise<Result> | undefined
  return () => {
    current ??= work().finally(() => {
      current = undefined
    })
    return current
  }
}

const runChecks = (checks: Checks) =>
  Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const timedOut = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => timedOut.reject(new Error(`the check took longer than ${timeout / 1000} seconds`)),
        timeout,
      )
      const reason = await Promise.race([check(), timedOut.promise]).then(
        () => undefined,
        (error: unknown) => error ?? new Error('the check failed'),
      )
      clearTimeout(timer)
      return { name, reason }
    }),
  )
