import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { until } from '../testing/until.ts'
import { createWorld, type World } from '../testing/world.ts'

let world: World
afterEach(() => world.close())

async function get(url: string) {
  const response = await world.app.server.app.inject({ method: 'GET', url })
  return { status: response.statusCode, body: response.json() }
}

/** Disallows connections to the world's database and ends existing ones, or allows them again. */
async function openDatabase(open: boolean) {
  const { database } = world.database.options
  const admin = new pg.Client({ ...inject('postgresAdmin'), database: 'postgres' })
  await admin.connect()
  await admin.query(`alter database ${database} allow_connections ${open}`)
  if (!open)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      database,
    ])
  await admin.end()
}

describe('GET /readyz', () => {
  it('is unavailable while the database is down, and ready afterwards', async () => {
    world = await createWorld({ ROLE: 'web' })
    expect(await get('/readyz')).toEqual({
      status: 200,
      body: { status: 'ok', database: 'ok', jobs: 'ok' },
    })
    await openDatabase(false)
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: { status: 'unavailable', database: 'failed', jobs: 'failed' },
    })
    expect(await get('/healthz')).toEqual({ status: 200, body: { status: 'ok' } })
    await openDatabase(true)
    await until(async () => (await get('/readyz')).status === 200)
  })

  it('is ready in a gateway while the database is down, and unavailable during its shutdown', async () => {
    world = await createWorld({ ROLE: 'gateway' })
    await openDatabase(false)
    expect(await get('/readyz')).toEqual({ status: 200, body: { status: 'ok' } })
    world.app.server.drain()
    expect(await get('/readyz')).toEqual({ status: 503, body: { status: 'stopping' } })
    await openDatabase(true)
  })

  it('is unavailable in a worker while the gateway is unreachable', async () => {
    world = await createWorld()
    expect(await get('/readyz')).toEqual({
      status: 503,
      body: { status: 'unavailable', database: 'ok', jobs: 'ok', engine: 'failed' },
    })
    await world.host()
    expect(await get('/readyz')).toEqual({
      status: 200,
      body: { status: 'ok', database: 'ok', jobs: 'ok', engine: 'ok' },
    })
  })

  it('names a proxy that TRUST_PROXY lacks, and stays ready', async () => {
    world = await createWorld({ ROLE: 'web', TRUST_PROXY: ['10.0.0.1'] })
    const status = async (remoteAddress: string) => {
      const headers = { 'x-forwarded-for': '203.0.113.7' }
      await world.app.server.app.inject({ url: '/healthz', headers, remoteAddress })
      return get('/readyz')
    }
    const ready = { status: 'ok', database: 'ok', jobs: 'ok' }
    expect(await status('10.0.0.1')).toEqual({ status: 200, body: ready })
    expect(await status('10.0.0.2')).toEqual({
      status: 200,
      body: { ...ready, proxy: 'untrusted' },
    })
  })

  it('is ready while every connection of the pool is in use', async () => {
    world = await createWorld({ ROLE: 'web' })
    const finished = Promise.withResolvers<void>()
    let started = 0
    const busy = Array.from({ length: 12 }, () =>
      world.ctx.write(() => {
        started++
        return finished.promise
      }),
    )
    await until(async () => started === 12)
    expect(await get('/readyz')).toMatchObject({ status: 200 })
    finished.resolve()
    await Promise.all(busy)
  })

  it('is unavailable within seconds while the queues are locked, and ready afterwards', async () => {
    world = await createWorld({ ROLE: 'web' })
    await world.ctx.forJobs().write(async (tx) => {
      await tx.execute(sql`lock table pgboss.queue in access exclusive mode`)
      const responses = await Promise.all([get('/readyz'), get('/readyz'), get('/readyz')])
      for (const response of responses)
        expect(response).toEqual({
          status: 503,
          body: { status: 'unavailable', database: 'ok', jobs: 'failed' },
        })
    })
    await until(async () => (await get('/readyz')).status === 200)
  })

  it('is unavailable while the database is read-only, as a standby', async () => {
    world = await createWorld({ ROLE: 'web' })
    const { database } = world.database.options
    await world.ctx.db.execute(
      sql.raw(`alter database ${database} set default_transaction_read_only = on`),
    )
    expect(await get('/readyz')).toMatchObject({ status: 503, body: { database: 'failed' } })
  })
})
