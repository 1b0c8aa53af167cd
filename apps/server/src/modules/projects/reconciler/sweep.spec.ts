import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listProjectActivity } from '@slipway/contract/activity'
import { minute } from '@slipway/contract/limits'
import { startProjectEmpty } from '@slipway/contract/operator'
import {
  createProject,
  deleteProject,
  type ProjectId,
  restartProject,
  viewProject,
} from '@slipway/contract/projects'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import type { Instance, InstanceId } from '../../../engines/hosting/engine.ts'
import { createLayout } from '../../../engines/hosting/local/files/layout.ts'
import { instance } from '../../../engines/hosting/local/fixtures/local-engine.fixture.ts'
import { localCluster } from '../../../env/configured-clusters.ts'
import { title } from '../../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../../testing/matchers.ts'
import { processesOf } from '../../../testing/processes.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { publishChange } from '../projects.service.ts'
import * as store from '../projects.store.ts'
import { settle } from './reconciler.fixture.ts'
import { nextInTurn, type Range } from './sweep.store.ts'
import { reconcileUnsettledJob, sweep } from './sweep.ts'

let world: World
let owner: TestUser
let ctx: Context

// The engine and the gateway are real. Jobs and timers do not run.
beforeAll(async () => {
  world = await createWorld()
  ctx = world.ctx
  await world.host()
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await world.user()
})

/** Deletes the sweep's jobs; returns the owner's projects that had one. */
async function takeQueued() {
  const { rows } = await ctx.db.execute<{ id: ProjectId; teamId: string }>(sql`
    with taken as (delete from pgboss.job where name = ${reconcileUnsettledJob} returning data->>'projectId' as id)
    select projects.id from taken join projects on projects.id = taken.id::uuid
    where team_id = ${owner.teamId} order by projects.id`)
  return rows.map(({ id }) => id)
}

const filesOf = (key: string) => createLayout(world.env.DATA_DIR).site(key)

/** An unsettled project whose server died; the gateway has received its event. */
async function orphaned(overrides: Omit<Parameters<World['project']>[0], 'teamId'>) {
  const deadlineAt = new Date(ctx.clock.now().getTime() + 5 * minute)
  const project = await world.project({ teamId: owner.teamId, deadlineAt, ...overrides })
  await mkdir(filesOf(project.key).data, { recursive: true })
  await ctx.write((tx) => publishChange(tx, project.id))
  return project
}

async function ready() {
  const { id, key } = await owner.call(createProject, {
    body: { name: 'Example site', teamId: owner.teamId, regionId: 'eu', domain: null },
  })
  expect(await settle(ctx, id)).toBe('settled')
  return { id, key }
}

const row = async (id: ProjectId) => {
  const project = await store.findForReconciler(ctx.db, id)
  if (!project) throw new Error('the project is gone')
  return project
}

const instanceWith = async (key: string) =>
  (await ctx.engine.list()).find((instance) => instance.key === key)

