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
// Each test has its own team and projects.
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

/** An unsettled project whose server died; the gateway has received its event. */
async function orphaned(more: Omit<Parameters<World['project']>[0], 'teamId'>) {
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

const instanceWith = async (key: string) =>
  (await ctx.engine.list()).find((instance) => instance.key === key)

/** Reconciles, as the jobs do, until the site responds. */
const healed = (id: ProjectId) => until(async () => (await reconcile(ctx, id)) === 'settled')

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
    for (const id of ids) await healed(id)
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
    const [gone, stopped] = [await ready(), await ready()]
    await ctx.engine.remove(gone.key)
    const engine = {
      ...ctx.engine,
      list: async () =>
        (await ctx.engine.list()).map((instance) =>
          instance.key === stopped.key ? { ...instance, running: false } : instance,
        ),
    }
    await sweep({ ...ctx, engine })
    expect(await takeQueued()).toEqual([gone.id, stopped.id])
    for (const { id, key } of [gone, stopped]) {
      await healed(id)
      expect((await instanceWith(key))?.running).toBe(true)
      expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
    }
    await sweep(ctx)
    expect(await takeQueued()).toEqual([])
  })

  it('does not restore a missing instance whose project is deleted before the job runs', async () => {
    const { id, key } = await ready()
    const engine = {
      ...ctx.engine,
      list: async () => (await ctx.engine.list()).filter((instance) => instance.key !== key),
      apply: () => Promise.reject(new Error('the instance was started again')),
    }
    await sweep({ ...ctx, engine })
    expect(await takeQueued()).toEqual([id])
    await owner.call(deleteProject, { params: { id } })
    expect(await reconcile({ ...ctx, engine }, id)).toBe('settled')
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
    await healed(id)
    expect((await row(id)).state).toBe('deleted')
    expect(await instanceWith(key)).toBeUndefined()
  })

  it('leaves a project that another reconciler has locked', async () => {
    const { id, key } = await ready()
    await ctx.engine.remove(key)
    await sweep(ctx)
    const outcome = await ctx.locks.exclusively(`project ${id}`, () => reconcile(ctx, id))
    expect(outcome).toBe('busy')
    expect(await instanceWith(key)).toBeUndefined()
    await healed(id)
    expect((await instanceWith(key))?.running).toBe(true)
  })

  it('removes what a deleted project left in the engine', async () => {
    const { id, key } = await ready()
    await ctx.db.execute(
      sql`update projects set state = 'deleted', applied_generation = 0 where id = ${id}`,
    )
    await sweep(ctx)
    expect(await takeQueued()).toEqual([id])
    await healed(id)
    expect(await instanceWith(key)).toBeUndefined()
    await sweep(ctx)
    expect(await takeQueued()).toEqual([])
  })

  it('ignores instances of unknown projects', async () => {
    const key = 'nobodys-bcdfgh'
    const signIn = { issuer: 'http://localhost', clientId: key, clientSecret: 'x' }
    const hosts = [`${key}.localhost`]
    await ctx.engine.apply({ key, name: 'x', regionId: 'eu', runtime: 'starter', hosts, signIn })
    await sweep(ctx)
    expect(await takeQueued()).toEqual([])
    expect((await instanceWith(key))?.running).toBe(true)
    await ctx.engine.remove(key)
  })

  it('still enqueues unsettled projects when the engine cannot be listed', async () => {
    const { id } = await orphaned({ state: 'pending' })
    const engine = {
      ...ctx.engine,
      list: () => Promise.reject(new Error('the engine does not respond')),
    }
    await sweep({ ...ctx, engine })
    expect(await takeQueued()).toEqual([id])
  })
})

describe('a project that the sweep found', () => {
  it('is reconciled by a job', async () => {
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

  it('is requeued until its site responds, without another sweep', async () => {
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
