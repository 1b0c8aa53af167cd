import { hour, minute } from '@slipway/contract/limits'
import {
  changeProjectDomain,
  createProject,
  type ProjectId,
  projectSteps,
  retryProject,
  viewProject,
} from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import type { Fleet } from '../../../engines/hosting/fleet/fleet.ts'
import { type EventRecorder, recordEvents } from '../../../testing/event-recorder.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import * as store from '../projects.store.ts'
import { nextStep, reconcile, runStep } from '../reconciler/reconciler.ts'
import { newAttempt, withAllDone, withFailure, withStepStarted } from './creation.policy.ts'

let world: World
let owner: TestUser
let events: EventRecorder

beforeAll(async () => {
  world = await createWorld({ PROJECT_LIMIT: 100 })
  owner = await world.user()
  events = await recordEvents(world.database.options)
})
afterAll(async () => {
  await events.close()
  await world.close()
})

/** A server with a fake engine: applying takes 230 ms of the test's clock. */
function withEngine(changes: Partial<Fleet> = {}): Context {
  const remove = async () => undefined
  const apply: Fleet['apply'] = async (_, { report }) => {
    report?.('prepare')
    world.clock.forward(200)
    report?.('start')
    world.clock.forward(30)
  }
  const metadata = async () => []
  const isHealthy = async () => true
  return {
    ...world.ctx,
    engine: { ...world.ctx.engine, apply, remove, metadata, isHealthy, ...changes },
  }
}

const newProject = () =>
  owner.call(createProject, {
    body: { name: 'Example site', teamId: owner.teamId, regionId: 'eu', domain: null },
  })

const progressOf = async (key: string) => {
  const { progress } = await owner.call(viewProject, { params: { key } })
  if (!progress) throw new Error('the project has no progress')
  return progress
}

const statesOf = async (key: string) => (await progressOf(key)).steps.map(({ state }) => state)

/** The duration of each step, in milliseconds. */
const durationsOf = async (key: string) =>
  (await progressOf(key)).steps.map(({ startedAt, finishedAt }) =>
    startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : null,
  )

async function row(id: ProjectId) {
  const project = await store.findForReconciler(world.ctx.db, id)
  if (!project) throw new Error('the project is gone')
  return project
}

/** Runs a single step, like a reconciler that is killed after it. */
async function step(ctx: Context, id: ProjectId) {
  const project = await row(id)
  return runStep(ctx, project, nextStep(project, ctx.clock.now()))
}