describe('the sweep', () => {
  it('finds no settled project', async () => {
    await ready()
    await world.project({
      teamId: owner.teamId,
      state: 'failed_creating',
      failure: 'engine_failed',
    })
    await world.project({ teamId: owner.teamId, state: 'deleted', appliedGeneration: 0 })
    await sweep(ctx)
    expect(await takeQueued()).toEqual([])
  })

  it('finds every project whose server died, and each is settled by its job', async () => {
    const projects = [
      await orphaned({ state: 'pending' }),
      await orphaned({ state: 'creating' }),
      await orphaned({ state: 'modifying' }),
      await orphaned({ state: 'ready', appliedGeneration: 0, deadlineAt: null }),
      await orphaned({ state: 'deleting' }),
      await orphaned({ state: 'failed_creating', appliedGeneration: 1, deadlineAt: null }),
    ]
    await sweep(ctx)
    const ids = projects.map(({ id }) => id)
    expect(await takeQueued()).toEqual(ids)
    for (const id of ids) expect(await settle(ctx, id)).toBe('settled')
    const states = await Promise.all(projects.map(async ({ id }) => (await row(id)).state))
    expect(states).toEqual(['ready', 'ready', 'ready', 'ready', 'deleted', 'failed_creating'])
    await sweep(ctx)
    expect(await takeQueued()).toEqual([])
  })

  it('enqueues one job per project, however often it runs', async () => {
    const { id } = await orphaned({ state: 'pending' })
    await Promise.all([sweep(ctx), sweep(ctx), sweep(ctx)])
    await sweep(ctx)
    expect(await takeQueued()).toEqual([id])
  })

  it('restores instances that are missing or stopped', async () => {
    const [missing, stopped] = [await ready(), await ready()]
    await rm(filesOf(missing.key).settings)
    const engine = {
      ...ctx.engine,
      list: async () =>
        (await ctx.engine.list()).map((instance) =>
          instance.key === stopped.key ? { ...instance, running: false } : instance,
        ),
    }
    await sweep({ ...ctx, engine })
    expect(await takeQueued()).toEqual([missing.id, stopped.id])
    for (const { id, key } of [missing, stopped]) {
      expect(await settle(ctx, id)).toBe('settled')
      expect((await instanceWith(key))?.running).toBe(true)
      expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
    }
    await sweep(ctx)
    expect(await takeQueued()).toEqual([])
  })

  it('shows why a ready site does not respond, until it responds again', async () => {
    const { id, key } = await ready()
    const problemOf = (each: InstanceId) => (each.key === key ? ('program_crashes' as const) : null)
    const crashing = { ...ctx.engine, problemOf, isHealthy: async () => false }
    await sweep({ ...ctx, engine: crashing })
    expect(await row(id)).toMatchObject({ state: 'ready', failure: 'program_crashes' })
    expect(await takeQueued()).toEqual([id])
    await settle({ ...ctx, engine: crashing }, id)
    expect((await row(id)).failure).toBe('program_crashes')
    expect(await settle(ctx, id)).toBe('settled')
    expect((await row(id)).failure).toBeNull()
  })

  /** An engine that reports `count` crashes of a site, which responds between them. */
  const crashing = (key: string, count: number) => {
    const isSite = (each: InstanceId) => each.key === key
    return {
      ...ctx.engine,
      problemOf: (each: InstanceId) => (isSite(each) ? ('program_crashes' as const) : null),
      crashesOf: (each: InstanceId) =>
        isSite(each) ? { count, lastAt: ctx.clock.now().getTime() } : null,
      isHealthy: async () => true,
    }
  }

  /** The kinds of the newest entries about crashes, the oldest first. */
  const crashActivity = async (id: ProjectId) => {
    const { items } = await owner.call(listProjectActivity, { params: { id }, query: {} })
    return items.flatMap(({ kind }) => (kind.startsWith('site_') ? kind : [])).reverse()
  }

  it('shows that a site crashes in a loop, until it has run well for five minutes', async () => {
    const { id, key } = await ready()
    const sweepWith = (count: number) => sweep({ ...ctx, engine: crashing(key, count) })
    ctx.logs.add(key, 'site', { time: Date.now(), text: 'No database' })
    await ctx.logs.flush()
    await sweepWith(3)
    const shown = await owner.call(viewProject, { params: { key } })
    expect(shown).toMatchObject({ state: 'ready', failure: 'program_crashes', crashes: 3 })
    expect(shown.lastOutput).toContain('No database')
    world.clock.forward(minute)
    await sweepWith(5)
    expect(await row(id)).toMatchObject({ crashes: 5, crashedAt: ctx.clock.now() })
    await settle({ ...ctx, engine: crashing(key, 5) }, id)
    // A server that has just started knows no crashes.
    await settle(ctx, id)
    expect((await row(id)).failure).toBe('program_crashes')
    expect(await crashActivity(id)).toEqual(['site_crashing'])

    world.clock.forward(5 * minute)
    await settle(ctx, id)
    expect(await row(id)).toMatchObject({ failure: null, crashes: 0, crashedAt: null })
    expect(await crashActivity(id)).toEqual(['site_crashing', 'site_recovered'])
    await takeQueued()
  })

  it('shows nothing of a site that crashed once', async () => {
    const { id, key } = await ready()
    await sweep({ ...ctx, engine: crashing(key, 1) })
    expect(await row(id)).toMatchObject({ failure: null, crashes: 0 })
  })

  it('writes nothing of a site that has not crashed since the last sweep', async () => {
    const { id, key } = await ready()
    const engine = crashing(key, 3)
    await sweep({ ...ctx, engine })
    let writes = 0
    const write: Context['write'] = (work) => {
      writes++
      return ctx.write(work)
    }
    await takeQueued()
    await sweep({ ...ctx, engine, write })
    // The write that enqueues the recheck.
    expect(writes).toBe(1)
    expect(await takeQueued()).toEqual([id])
  })

  it('stops showing crashes once a change runs', async () => {
    const { id, key } = await ready()
    await sweep({ ...ctx, engine: crashing(key, 3) })
    await owner.call(restartProject, { params: { id } })
    expect(await settle(ctx, id)).toBe('settled')
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null, crashes: 0 })
    await takeQueued()
  })

  it('does not restore a missing instance whose project is deleted before the job runs', async () => {
    const { id, key } = await ready()
    const engine = {
      ...ctx.engine,
      list: async () => [{ key, applied: null, running: false, asleep: false }],
      apply: () => Promise.reject(new Error('the instance was started again')),
    }
    await sweep({ ...ctx, engine })
    expect(await takeQueued()).toEqual([id])
    await owner.call(deleteProject, { params: { id } })
    expect(await settle({ ...ctx, engine }, id)).toBe('settled')
    expect((await row(id)).state).toBe('deleted')
    expect(await instanceWith(key)).toBeUndefined()
  })

  it('reconciles a project that is deleted while the sweep lists the engine', async () => {
    const { id, key } = await ready()
    const engine = {
      ...ctx.engine,
      list: async () => {
        const list = await ctx.engine.list()
        await owner.call(deleteProject, { params: { id } })
        return list.filter((instance) => instance.key !== key)
      },
    }
    await sweep({ ...ctx, engine })
    expect((await row(id)).state).toBe('deleting')
    expect(await settle(ctx, id)).toBe('settled')
    expect((await row(id)).state).toBe('deleted')
    expect(await instanceWith(key)).toBeUndefined()
  })

  it('leaves a project that another reconciler has locked', async () => {
    const { id, key } = await ready()
    await rm(filesOf(key).settings)
    await sweep(ctx)
    const outcome = await ctx.locks.exclusively(`project ${id}`, () => settle(ctx, id))
    expect(outcome).toBe('busy')
    expect(await instanceWith(key)).toMatchObject({ applied: null })
    expect(await settle(ctx, id)).toBe('settled')
    expect(await instanceWith(key)).toMatchObject({ applied: { key }, running: true })
  })

  it('removes what a deleted project left in the engine', async () => {
    const { id, key } = await ready()
    await ctx.db.execute(
      sql`update projects set state = 'deleted', applied_generation = 0 where id = ${id}`,
    )
    await sweep(ctx)
    expect(await takeQueued()).toEqual([id])
    expect(await settle(ctx, id)).toBe('settled')
    expect(await instanceWith(key)).toBeUndefined()
    await sweep(ctx)
    expect(await takeQueued()).toEqual([])
  })

  it('ignores instances of unknown projects', async () => {
    const key = 'nobodys-bcdfgh'
    await ctx.engine.apply(instance(key), { mayCreate: true })
    await sweep(ctx)
    expect(await takeQueued()).toEqual([])
    expect((await instanceWith(key))?.running).toBe(true)
    await ctx.engine.remove({ key, cluster: localCluster })
  })

  it('enqueues unsettled projects also when the engine cannot be listed', async () => {
    const { id } = await orphaned({ state: 'pending' })
    const engine = {
      ...ctx.engine,
      list: () => Promise.reject(new Error('the engine does not respond')),
    }
    await sweep({ ...ctx, engine })
    expect(await takeQueued()).toEqual([id])
  })
})

