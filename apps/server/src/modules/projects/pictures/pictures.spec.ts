import { day, hour } from '@slipway/contract/limits'
import {
  createProject,
  deleteProject,
  listProjects,
  type Project,
  type ProjectKey,
  renameProject,
  viewProject,
} from '@slipway/contract/projects'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import { PictureError } from '../../../engines/hosting/engine.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import * as store from '../projects.store.ts'
import { settle } from '../reconciler/reconciler.fixture.ts'
import { pictureJob, scheduleAfterChange, scheduleRetry } from './picture-schedule.ts'
import { takePicture } from './take-picture.ts'

let world: World
let owner: TestUser

beforeAll(async () => {
  world = await createWorld({ PICTURES_BROWSER: undefined })
})
beforeEach(async () => {
  owner = await world.user()
})
afterAll(() => world.close())

const image = { large: Buffer.from('RIFF....WEBP large'), small: Buffer.from('RIFF....WEBP small') }

type Engine = Partial<Context['engine']>

/** The context of a worker whose engine runs the site, and takes this picture of it. */
const worker = (engine: Engine = {}): Context => ({
  ...world.ctx,
  engine: {
    ...world.ctx.engine,
    list: async (ids = []) =>
      ids.map(({ key }) => ({ key, applied: null, running: true, asleep: false })),
    wake: async () => 'awake',
    takePicture: async () => image,
    ...engine,
  },
})

const project = (overrides: object = {}) => world.project({ teamId: owner.teamId, ...overrides })

const view = ({ key }: { key: string }) =>
  owner.call(viewProject, { params: { key: key as ProjectKey } })

const get = (url: string) => world.app.server.app.inject({ url })

/** The data of a project's queued jobs. */
async function jobs({ id }: Pick<Project, 'id'>) {
  const { rows } = await world.ctx.db.execute<{ data: Record<string, string> }>(
    sql`select data from pgboss.job where name = ${pictureJob} and data->>'projectId' = ${id}
      and state = 'created' order by created_on`,
  )
  return rows.map(({ data: { $request, projectId, ...data } }) => data)
}

