import { day, hour } from '@slipway/contract/limits'
import type { ProjectId } from '@slipway/contract/projects'
import { type Traffic, viewTraffic } from '@slipway/contract/traffic'
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { FinishedRequest } from '../../gateway/finished-request.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { projects as projectRows } from '../projects/projects.schema.ts'
import { createTrafficRecorder } from './traffic.recorder.ts'
import { trafficDays, trafficHours, trafficSalts } from './traffic.schema.ts'
import { countDays, removeOld } from './traffic.service.ts'
import { findOrCreateSalt } from './traffic.store.ts'

let world: World
let owner: TestUser
beforeAll(async () => {
  world = await createWorld()
  owner = await world.user()
})
afterAll(() => world.close())
// Visitors are estimated: with the same salt and the same keys, always at the same number.
beforeEach(() =>
  findOrCreateSalt(world.ctx.db, world.clock.now().toISOString().slice(0, 10), Buffer.alloc(16)),
)

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

const requestTo = (key: string, changes: Partial<FinishedRequest> = {}): FinishedRequest => ({
  key,
  time: world.clock.now().getTime(),
  method: 'GET',
  host: 'site.test',
  path: '/',
  status: 200,
  isOffline: false,
  bytes: 1_000,
  duration: 20,
  referrer: undefined,
  agent: firefox,
  address: '192.0.2.1',
  ...changes,
})

async function gateway() {
  const recorder = await createTrafficRecorder(world.ctx.forJobs())
  onTestFinished(() => recorder.close())
  return recorder
}

let projects = 0
const newProject = () => world.project({ teamId: owner.teamId, key: `site-${++projects}` })

const view = (id: Awaited<ReturnType<typeof newProject>>['id'], range: Traffic['range'] = 'day') =>
  owner.call(viewTraffic, { params: { id }, query: { range } })

