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
import type { HostingEngine, Report } from '../../../engines/hosting/engine.ts'
import { type Announcements, hearAnnouncements } from '../../../testing/announcements.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import * as store from '../projects.store.ts'
import { nextStep, reconcile, runStep } from '../reconciler/reconciler.ts'
import { newAttempt, withAllDone, withFailure, withStepStarted } from './creation.policy.ts'

let world: World
let owner: TestUser
let heard: Announcements

beforeAll(async () => {
  world = await createWorld({ PROJECT_LIMIT: 100 })
  owner = await world.user()
  heard = await hearAnnouncements(world.database.options)
})
afterAll(async () => {
  await heard.close()
  await world.close()
})

/** A server whose engine works when it is told to, and takes as long as the test says. */
function engineThat(changes: Partial<HostingEngine> = {}): Context {
  const nothing = async () => undefined
  const apply = async (_: unknown, report?: Report) => {
    report?.('prepare')
    world.clock.forward(200)
    report?.('start')
    world.clock.forward(30)
  }
  const metadata = async () => []
  const answers = async () => true
  return {
    ...world.ctx,
    engine: { ...world.ctx.engine, apply, remove: nothing, metadata, answers, ...changes },
  }
}

const created = () =>
  owner.call(createProject, {
    body: { name: 'Example site', teamId: owner.teamId, regionId: 'eu', domain: null },
  })

const progressOf = async (key: string) => {
  const { progress } = await owner.call(viewProject, { params: { key } })
  if (!progress) throw new Error('nothing was noted')
  return progress
}

const statesOf = async (key: string) => (await progressOf(key)).steps.map(({ state }) => state)

/** How long each step took, in milliseconds. */
const lengthsOf = async (key: string) =>
  (await progressOf(key)).steps.map(({ startedAt, finishedAt }) =>
    startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : null,
  )

async function row(id: ProjectId) {
  const project = await store.findForReconciler(world.ctx.db, id)
  if (!project) throw new Error('the project is gone')
  return project
}

/** Takes one step, as a reconciler that is killed then. */
async function step(ctx: Context, id: ProjectId) {
  const project = await row(id)
  return runStep(ctx, project, nextStep(project, ctx.clock.now()))
}

describe('a creation', () => {
  it('waits for its turn first, with every step that is to come', async () => {
    const { key } = await created()
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

  it('notes each step and how long it took', async () => {
    const ctx = engineThat()
    const { id, key } = await created()
    world.clock.forward(40)
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'running', 'waiting', 'waiting'])
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'running'])
    world.clock.forward(100)
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'done'])
    expect(await lengthsOf(key)).toEqual([40, 200, 30, 100])
  })

  it('is announced once for each step, and not for what is done once more', async () => {
    const ctx = engineThat()
    await heard.take()
    const { id, key } = await created()
    await reconcile(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'done'])
    // Stored, taken, started, waiting for the answer, ready.
    expect(await heard.take()).toHaveLength(5)
  })

  it('shows what the engine is at while it is still at it', async () => {
    let reachedStart = () => {}
    let goOn = () => {}
    const starting = new Promise<void>((resolve) => {
      reachedStart = resolve
    })
    const told = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const apply: HostingEngine['apply'] = async (_, report) => {
      report?.('start')
      reachedStart()
      await told
    }
    const { id, key } = await created()
    const settled = reconcile(engineThat({ apply }), id)
    await starting
    // Written beside the engine's work, which does not wait for it.
    for (;;) if ((await statesOf(key))[2] === 'running') break
    goOn()
    await settled
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('that is killed in a step and taken up again goes on in that step', async () => {
    const ctx = engineThat()
    const { id, key } = await created()
    await step(ctx, id)
    const killed = engineThat({
      async apply(_, report) {
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
    // The minute, and what was done once more.
    expect((await lengthsOf(key))[2]).toBe(minute + 230)
  })

  it('whose wish changes on the way goes on where it was', async () => {
    const ctx = engineThat()
    const { id, key } = await created()
    await step(ctx, id)
    await step(ctx, id)
    const body = { domain: 'late.example.com' }
    await owner.call(changeProjectDomain, { params: { id }, body })
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'running'])
  })

  it('fails in the step that it was at, with the reason', async () => {
    const ctx = engineThat({ answers: async () => false })
    const { id, key } = await created()
    await step(ctx, id)
    await step(ctx, id)
    world.clock.forward(5 * minute)
    await step(ctx, id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'failed'])
    expect((await progressOf(key)).steps.at(-1)?.failure).toBe('site_not_answering')
  })

  it('that nobody takes in time fails while it waits', async () => {
    const { id, key } = await created()
    world.clock.forward(5 * minute)
    await step(engineThat(), id)
    expect(await statesOf(key)).toEqual(['failed', 'waiting', 'waiting', 'waiting'])
  })

  it('is another attempt with each retry, and keeps count', async () => {
    const ctx = engineThat()
    const { id, key } = await created()
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

  it('of an engine that reports nothing has all of its steps done in the end', async () => {
    const { id, key } = await created()
    await reconcile(engineThat({ apply: async () => undefined }), id)
    expect(await statesOf(key)).toEqual(['done', 'done', 'done', 'done'])
  })

  it('of before it was noted shows nothing, and is ready all the same', async () => {
    const { id, key } = await world.project({ teamId: owner.teamId, state: 'creating' })
    await reconcile(engineThat(), id)
    const detail = await owner.call(viewProject, { params: { key } })
    expect(detail).toMatchObject({ state: 'ready', progress: null })
  })
})

describe('the times of a creation', () => {
  const start = new Date('2026-11-02T09:00:00.000Z')
  const at = (milliseconds: number) => new Date(start.getTime() + milliseconds)
  const begun = newAttempt(undefined, ['prepare', 'start'], start)

  it('never run backwards, whichever server’s clock is an hour behind', () => {
    const prepared = withStepStarted(begun, 'prepare', at(hour))
    const ended = prepared && withAllDone(prepared, at(5))
    const times = ended?.steps.flatMap(({ startedAt, finishedAt }) => [startedAt, finishedAt])
    expect(times).toEqual([...(times ?? [])].sort())
    const late = at(hour).toISOString()
    expect(times).toEqual([start.toISOString(), late, late, late, late, late, late, late])
  })

  it('stay as they are once it has failed or is done', () => {
    expect(
      withStepStarted(withFailure(begun, 'engine_failed', at(5)), 'start', at(9)),
    ).toBeUndefined()
    expect(withStepStarted(withAllDone(begun, at(5)), 'answer', at(9))).toBeUndefined()
    expect(withStepStarted(begun, 'queued', at(5))).toBeUndefined()
  })
})
