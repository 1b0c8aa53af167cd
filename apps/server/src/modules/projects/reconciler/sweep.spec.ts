import { minute } from '@slipway/contract/limits'
import { createProject, deleteProject, type ProjectId } from '@slipway/contract/projects'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import type { Instance } from '../../../engines/hosting/engine.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { announce } from '../projects.service.ts'
import * as store from '../projects.store.ts'
import { reconcile } from './reconciler.ts'
import { healJob, sweep } from './sweep.ts'

let world: World
let owner: TestUser
let ctx: Context

// The engine and the gateway run for real; no job is worked and no timer runs.
beforeAll(async () => {
  world = await createWorld()
  ctx = world.ctx
  await world.host()
})
afterAll(() => world.close())
// Each test has a team, and so projects, of its own.
beforeEach(async () => {
  owner = await world.user()
})

/** The owner's projects that the sweep made jobs for; the jobs are then forgotten. */
async function handedOn() {
  const { rows } = await ctx.db.execute<{ id: ProjectId; teamId: string }>(sql`
    with taken as (delete from pgboss.job where name = ${healJob} returning data->>'projectId' as id)
    select projects.id from taken join projects on projects.id = taken.id::uuid
    where team_id = ${owner.teamId} order by projects.id`)
  return rows.map(({ id }) => id)
}

/** A project that a server left behind in the middle of its work, and that the gateway has heard of. */
async function leftBehind(more: Omit<Parameters<World['project']>[0], 'teamId'>) {
  const deadlineAt = new Date(ctx.clock.now().getTime() + 5 * minute)
  const project = await world.project({ teamId: owner.teamId, deadlineAt, ...more })
  await ctx.write((tx) => announce(tx, project.id))
  return project
}

async function ready() {
  const { id, key } = await owner.call(createProject, {
    body: { name: 'Example site', teamId: owner.teamId, regionId: 'eu', domain: null },
  })
  expect(await reconcile(ctx, id)).toBe('settled')
  return { id, key }
}

const row = async (id: ProjectId) => {
  const project = await store.findForReconciler(ctx.db, id)
  if (!project) throw new Error('the project is gone')
  return project
}

const held = async (key: string) =>
  (await ctx.engine.list()).find((instance) => instance.key === key)

/** As the reconciler does it, asking until the site answers. */
const healed = (id: ProjectId) => until(async () => (await reconcile(ctx, id)) === 'settled')