describe('the picture of a project', () => {
  it('is at an address that cannot be guessed and changes with each picture', async () => {
    const { id, key } = await project()
    expect((await view({ key })).picture).toBeNull()
    expect(await takePicture(worker(), id, true)).toBe(true)
    const { picture } = await view({ key })
    expect(picture?.large).toMatch(/^\/pictures\/[\w-]{22}\.webp$/)
    const response = await get(picture?.large ?? '')
    expect([response.statusCode, response.rawPayload]).toEqual([200, image.large])
    expect((await get(picture?.small ?? '')).rawPayload).toEqual(image.small)
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    world.clock.forward(day)
    await takePicture(worker(), id, true)
    const [listed] = await owner.call(listProjects)
    expect(listed?.picture?.small).toMatch(/^\/pictures\//)
    expect(listed?.picture?.large).not.toBe(picture?.large)
    expect((await get(picture?.large ?? '')).statusCode).toBe(404)
  })

  it('is shown neither of a suspended nor of a deleted project', async () => {
    for (const end of ['suspended', 'deleted'] as const) {
      const { id, key } = await project()
      await takePicture(worker(), id, true)
      const { picture } = await view({ key })
      if (end === 'deleted') await owner.call(deleteProject, { params: { id } })
      else
        await world.ctx.write((tx) =>
          store.updateDesiredState(tx, id, { suspension: 'unpaid' }, world.clock.now()),
        )
      expect((await view({ key })).picture, end).toBeNull()
      expect((await get(picture?.small ?? '')).statusCode, end).toBe(404)
    }
  })

  it('has no address but its own', async () => {
    for (const name of ['', 'x.webp', `${'a'.repeat(22)}.webp`, '..%2f..%2fetc%2fpasswd', '%00'])
      expect((await get(`/pictures/${name}`)).headers['content-type']).not.toBe('image/webp')
  })

  it('is sent to an address as often as RATE_LIMIT allows, apart from its API calls', async () => {
    const server = await world.anotherServer({ RATE_LIMIT: 2 })
    const url = `/pictures/${'a'.repeat(22)}.webp`
    const statuses: number[] = []
    for (let times = 0; times < 3; times++) statuses.push((await server.inject(url)).statusCode)
    expect(statuses).toEqual([404, 404, 429])
    expect((await server.inject({ url, remoteAddress: '192.0.2.7' })).statusCode).toBe(404)
    expect((await server.inject('/api/docs/json')).statusCode).toBe(200)
  })

  it('is not stored for a project that was deleted while it was taken', async () => {
    const { id } = await project()
    const ctx = worker({
      takePicture: async () => {
        await owner.call(deleteProject, { params: { id } })
        return image
      },
    })
    expect(await takePicture(ctx, id, true)).toBe(true)
    const { rows } = await world.ctx.db.execute(
      sql`select from site_pictures where project_id = ${id}`,
    )
    expect(rows).toHaveLength(0)
  })

  it('stays when the next one fails, which is attempted four times', async () => {
    const { id, key } = await project()
    await takePicture(worker(), id, true)
    world.clock.forward(day)
    const takePictures = () => Promise.reject(new PictureError('the page crashed'))
    expect(await takePicture(worker({ takePicture: takePictures }), id, true)).toBe(false)
    expect((await view({ key })).picture).not.toBeNull()
    const attempts = ['1', '2', '3', '4']
    const otherProject = await project()
    for (const attempt of attempts) {
      await scheduleRetry(world.ctx, otherProject.id, { wake: 'yes', attempt })
      const expected = attempt === '4' ? [] : [{ wake: 'yes', attempt: String(+attempt + 1) }]
      expect(await jobs(otherProject)).toEqual(expected)
      await world.ctx.db.execute(
        sql`update pgboss.job set state = 'completed' where data->>'projectId' = ${otherProject.id}`,
      )
    }
  })

  it('is stored once when two workers take it', async () => {
    const { id, key } = await project()
    await Promise.all([takePicture(worker(), id, true), takePicture(worker(), id, true)])
    expect((await get((await view({ key })).picture?.large ?? '')).statusCode).toBe(200)
  })

  it.each([
    ['stopped', { power: 'stopped' }],
    ['suspended', { suspension: 'unpaid' }],
    ['that waits for its next version', { generation: 2 }],
    ['that is created', { state: 'creating' }],
  ] as const)('is not taken of a site %s', async (_what, overrides) => {
    const { id } = await project(overrides)
    const ctx = worker({ takePicture: () => Promise.reject(new Error('taken')) })
    expect(await takePicture(ctx, id, true)).toBe(true)
  })

  it('of a sleeping site is taken after a change alone', async () => {
    const { id, key } = await project()
    const ctx = worker({
      list: async () => [{ key, applied: null, running: true, asleep: true }],
    })
    await takePicture(ctx, id, false)
    expect((await view({ key })).picture).toBeNull()
    await takePicture(ctx, id, true)
    expect((await view({ key })).picture).not.toBeNull()
  })
})

describe('a picture is requested', () => {
  it('once a new site is live, and after each version that runs on it', async () => {
    await world.host()
    const body = { name: 'Bakery', teamId: owner.teamId, regionId: 'eu', domain: null }
    const created = await owner.call(createProject, { body })
    const finishJobs = () =>
      world.ctx.db.execute(
        sql`update pgboss.job set state = 'completed' where data->>'projectId' = ${created.id}`,
      )
    await settle(world.ctx, created.id)
    expect(await jobs(created)).toEqual([{ wake: 'yes' }])

    for (const version of ['1', '2']) {
      await finishJobs()
      await owner.call(renameProject, { params: { id: created.id }, body: { name: 'Harbor' } })
      const metadata = async () => [{ key: 'runtime_version' as const, value: version }]
      await settle({ ...world.ctx, engine: { ...world.ctx.engine, metadata } }, created.id)
      expect(await jobs(created), `new versions of programs: ${version}`).toEqual([{ wake: 'yes' }])
      await finishJobs()
      await owner.call(renameProject, { params: { id: created.id }, body: { name: 'Bakery' } })
      await settle({ ...world.ctx, engine: { ...world.ctx.engine, metadata } }, created.id)
      expect(await jobs(created), 'the same versions').toEqual([{ wake: 'yes' }])
    }
  })

  it('once for several changes', async () => {
    const changed = await project()
    for (let change = 0; change < 3; change++)
      await world.ctx.write((tx) => scheduleAfterChange(world.ctx, tx, changed))
    expect(await jobs(changed)).toEqual([{ wake: 'yes' }])
  })

  it('by a view of a project whose picture is older than a day, also by a clock that was ahead', async () => {
    const fresh = await project()
    await takePicture(worker(), fresh.id, true)
    world.clock.forward(hour)
    await view(fresh)
    expect(await jobs(fresh)).toEqual([])
    world.clock.forward(day)
    await view(fresh)
    await view(fresh)
    expect(await jobs(fresh)).toEqual([{}])

    const futureProject = await project()
    await takePicture(worker(), futureProject.id, true)
    world.clock.forward(-2 * day)
    await view(futureProject)
    world.clock.forward(2 * day)
    expect(await jobs(futureProject)).toEqual([{}])
  })

  it('only of a site that runs, and only where pictures are taken', async () => {
    const [stopped, running] = [await project({ power: 'stopped' }), await project()]
    await view(stopped)
    expect(await jobs(stopped)).toEqual([])
    const env = { ...world.env, PICTURES_BROWSER: 'off' }
    await world.ctx.write((tx) => scheduleAfterChange({ ...world.ctx, env }, tx, running))
    expect(await jobs(running)).toEqual([])
  })
})