describe('nextInTurn', () => {
  it('reaches every key of a set larger than the batch, and never one twice in a batch', async () => {
    const all = ['a', 'b', 'c', 'd', 'e']
    const list = async ({ after = '', upTo = '~' }: Range<string>, limit: number) =>
      all.filter((key) => key > after && key <= upTo).slice(0, limit)
    const batches: string[][] = []
    for (let round = 0; round < 4; round++)
      batches.push(await nextInTurn(batches.at(-1)?.at(-1), 2, list))
    expect(batches).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'a'],
      ['b', 'c'],
    ])
    expect(await nextInTurn('c', 9, list)).toEqual(['d', 'e', 'a', 'b', 'c'])
  })
})

describe('a site whose folder is lost', () => {
  it('is a failure instead of an empty site, is not billed, and heals when the folder is back', async () => {
    const { id, key } = await ready()
    const { folder } = filesOf(key)
    const page = () => sitePage(world.env.SITES_PORT, `${key}.localhost`)
    const before = (await page()).body
    const isBilled = async () => {
      const { rows } = await ctx.db.execute(
        sql`select from usage_intervals where project_id = ${id} and ended_at is null`,
      )
      return rows.length === 1
    }
    expect(await isBilled()).toBe(true)
    await rename(folder, `${folder}-moved`)

    await sweep(ctx)
    expect(await takeQueued()).toEqual([id])
    expect(await settle(ctx, id)).toBe('settled')

    expect(await row(id)).toMatchObject({ state: 'ready', failure: 'data_missing' })
    expect(await isBilled()).toBe(false)
    expect((await page()).status).toBe(503)
    expect(await processesOf(folder)).toEqual([])
    expect(await instanceWith(key)).toBeUndefined()

    await rename(`${folder}-moved`, folder)
    await sweep(ctx)
    expect(await takeQueued()).toEqual([id])
    await until(async () => {
      await settle(ctx, id)
      return (await row(id)).failure === null
    })
    expect((await page()).body).toBe(before)
    expect(await isBilled()).toBe(true)
  })
})

