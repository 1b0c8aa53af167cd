import { minute } from '@slipway/contract/limits'
import {
  changeProjectDomain,
  createProject,
  deleteProject,
  type ProjectId,
  projectStates,
  renameProject,
  retryProject,
  viewProject,
} from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import { refusal } from '../../../testing/matchers.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import * as store from '../projects.store.ts'
import { nextStep, reconcile, runStep } from './reconciler.ts'

let world: World
let owner: TestUser
let ctx: Context

// The engine and the gateway run for real; no job is worked and no timer runs, so that each test alone
// decides when a reconciler is at work.
beforeAll(async () => {
  world = await createWorld()
  ctx = world.ctx
  await world.host()
  owner = await world.user()
})
afterAll(() => world.close())

const created = (more: object = {}) =>
  owner.call(createProject, {
    body: { name: 'Example site', teamId: owner.teamId, regionId: 'eu', domain: null, ...more },
  })

const row = async (id: ProjectId) => {
  const project = await store.findForReconciler(ctx.db, id)
  if (!project) throw new Error('the project is gone')
  return project
}

/** Takes that many steps, as a reconciler that is killed then; false when there is nothing left to do. */
async function killedAfter(steps: number, id: ProjectId) {
  for (let taken = 0; taken < steps; ) {
    const project = await row(id)
    const outcome = await runStep(ctx, project, nextStep(project, ctx.clock.now()))
    if (outcome === 'done') return false
    if (outcome === 'continue') taken++
  }
  return true
}

const processes = async (key: string) =>
  (await ctx.engine.list()).filter((instance) => instance.key === key && instance.running).length