describe('the sweep', () => {
  it('finds nothing to do for projects that are what was asked for', async () => {
    await ready()
    await world.project({
      teamId: owner.teamId,
      state: 'failed_creating',
      failure: 'engine_failed',
    })
    await world.project({ teamId: owner.teamId, state: 'deleted', appliedGeneration: 0 })
    await sweep(ctx)
    expect(await handedOn()).toEqual([])
  })

  it('finds every project that its server left behind, and each is settled', async () => {
    const left = [
      await leftBehind({ state: 'pending' }),
      await leftBehind({ state: 'creating' }),
      await leftBehind({ state: 'modifying' }),
      await leftBehind({ state: 'ready', appliedGeneration: 0, deadlineAt: null }),
      await leftBehind({ state: 'deleting' }),
      await leftBehind({ state: 'failed_creating', appliedGeneration: 1, deadlineAt: null }),
    ]
    await sweep(ctx)
    const ids = left.map(({ id }) => id)
    expect(await handedOn()).toEqual(ids)
    for (const id of ids) await healed(id)
    const states = await Promise.all(left.map(async ({ id }) => (await row(id)).state))
    expect(states).toEqual(['ready', 'ready', 'ready', 'ready', 'deleted', 'failed_creating'])
    await sweep(ctx)
    expect(await handedOn()).toEqual([])
  })

  it('makes one job of a project, however often it comes by', async () => {
    const { id } = await leftBehind({ state: 'pending' })
    await Promise.all([sweep(ctx), sweep(ctx), sweep(ctx)])
    await sweep(ctx)
    expect(await handedOn()).toEqual([id])
  })

  it('restores what missing from the engine, and what does not run there', async () => {
    const [gone, stopped] = [await ready(), await ready()]
    await ctx.engine.remove(gone.key)
    const engine = {
      ...ctx.engine,
      list: async () =>
        (await ctx.engine.list()).map((one) =>
          one.key === stopped.key ? { ...one, running: false } : one,
        ),
    }
    await sweep({ ...ctx, engine })
    expect(await handedOn()).toEqual([gone.id, stopped.id])
    for (const { id, key } of [gone, stopped]) {
      await healed(id)
      expect((await held(key))?.running).toBe(true)
      expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
    }
    await sweep(ctx)
    expect(await handedOn()).toEqual([])
  })

  it('does not restore what was asked to be deleted after it was missed', async () => {
    const { id, key } = await ready()
    const engine = {
      ...ctx.engine,
      list: async () => (await ctx.engine.list()).filter((one) => one.key !== key),
      apply: () => Promise.reject(new Error('it was started again')),
    }
    await sweep({ ...ctx, engine })
    expect(await handedOn()).toEqual([id])
    await owner.call(deleteProject, { params: { id } })
    expect(await reconcile({ ...ctx, engine }, id)).toBe('settled')
    expect((await row(id)).state).toBe('deleted')
    expect(await held(key)).toBeUndefined()
  })

  it('does not miss what was asked to be deleted while it looked', async () => {
    const { id, key } = await ready()
    const engine = {
      ...ctx.engine,
      list: async () => {
        const list = await ctx.engine.list()
        await owner.call(deleteProject, { params: { id } })
        return list.filter((one) => one.key !== key)
      },
    }
    await sweep({ ...ctx, engine })
    expect((await row(id)).state).toBe('deleting')
    await healed(id)
    expect((await row(id)).state).toBe('deleted')
    expect(await held(key)).toBeUndefined()
  })

  it('leaves a project to whoever works on it', async () => {
    const { id, key } = await ready()
    await ctx.engine.remove(key)
    await sweep(ctx)
    const outcome = await ctx.locks.exclusively(`project ${id}`, () => reconcile(ctx, id))
    expect(outcome).toBe('busy')
    expect(await held(key)).toBeUndefined()
    await healed(id)
    expect((await held(key))?.running).toBe(true)
  })

  it('removes the remains of a deleted project', async () => {
    const { id, key } = await ready()
    await ctx.db.execute(
      sql`update projects set state = 'deleted', applied_generation = 0 where id = ${id}`,
    )
    await sweep(ctx)
    expect(await handedOn()).toEqual([id])
    await healed(id)
    expect(await held(key)).toBeUndefined()
    await sweep(ctx)
    expect(await handedOn()).toEqual([])
  })

  it('leaves alone what no project of this database knows', async () => {
    const key = 'nobodys-bcdfgh'
    const signIn = { issuer: 'http://localhost', clientId: key, clientSecret: 'x' }
    await ctx.engine.apply({ key, name: 'x', regionId: 'eu', hosts: [`${key}.localhost`], signIn })
    await sweep(ctx)
    expect(await handedOn()).toEqual([])
    expect((await held(key))?.running).toBe(true)
    await ctx.engine.remove(key)
  })

  it('still hands on what is left behind when the engine cannot be listed', async () => {
    const { id } = await leftBehind({ state: 'pending' })
    const engine = { ...ctx.engine, list: () => Promise.reject(new Error('no answer')) }
    await sweep({ ...ctx, engine })
    expect(await handedOn()).toEqual([id])
  })
})

describe('what the sweep hands on', () => {
  it('is worked by a job', async () => {
    const another = await createWorld()
    await another.host()
    await another.work()
    const { teamId } = await another.user()
    const { id } = await another.project({ teamId, state: 'pending' })
    await until(async () => {
      await sweep(another.ctx)
      return (await store.findForReconciler(another.ctx.db, id))?.state === 'ready'
    })
    expect((await store.findForReconciler(another.ctx.db, id))?.failure).toBeNull()
    await another.close()
  })

  it('is asked on until its site answers, though no sweep comes by again', async () => {
    const another = await createWorld()
    await another.host()
    const { engine } = another.ctx
    const { answers } = engine
    let slow = true
    Object.assign(engine, { answers: async (of: Instance) => !slow && (await answers(of)) })
    await another.work()
    const { teamId } = await another.user()
    const { id } = await another.project({ teamId, state: 'pending' })
    await another.ctx.write((tx) => announce(tx, id))
    await sweep(another.ctx)
    await until(async () => {
      const { rows } = await another.ctx.db.execute(
        sql`select from pgboss.job where name = ${healJob} and state = 'completed'`,
      )
      return rows.length === 1
    })
    expect((await store.findForReconciler(another.ctx.db, id))?.state).toBe('creating')
    slow = false
    await until(async () => (await store.findForReconciler(another.ctx.db, id))?.state === 'ready')
    await another.close()
  })
})