describe(title(startProjectEmpty), () => {
  const operatorEmail = 'operator@example.com'
  const withOperator = async () => {
    const otherWorld = await createWorld({ OPERATOR_EMAILS: [operatorEmail] })
    await otherWorld.host()
    const customer = await otherWorld.user()
    const { id, key } = await customer.call(createProject, {
      body: { name: 'Example site', teamId: customer.teamId, regionId: 'eu', domain: null },
    })
    expect(await settle(otherWorld.ctx, id)).toBe('settled')
    const operator = await otherWorld.user({ email: operatorEmail })
    return {
      otherWorld,
      customer,
      id,
      key,
      folder: createLayout(otherWorld.env.DATA_DIR).site(key).folder,
      recreateEmpty: (of: string = key) =>
        operator.call(startProjectEmpty, { params: { key: of } }),
      view: () => customer.call(viewProject, { params: { key } }),
      page: () => sitePage(otherWorld.env.SITES_PORT, `${key}.localhost`),
    }
  }

  it('creates the site again, empty, where its folder was removed', async () => {
    const { otherWorld, id, key, folder, recreateEmpty, view, page } = await withOperator()
    // The site still writes: a deletion of the folder, file by file, would race with it.
    await rename(folder, join(otherWorld.env.DATA_DIR, 'lost'))
    await sweep(otherWorld.ctx)
    await settle(otherWorld.ctx, id)
    expect(await view()).toMatchObject({ state: 'ready', failure: 'data_missing' })
    expect((await page()).status).toBe(503)

    expect(await recreateEmpty()).toEqual({ key, name: 'Example site', state: 'pending' })
    expect(await view()).toMatchObject({ failure: null, progress: { attempt: 2 } })
    expect(await settle(otherWorld.ctx, id)).toBe('settled')

    expect(await view()).toMatchObject({ state: 'ready', failure: null })
    expect((await page()).status).toBe(200)
    const call = otherWorld.logged
      .map((line) => JSON.parse(line))
      .find(({ event }) => event === 'operator_call')
    expect(call).toMatchObject({ endpoint: title(startProjectEmpty) })
    expect(otherWorld.logged.join()).toContain('operator recreated a site without its lost data')
    await otherWorld.close()
  })

  it('keeps files that came back before the site was created again', async () => {
    const { otherWorld, id, folder, recreateEmpty, page } = await withOperator()
    const before = (await page()).body
    await rename(folder, `${folder}-moved`)
    await sweep(otherWorld.ctx)
    await settle(otherWorld.ctx, id)
    await recreateEmpty()
    await rename(`${folder}-moved`, folder)
    expect(await settle(otherWorld.ctx, id)).toBe('settled')
    expect((await page()).body).toBe(before)
    await otherWorld.close()
  })

  it('is rejected for a project that has its files, and for an unknown one', async () => {
    const { otherWorld, recreateEmpty, view, customer, id } = await withOperator()
    expect(await errorCodeOf(recreateEmpty())).toBe('item_not_found')
    expect(await errorCodeOf(recreateEmpty('unknown'))).toBe('project_not_found')
    expect(await view()).toMatchObject({ state: 'ready', progress: { attempt: 1 } })
    await customer.call(deleteProject, { params: { id } })
    expect(await errorCodeOf(recreateEmpty())).toBe('item_not_found')
    await otherWorld.close()
  })
})