describe(title(viewTraffic), () => {
  it('has an empty point for each hour of a day and each day of a week and a month', async () => {
    const { id } = await newProject()
    const counts = { day: 24, week: 7, month: 30 } as const
    for (const range of ['day', 'week', 'month'] as const) {
      const { points, total } = await view(id, range)
      expect(points).toHaveLength(counts[range])
      expect(total).toEqual({
        requests: 0,
        bytes: 0,
        visitors: 0,
        clientErrors: 0,
        serverErrors: 0,
        median: null,
        p95: null,
      })
    }
  })

  it('counts requests, bytes, errors and visitors', async () => {
    const { id, key } = await newProject()
    const recorder = await gateway()
    for (const status of [200, 200, 304, 404, 404, 500]) recorder.record(requestTo(key, { status }))
    recorder.record(requestTo(key, { address: '192.0.2.2' }))
    await recorder.flush()
    const { total, points } = await view(id)
    expect(total).toMatchObject({
      requests: 7,
      bytes: 7_000,
      visitors: 2,
      clientErrors: 2,
      serverErrors: 1,
    })
    expect(points.at(-1)).toMatchObject({ requests: 7, visitors: 2 })
  })

  it('leaves out the requests to a site that is offline', async () => {
    const { id, key } = await newProject()
    const recorder = await gateway()
    recorder.record(requestTo(key))
    recorder.record(requestTo(key, { status: 503, isOffline: true }))
    await recorder.flush()
    expect((await view(id)).total).toMatchObject({ requests: 1, serverErrors: 0 })
  })

  it('computes median and 95th percentile over all hours', async () => {
    const { id, key } = await newProject()
    const recorder = await gateway()
    for (let ms = 1; ms <= 1000; ms++) {
      if (ms === 500) world.clock.forward(hour)
      recorder.record(requestTo(key, { duration: ms }))
    }
    await recorder.flush()
    const { median, p95 } = (await view(id)).total
    expect(median).toBeGreaterThan(500 * 0.88)
    expect(median).toBeLessThan(500 * 1.12)
    expect(p95).toBeGreaterThan(950 * 0.88)
    expect(p95).toBeLessThan(950 * 1.12)
  })

  it('leaves crawlers out of the visitors, not of the requests', async () => {
    const { id, key } = await newProject()
    const recorder = await gateway()
    recorder.record(requestTo(key, { agent: googlebot }))
    recorder.record(requestTo(key, { agent: undefined }))
    await recorder.flush()
    expect((await view(id)).total).toMatchObject({ requests: 2, visitors: 0 })
  })

  it('adds up what several gateways count, and each visitor once', async () => {
    const { id, key } = await newProject()
    const gateways = await Promise.all([gateway(), gateway(), gateway()])
    await Promise.all(
      gateways.map(async (recorder) => {
        for (let index = 0; index < 50; index++)
          recorder.record(requestTo(key, { address: `192.0.2.${index}` }))
        await recorder.flush()
      }),
    )
    const { requests, visitors } = (await view(id)).total
    expect(requests).toBe(150)
    expect(visitors).toBeGreaterThan(47)
    expect(visitors).toBeLessThan(53)
  })

  it('adds visitors of two days up, because a visitor cannot be recognized on the second', async () => {
    const { id, key } = await newProject()
    const recorder = await gateway()
    recorder.record(requestTo(key))
    await recorder.flush()
    world.clock.forward(day)
    await recorder.flush()
    recorder.record(requestTo(key))
    await recorder.flush()
    expect((await view(id, 'week')).total.visitors).toBe(2)
  })

  it('counts a batch once when its outcome is unknown and it is sent again', async () => {
    const { id, key } = await newProject()
    let failsAfterCommit = true
    const ctx = world.ctx.forJobs()
    const recorder = await createTrafficRecorder({
      ...ctx,
      async write(work) {
        const result = await ctx.write(work)
        if (failsAfterCommit) throw new Error('the connection was lost after the commit')
        return result
      },
    })
    onTestFinished(() => recorder.close())
    recorder.record(requestTo(key))
    await expect(recorder.flush()).rejects.toThrow('after the commit')
    recorder.record(requestTo(key))
    failsAfterCommit = false
    await recorder.flush()
    expect((await view(id)).total.requests).toBe(2)
  })

  it('loses nothing while the database does not respond', async () => {
    const { id, key } = await newProject()
    let isDown = true
    const ctx = world.ctx.forJobs()
    const recorder = await createTrafficRecorder({
      ...ctx,
      write: (work) => (isDown ? Promise.reject(new Error('no database')) : ctx.write(work)),
    })
    onTestFinished(() => recorder.close())
    for (let count = 0; count < 10; count++) {
      recorder.record(requestTo(key))
      await recorder.flush().catch(() => undefined)
    }
    isDown = false
    await recorder.flush()
    expect((await view(id)).total.requests).toBe(10)
  })

  it('counts nothing of a project that is deleted or unknown', async () => {
    const { key } = await world.project({ teamId: owner.teamId, state: 'deleted' })
    const recorder = await gateway()
    recorder.record(requestTo(key))
    recorder.record(requestTo('never-created'))
    await recorder.flush()
    const rows = await world.ctx.db.$count(
      trafficHours,
      sql`${trafficHours.projectId} in (select id from projects where key = ${key})`,
    )
    expect(rows).toBe(0)
  })

  it('stores neither an address nor a browser', async () => {
    const { id, key } = await newProject()
    const recorder = await gateway()
    recorder.record(requestTo(key, { address: '198.51.100.77' }))
    await recorder.flush()
    const rows = await world.ctx.db
      .select()
      .from(trafficHours)
      .where(eq(trafficHours.projectId, id))
    expect(JSON.stringify(rows)).not.toMatch(/198\.51|Firefox/)
  })
})