describe('a creation', () => {
  it('is queued at first and lists every later step', async () => {
    const { key } = await newProject()
    const { attempt, steps, asOf } = await progressOf(key)
    expect(attempt).toBe(1)
    expect(asOf).toBe(world.clock.now().toISOString())
    expect(steps.map((each) => each.step)).toEqual([...projectSteps])
    expect(steps[0]).toEqual({
      step: 'queued',
      state: 'running',
      startedAt: asOf,
      finishedAt: null,
      failure: null,
    })
    expect(await statesOf(key)).toEqual(['running', 'waiting', 'waiting', 'waiting'])
  })

  it('records each step and its duration', async () => {
    const ctx = withEngine()
    const { id, key } = await newProject()
    world.clock.forward(40)
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'running', 'waiting', 'waiting'])
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'running'])
    world.clock.forward(100)
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'done'])
    expect(await durationsOf(key)).toEqual([40, 200, 30, 100])
  })

  it('publishes one event per step, and none for a repeated step', async () => {
    const ctx = withEngine()
    await events.take()
    const { id, key } = await newProject()
    await reconcile(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'done'])
    // Created, preparing, starting, waiting for the site, ready.
    expect(await events.take()).toHaveLength(5)
  })

  it("shows the engine's current step while the engine is running", async () => {
    let reachedStart = () => {}
    let finishApply = () => {}
    const starting = new Promise<void>((resolve) => {
      reachedStart = resolve
    })
    const released = new Promise<void>((resolve) => {
      finishApply = resolve
    })
    const apply: Fleet['apply'] = async (_, { report }) => {
      report?.('start')
      reachedStart()
      await released
    }
    const { id, key } = await newProject()
    const settled = reconcile(withEngine({ apply }), id)
    await starting
    // Progress is written asynchronously while the engine works, so poll for the state.
    for (;;) if ((await statesOf(key))[2] === 'running') break
    finishApply()
    await settled
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('continues in the step in which its server was killed', async () => {
    const ctx = withEngine()
    const { id, key } = await newProject()
    await step(ctx, id)
    const killed = withEngine({
      async apply(_, { report }) {
        report?.('prepare')
        world.clock.forward(500)
        report?.('start')
        throw new Error('killed')
      },
    })
    await expect(step(killed, id)).rejects.toThrow('killed')
    const before = await progressOf(key)
    expect(await statesOf(key)).toEqual(['done', 'done', 'running', 'waiting'])
    world.clock.forward(minute)
    await reconcile(ctx, id)
    const after = await progressOf(key)
    expect(after.attempt).toBe(1)
    expect(after.steps[1]).toEqual(before.steps[1])
    expect(after.steps[2]?.startedAt).toEqual(before.steps[2]?.startedAt)
    // The minute by which the clock moved, and the repeated work.
    expect((await durationsOf(key))[2]).toBe(minute + 230)
  })

  it('continues at its step when the desired state changes', async () => {
    const ctx = withEngine()
    const { id, key } = await newProject()
    await step(ctx, id)
    await step(ctx, id)
    const body = { domain: 'late.example.com' }
    await owner.call(changeProjectDomain, { params: { id }, body })
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'running'])
  })

  it('fails in its current step, with the reason', async () => {
    const ctx = withEngine({ isHealthy: async () => false })
    const { id, key } = await newProject()
    await step(ctx, id)
    await step(ctx, id)
    world.clock.forward(5 * minute)
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'failed'])
    expect((await progressOf(key)).steps.at(-1)?.failure).toBe('site_not_answering')
  })

  it('fails in the queue when no worker starts it before the deadline', async () => {
    const { id, key } = await newProject()
    world.clock.forward(5 * minute)
    await step(withEngine(), id)
    expect(await statesOf(key)).toEqual(['failed', 'waiting', 'waiting', 'waiting'])
  })

  it('counts each retry as another attempt', async () => {
    const ctx = withEngine()
    const { id, key } = await newProject()
    for (const attempt of [2, 3]) {
      world.clock.forward(5 * minute)
      await step(ctx, id)
      await owner.call(retryProject, { params: { id } })
      expect((await progressOf(key)).attempt).toBe(attempt)
      expect(await statesOf(key)).toEqual(['running', 'waiting', 'waiting', 'waiting'])
    }
    await reconcile(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('ends with every step done when the engine reports no progress', async () => {
    const { id, key } = await newProject()
    await reconcile(withEngine({ apply: async () => undefined }), id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('completes without progress for an older project that has no progress record', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId, state: 'creating' })
    await reconcile(withEngine(), id)
    const detail = await owner.call(viewProject, { params: { key } })
    expect(detail).toMatchObject({ state: 'ready', progress: null })
  })
})

describe('the times of a creation attempt', () => {
  const start = new Date('2026-11-02T09:00:00.000Z')
  const after = (milliseconds: number) => new Date(start.getTime() + milliseconds)
  const attempt = newAttempt(undefined, ['prepare', 'start'], start)

  it('never decrease, even when one server’s clock is an hour behind', () => {
    const prepared = withStepStarted(attempt, 'prepare', after(hour))
    const ended = prepared && withAllDone(prepared, after(5))
    const times = ended?.steps.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt])
    expect(times).toEqual([...(times ?? [])].sort())
    const late = after(hour).toISOString()
    expect(times).toEqual([start.toISOString(), late, late, late, late, late, late, late])
  })

  it('do not change after a failure or the last step', () => {
    expect(
      withStepStarted(withFailure(attempt, 'engine_failed', after(5)), 'start', after(9)),
    ).toBeUndefined()
    expect(withStepStarted(withAllDone(attempt, after(5)), 'answer', after(9))).toBeUndefined()
    expect(withStepStarted(attempt, 'queued', after(5))).toBeUndefined()
  })
})