describe('a machine that is full', () => {
  it('lets creations wait, finishes them when a place is free, and fails them at their deadline', async () => {
    const full = await createWorld({ SITE_LIMIT: 1 })
    await full.host()
    const user = await full.user()
    const create = (name: string) =>
      user.call(createProject, {
        body: { name, teamId: user.teamId, regionId: 'eu', domain: null },
      })
    const stateOf = async (id: ProjectId) => {
      const project = await store.findForReconciler(full.ctx.db, id)
      return { state: project?.state, failure: project?.failure }
    }
    const first = await create('First')
    const second = await create('Second')
    const third = await create('Third')
    for (const { id } of [first, second, third]) await settle(full.ctx, id)
    expect(await stateOf(first.id)).toEqual({ state: 'ready', failure: null })
    const waits = { state: 'creating', failure: 'no_capacity' }
    expect(await stateOf(second.id)).toEqual(waits)
    expect(await stateOf(third.id)).toEqual(waits)
    expect(full.logged.filter((line) => line.includes('There is no capacity'))).toEqual([
      expect.stringContaining('all 1 places for sites are taken (SITE_LIMIT)'),
    ])

    await user.call(deleteProject, { params: { id: first.id } })
    await settle(full.ctx, first.id)
    expect(await settle(full.ctx, second.id)).toBe('settled')
    expect(await stateOf(second.id)).toEqual({ state: 'ready', failure: null })

    full.clock.forward(5 * minute)
    await settle(full.ctx, third.id)
    expect(await stateOf(third.id)).toEqual({ state: 'failed_creating', failure: 'no_capacity' })
    await full.close()
  })
})

describe('a worker that finds 20,000 projects without a site', () => {
  it('takes them in batches, logs short lines, and starts nothing', async () => {
    const another = await createWorld()
    await another.host()
    const { ctx } = another
    const { teamId } = await another.user()
    const count = 20_000
    await ctx.db.execute(sql`
      insert into projects (id, team_id, key, region_id, cluster, name, state, generation, applied_generation, created_at, updated_at)
      select gen_random_uuid(), ${teamId}, 'site-' || number, 'eu', 'local', 'Example', 'ready', 1, 1, now(), now()
      from generate_series(1, ${count}) as number`)
    const marked = async () => {
      const { rows } = await ctx.db.execute<{ count: number }>(
        sql`select count(*)::int as count from projects where applied_generation = 0`,
      )
      return rows[0]?.count
    }
    for (const sweeps of [1, 2, 3]) {
      await sweep(ctx)
      expect(await marked()).toBe(sweeps * 500)
    }
    const { rows } = await ctx.db.execute<{ id: ProjectId }>(
      sql`select (data->>'projectId')::uuid as id from pgboss.job where name = ${reconcileUnsettledJob}`,
    )
    // Other projects in each sweep, although none was settled.
    expect(rows.length).toBeGreaterThan(500)
    expect(rows.length).toBeLessThanOrEqual(1_500)
    for (const { id } of rows.slice(0, 20)) expect(await settle(ctx, id)).toBe('settled')
    expect(await processesOf(createLayout(another.env.DATA_DIR).sites)).toEqual([])
    expect(Math.max(...another.logged.map(({ length }) => length))).toBeLessThan(2_000)
    await another.close()
  })
})

describe('a project that the sweep found', () => {
  it('is reconciled by a job', async () => {
    const another = await createWorld()
    await another.host()
    await another.startWorkers()
    const { teamId } = await another.user()
    const { id } = await another.project({ teamId, state: 'pending' })
    await until(async () => {
      await sweep(another.ctx)
      return (await store.findForReconciler(another.ctx.db, id))?.state === 'ready'
    })
    expect((await store.findForReconciler(another.ctx.db, id))?.failure).toBeNull()
    await another.close()
  })

  it('is requeued until its site responds, without another sweep', async () => {
    const another = await createWorld()
    await another.host()
    const { engine } = another.ctx
    const { isHealthy } = engine
    let slow = true
    Object.assign(engine, { isHealthy: async (of: Instance) => !slow && (await isHealthy(of)) })
    await another.startWorkers()
    const { teamId } = await another.user()
    const { id } = await another.project({ teamId, state: 'pending' })
    await another.ctx.write((tx) => publishChange(tx, id))
    await sweep(another.ctx)
    await until(async () => {
      const { rows } = await another.ctx.db.execute(
        sql`select from pgboss.job where name = ${reconcileUnsettledJob} and state = 'completed'`,
      )
      return rows.length === 1
    })
    expect((await store.findForReconciler(another.ctx.db, id))?.state).toBe('creating')
    slow = false
    await until(async () => (await store.findForReconciler(another.ctx.db, id))?.state === 'ready')
    await another.close()
  })
})