describe('the visitors of past days', () => {
  it('are counted once and their sets are emptied', async () => {
    const { id, key } = await newProject()
    const recorder = await gateway()
    for (let index = 0; index < 20; index++) {
      if (index === 10) world.clock.forward(hour)
      recorder.record(requestTo(key, { address: `192.0.2.${index % 15}` }))
    }
    await recorder.flush()
    world.clock.forward(3 * day)
    const before = (await view(id, 'week')).total.visitors
    // An estimate: some of the 15 may fall together.
    expect(before).toBeGreaterThanOrEqual(12)
    expect(before).toBeLessThanOrEqual(15)
    await countDays(world.ctx)
    await countDays(world.ctx)
    expect((await view(id, 'week')).total.visitors).toBe(before)
    const rows = await world.ctx.db
      .select({ visitors: trafficHours.visitors })
      .from(trafficHours)
      .where(eq(trafficHours.projectId, id))
    expect(rows.flatMap(({ visitors }) => visitors)).toEqual([])
  })

  it('are neither lost nor doubled when the count is killed between two transactions', async () => {
    const sites = [await newProject(), await newProject(), await newProject()]
    const recorder = await gateway()
    for (let index = 0; index < 48; index++) {
      for (const { key } of sites)
        recorder.record(requestTo(key, { address: `192.0.2.${index % 24}` }))
      world.clock.forward(hour)
    }
    await recorder.flush()
    world.clock.forward(2 * day)
    const visitors = () =>
      Promise.all(sites.map(async ({ id }) => (await view(id, 'week')).total.visitors))
    const before = await visitors()

    // Each run commits one transaction, and is killed in the next.
    let runs = 0
    for (let isDone = false; !isDone; runs++) {
      let commits = 0
      const killed = {
        ...world.ctx,
        async write<Result>(work: Parameters<typeof world.ctx.write<Result>>[0]) {
          if (commits++ === 0) return world.ctx.write(work)
          await world.ctx.write(async (tx) => {
            await work(tx)
            throw new Error('killed')
          })
          throw new Error('unreachable')
        },
      }
      isDone = await countDays(killed, 1).then(
        () => true,
        () => false,
      )
      expect(await visitors()).toEqual(before)
    }
    expect(runs).toBeGreaterThan(5)
  })

  it('cannot be recognized again: the salt of a day is removed after it', async () => {
    const recorder = await gateway()
    await recorder.flush()
    const yesterday = world.clock.now().toISOString().slice(0, 10)
    world.clock.forward(day)
    await removeOld(world.ctx)
    const salts = await world.ctx.db.select({ day: trafficSalts.day }).from(trafficSalts)
    expect(salts.map((salt) => salt.day)).not.toContain(yesterday)
  })
})

describe('the traffic of a project', () => {
  it('is removed after 13 months', async () => {
    const { id, key } = await newProject()
    const recorder = await gateway()
    recorder.record(requestTo(key))
    await recorder.flush()
    await removeOld(world.ctx)
    expect(await world.ctx.db.$count(trafficHours, eq(trafficHours.projectId, id))).toBe(1)
    world.clock.forward(397 * day)
    await removeOld(world.ctx)
    expect(await world.ctx.db.$count(trafficHours, eq(trafficHours.projectId, id))).toBe(0)
    expect(await world.ctx.db.$count(trafficDays, eq(trafficDays.projectId, id))).toBe(0)
  })

  it('is removed once the project is deleted, also after a long stop of the service', async () => {
    const { ctx } = world
    const sites = [await newProject(), await newProject(), await newProject()]
    const remaining = await newProject()
    const recorder = await gateway()
    for (const { key } of [...sites, remaining]) recorder.record(requestTo(key))
    await recorder.flush()
    world.clock.forward(3 * day)
    await countDays(ctx)
    const ids = sites.map(({ id }) => id)
    const deleted = { state: 'deleted', deletedAt: world.clock.now() } as const
    await ctx.db.update(projectRows).set(deleted).where(inArray(projectRows.id, ids))
    world.clock.forward(30 * day)

    const rowsOf = async (projectIds: ProjectId[]) => [
      await ctx.db.$count(trafficHours, inArray(trafficHours.projectId, projectIds)),
      await ctx.db.$count(trafficDays, inArray(trafficDays.projectId, projectIds)),
    ]
    await removeOld(ctx, 2)
    expect(await rowsOf(ids)).toEqual([1, 1])
    await removeOld(ctx, 2)
    expect(await rowsOf(ids)).toEqual([0, 0])
    expect(await rowsOf([remaining.id])).toEqual([1, 1])
  })
})
