import { spawnSync } from 'node:child_process'
import { getProfile } from '@slipway/contract/account'
import { hour } from '@slipway/contract/limits'
import { viewProject } from '@slipway/contract/projects'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../db/ids.ts'
import { inProcessFetch } from '../http/in-process-fetch.ts'
import { storeCertificate } from '../modules/certificates/certificates.fixture.ts'
import { clusters } from '../modules/clusters/clusters.schema.ts'
import { mails } from '../modules/mail/mail.schema.ts'
import { errorCodeOf } from '../testing/matchers.ts'
import { createWorld, type World } from '../testing/world.ts'
import { startWithMetrics } from './metrics.fixture.ts'

let world: World
let server: Awaited<ReturnType<typeof startWithMetrics>>
beforeAll(async () => {
  world = await createWorld()
  server = await startWithMetrics(world)
})
afterAll(() => world.close())

/** The value of a series; undefined when the scrape does not have it. */
const read = (scrape: string, series: string) => {
  const line = scrape.split('\n').find((text) => text.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const metricNames = (scrape: string) =>
  [...scrape.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)

describe('GET /metrics', () => {
  it('counts requests by route and status; unknown paths are one route', async () => {
    const user = await world.user()
    const call = world.client(user.token, 'en', server.app)
    // Other tests of this process count in the same registry.
    const before = await server.scrape()
    await call(getProfile)
    expect(await errorCodeOf(call(viewProject, { params: { key: 'none-of-mine' } }))).toBe(
      'project_not_found',
    )
    for (const path of ['/api/one', '/api/two', '/three.txt'])
      await inProcessFetch(server.app.server.app)(path, { method: 'DELETE' })
    const scrape = await server.scrape()
    const name = 'slipway_http_request_duration_seconds_count'
    const added = (series: string) => (read(scrape, series) ?? 0) - (read(before, series) ?? 0)
    const count = (labels: string) => added(`${name}{${labels}}`)
    expect(count(`method="GET",route="/api${getProfile.path}",status="200"`)).toBe(1)
    expect(count(`method="GET",route="/api${viewProject.path}",status="404"`)).toBe(1)
    expect(count('method="any",route="none",status="404"')).toBe(3)
    expect(added('slipway_http_rejections_total{error="project_not_found"}')).toBe(1)
    expect(scrape).not.toMatch(/none-of-mine|three\.txt/)
  })

  it('has the emails, payments, projects, queues, sockets, sites, pool, event loop and process', async () => {
    const { teamId } = await world.user()
    await world.project({ teamId, state: 'failed_creating' })
    const createdAt = new Date(world.clock.now().getTime() - hour)
    await world.ctx.db.insert(mails).values({
      id: newId<'Mail'>(),
      key: 'failed',
      recipient: 'reader@example.com',
      subject: 'An email',
      state: 'failed',
      createdAt,
      updatedAt: createdAt,
    })
    const scrape = await server.scrape()
    expect(read(scrape, 'slipway_projects{state="failed_creating"}')).toBe(1)
    expect(read(scrape, 'slipway_emails{state="failed"}')).toBe(1)
    expect(read(scrape, 'slipway_emails_oldest_age_seconds{state="failed"}')).toBe(3600)
    expect(read(scrape, 'slipway_payments{state="refund_due"}')).toBe(0)
    expect(read(scrape, 'slipway_sockets')).toBe(0)
    expect(read(scrape, 'slipway_sites{state="running"}')).toBe(0)
    expect(read(scrape, 'slipway_database_connections_max')).toBeGreaterThan(0)
    expect(metricNames(scrape)).toEqual(
      expect.arrayContaining([
        'nodejs_eventloop_lag_p99_seconds',
        'process_resident_memory_bytes',
        'slipway_gateway_request_duration_seconds',
        'slipway_job_duration_seconds',
        'slipway_jobs_oldest_age_seconds',
        'slipway_jobs_waiting',
      ]),
    )
  })

  it('has the custom domains by state', async () => {
    const { teamId } = await world.user()
    await world.project({ teamId, domain: 'metrics.example' })
    const scrape = await server.scrape()
    const count = (state: string) => read(scrape, `slipway_domains{state="${state}"}`)
    expect([count('pending'), count('active'), count('failed')]).toEqual([0, 1, 0])
  })

  it('has the seconds since a cluster became unreachable, and no series for one that responds', async () => {
    const unreachableSince = new Date(world.clock.now().getTime() - 90_000)
    await world.ctx.db
      .insert(clusters)
      .values([{ name: 'far', unreachableSince }, { name: 'near' }])
    const scrape = await server.scrape()
    expect(read(scrape, 'slipway_cluster_unreachable_seconds{cluster="far"}')).toBe(90)
    expect(scrape).not.toContain('cluster="near"')
  })

  it('has the time until the service’s own certificates expire: 0 for one that was never issued', async () => {
    const secondsLeft = async () =>
      read(await server.scrape(), 'slipway_own_certificate_left_seconds') ?? Number.NaN
    expect(await secondsLeft()).toBeNaN()
    const certificateWithKey = { chain: ['certificate'], key: 'key' }
    await storeCertificate(world.ctx, { host: 'console.example', certificateWithKey })
    expect(await secondsLeft()).toBeGreaterThan(89 * 24 * 3600)
    await storeCertificate(world.ctx, {
      host: '*.sites.example',
      certificateWithKey,
      expiresAt: null,
    })
    expect(await secondsLeft()).toBe(0)
  })

  it('names follow the conventions: a prefix, a base unit, and _total for counters only', async () => {
    const scrape = await server.scrape()
    const types = [...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    expect(types.length).toBeGreaterThan(30)
    for (const [, name = '', type] of types) {
      expect(name).toMatch(/^(slipway|nodejs|process)_[a-z0-9_]+$/)
      // Only our metrics: prom-client has deprecated gauges whose names end with `_total`.
      if (name.startsWith('slipway_')) expect(name.endsWith('_total')).toBe(type === 'counter')
    }
    const names = types.map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('responds while every connection of the pool is busy', async () => {
    const max = read(await server.scrape(), 'slipway_database_connections_max') ?? 0
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const transactions = Array.from({ length: max + 1 }, () => server.app.ctx.write(() => released))
    const scrape = await server.scrape()
    release()
    await Promise.all(transactions)
    expect(read(scrape, 'slipway_database_connections{state="busy"}')).toBe(max)
    expect(read(scrape, 'slipway_database_waiting_queries')).toBeGreaterThanOrEqual(1)
    expect(metricNames(scrape)).toContain('slipway_projects')
  })

  it('leaves out the measurements that a locked table delays, and counts the failure', async () => {
    const client = new pg.Client(world.database.options)
    await client.connect()
    try {
      await client.query('begin; lock table mails in access exclusive mode')
      const scrape = await server.scrape()
      expect(metricNames(scrape)).not.toContain('slipway_emails')
      expect(metricNames(scrape)).toContain('slipway_projects')
    } finally {
      await client.end()
    }
    const scrape = await server.scrape()
    expect(metricNames(scrape)).toContain('slipway_emails')
    expect(read(scrape, 'slipway_measurement_failures_total{measurement="emails"}')).toBe(1)
  })

  it('of a web server has its requests and sockets; only workers count the rows of the database', async () => {
    const web = await startWithMetrics(world, { ROLE: 'web' })
    const names = metricNames(await web.scrape())
    expect(names).toContain('slipway_sockets')
    expect(names).not.toContain('slipway_emails')
    expect(names).not.toContain('slipway_sites')
  })

  it('is not served on the public port', async () => {
    for (const path of ['/metrics', '/version']) {
      const response = await server.app.server.app.inject({ method: 'GET', url: path })
      expect(response.statusCode).toBe(404)
    }
  })
})

describe('GET /version', () => {
  it('names version, commit and newest migration', async () => {
    const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
    const { body, status } = await server.get('/version')
    expect(status).toBe(200)
    expect(JSON.parse(body)).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      // Null in a copy without its repository.
      commit: stdout.trim() || null,
      migration: expect.stringMatching(/^\d{4}_/),
    })
    expect((await server.get('/other')).status).toBe(404)
  })
})