describe('a new project', () => {
  it('becomes ready when its site answers', async () => {
    const { id, key, defaultUrl } = await created({ name: 'Hello <World>' })
    expect(await reconcile(ctx, id)).toBe('settled')
    const detail = await owner.call(viewProject, { params: { key } })
    expect(detail).toMatchObject({ state: 'ready', failure: null })
    expect(detail.metadata.map((entry) => entry.key)).toEqual([
      'cms_version',
      'database_version',
      'region',
      'engine',
    ])
    const page = await sitePage(world.env.SITES_PORT, new URL(defaultUrl).hostname)
    expect(page.status).toBe(200)
    expect(page.body).toContain('Hello &lt;World&gt;')
  })

  it('becomes ready, with one process, wherever its reconciler was killed', async () => {
    let steps = 0
    for (let more = true; more; steps++) {
      const { id, key } = await created()
      more = await killedAfter(steps, id)
      expect(await reconcile(ctx, id), `after ${steps} steps`).toBe('settled')
      expect((await row(id)).state).toBe('ready')
      expect(await processes(key)).toBe(1)
      await owner.call(deleteProject, { params: { id } })
      await reconcile(ctx, id)
    }
    // Killed after none, after take, apply and await, and once with nothing left to do.
    expect(steps).toBe(5)
  })

  it('is not built twice by two reconcilers at once', async () => {
    const other = await world.anotherApp()
    const { id, key } = await created()
    const outcomes = await Promise.all([
      reconcile(ctx, id),
      reconcile({ ...other.ctx, engine: ctx.engine }, id),
      reconcile(ctx, id),
    ])
    expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(2)
    expect(await processes(key)).toBe(1)
  })

  it('fails with a reason at its deadline, frees what it held, and can be retried', async () => {
    const { id, key } = await created()
    await killedAfter(2, id)
    world.clock.forward(5 * minute)
    await reconcile(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'failed_creating', failure: 'site_not_answering' })
    expect((await ctx.engine.list()).some((instance) => instance.key === key)).toBe(false)

    await owner.call(retryProject, { params: { id } })
    await reconcile(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
  })

  it('shows that the engine failed, and is ready once that works again', async () => {
    const { id } = await created()
    const broken = {
      ...ctx,
      engine: {
        ...ctx.engine,
        apply: () => Promise.reject(new Error('no room on the disk')),
      },
    }
    await expect(reconcile(broken, id)).rejects.toThrow('no room on the disk')
    expect(await row(id)).toMatchObject({ state: 'creating', failure: 'engine_failed' })
    await reconcile(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
  })
})

describe('a change while the site is made', () => {
  it('is not refused, and is there when the site is ready', async () => {
    const domain = 'early.example.com'
    for (const steps of [0, 1, 2]) {
      const { id } = await created()
      await killedAfter(steps, id)
      await owner.call(changeProjectDomain, { params: { id }, body: { domain } })
      await owner.call(renameProject, { params: { id }, body: { name: 'Changed early' } })
      await reconcile(ctx, id)
      expect((await row(id)).state, `after ${steps} steps`).toBe('ready')
      const page = await sitePage(world.env.SITES_PORT, domain)
      expect(page.body).toContain('Changed early')
      await owner.call(deleteProject, { params: { id } })
      await reconcile(ctx, id)
    }
  })

  it('between the reading of a row and its move is not lost', async () => {
    const { id } = await created()
    await killedAfter(2, id)
    const read = await row(id)
    await owner.call(changeProjectDomain, { params: { id }, body: { domain: 'late.example.com' } })
    await runStep(ctx, read, { do: 'probe' })
    expect((await row(id)).state).toBe('creating')
    await reconcile(ctx, id)
    expect((await row(id)).state).toBe('ready')
    expect((await sitePage(world.env.SITES_PORT, 'late.example.com')).status).toBe(200)
  })
})

describe('a change of domain', () => {
  it('is modifying until the gateway routes it, wherever its reconciler was killed', async () => {
    const { id } = await created()
    await reconcile(ctx, id)
    for (const [steps, domain] of ['a.example.org', 'b.example.org', 'c.example.org'].entries()) {
      const before = (await row(id)).domain
      const changed = await owner.call(changeProjectDomain, { params: { id }, body: { domain } })
      expect(changed.state).toBe('modifying')
      await killedAfter(steps, id)
      await reconcile(ctx, id)
      expect((await row(id)).state).toBe('ready')
      expect((await sitePage(world.env.SITES_PORT, domain)).status).toBe(200)
      if (before) expect((await sitePage(world.env.SITES_PORT, before)).status).toBe(404)
    }
  })

  it('that cannot be routed in time leaves the site ready and says why', async () => {
    const { id } = await created()
    await reconcile(ctx, id)
    const body = { domain: 'never.example.org' }
    await owner.call(changeProjectDomain, { params: { id }, body })
    const unrouted = { ...ctx, engine: { ...ctx.engine, answers: async () => false } }
    await killedAfter(1, id)
    const waiting = await row(id)
    expect(await runStep(unrouted, waiting, nextStep(waiting, ctx.clock.now()))).toBe('wait')
    world.clock.forward(5 * minute)
    await reconcile(unrouted, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: 'domain_not_routed' })
    await reconcile(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
  })
})

describe('a deletion', () => {
  it('ends the site and its data in every state, wherever its reconciler was killed', async () => {
    for (const before of [0, 1, 2, 3])
      for (const steps of [0, 1, 2]) {
        const { id, key, defaultUrl } = await created()
        await killedAfter(before, id)
        await owner.call(deleteProject, { params: { id } })
        await killedAfter(steps, id)
        await reconcile(ctx, id)
        expect((await row(id)).state).toBe('deleted')
        const host = new URL(defaultUrl).hostname
        await until(async () => (await sitePage(world.env.SITES_PORT, host)).status === 404)
        expect((await ctx.engine.list()).some((instance) => instance.key === key)).toBe(false)
        expect(await refusal(owner.call(deleteProject, { params: { id } }))).toBe('already_deleted')
      }
  })

  it('that fails for five minutes is done for the user, and what remains is removed afterwards', async () => {
    const { id, key } = await created()
    await reconcile(ctx, id)
    await owner.call(deleteProject, { params: { id } })
    const stuck = {
      ...ctx,
      engine: { ...ctx.engine, remove: () => Promise.reject(new Error('busy')) },
    }
    await expect(reconcile(stuck, id)).rejects.toThrow('busy')
    expect(await row(id)).toMatchObject({ state: 'deleting', failure: 'removal_failed' })
    world.clock.forward(5 * minute)
    await expect(reconcile(stuck, id)).rejects.toThrow('busy')
    expect(await row(id)).toMatchObject({ state: 'deleted', failure: 'removal_failed' })
    expect((await ctx.engine.list()).some((instance) => instance.key === key)).toBe(true)
    await reconcile(ctx, id)
    expect((await ctx.engine.list()).some((instance) => instance.key === key)).toBe(false)
  })
})

describe('the next step', () => {
  it('is there for every state, and ends every passing one at its deadline', async () => {
    const now = ctx.clock.now()
    const project = await row((await created()).id)
    const table = Object.fromEntries(
      projectStates.map((state) => {
        const at = { ...project, state, appliedGeneration: project.generation }
        return [
          state,
          {
            asked: nextStep({ ...at, appliedGeneration: 0 }, now).do,
            applied: nextStep(at, now).do,
            late: nextStep({ ...at, deadlineAt: now }, now).do,
          },
        ]
      }),
    )
    expect(table).toEqual({
      pending: { asked: 'start', applied: 'start', late: 'fail' },
      creating: { asked: 'apply', applied: 'probe', late: 'fail' },
      failed_creating: { asked: 'nothing', applied: 'cleanUp', late: 'cleanUp' },
      ready: { asked: 'apply', applied: 'nothing', late: 'nothing' },
      modifying: { asked: 'apply', applied: 'probe', late: 'keepRunning' },
      deleting: { asked: 'remove', applied: 'remove', late: 'markDeleted' },
      deleted: { asked: 'nothing', applied: 'cleanUp', late: 'cleanUp' },
    })
    const complaining = { ...project, state: 'ready', failure: 'domain_not_routed' } as const
    const applied = { ...complaining, appliedGeneration: project.generation }
    expect(nextStep(complaining, now).do).toBe('apply')
    expect(nextStep(applied, now).do).toBe('recheck')
  })
})
