import { listProjectActivity } from '@slipway/contract/activity'
import { minute, second } from '@slipway/contract/limits'
import {
  changeProjectDomain,
  createProject,
  deleteProject,
  type ProjectFailure,
  type ProjectId,
  projectStates,
  renameProject,
  retryProject,
  viewProject,
} from '@slipway/contract/projects'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Context } from '../../../context.ts'
import {
  CapacityError,
  ClusterUnreachableError,
  DiskFullError,
  type Instance,
  type Metadata,
  QuotaError,
  RejectedError,
  UnhealthyError,
} from '../../../engines/hosting/engine.ts'
import { errorCodeOf } from '../../../testing/matchers.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { pollOptions, until } from '../../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import * as store from '../projects.store.ts'
import { settle } from './reconciler.fixture.ts'
import { nextStep, runStep } from './reconciler.ts'

let world: World
let owner: TestUser
let ctx: Context

// The engine and the gateway are real. Jobs and timers do not run: each test runs the reconciler.
beforeAll(async () => {
  world = await createWorld()
  ctx = world.ctx
  await world.host()
})
// A user may own few projects at a time.
beforeEach(async () => {
  owner = await world.user()
})
afterAll(() => world.close())

const newProject = (overrides: object = {}) =>
  owner.call(createProject, {
    body: {
      name: 'Example site',
      teamId: owner.teamId,
      regionId: 'eu',
      domain: null,
      ...overrides,
    },
  })

const row = async (id: ProjectId) => {
  const project = await store.findForReconciler(ctx.db, id)
  if (!project) throw new Error('the project is gone')
  return project
}

/** Runs this many steps, as a reconciler that is killed then; false when no step is left. */
async function killedAfter(steps: number, id: ProjectId) {
  for (let done = 0; done < steps; ) {
    const project = await row(id)
    const outcome = await runStep(ctx, project, nextStep(project, ctx.clock.now()))
    if (outcome === 'done') return false
    if (outcome === 'continue') done++
  }
  return true
}

const processes = async (key: string) =>
  (await ctx.engine.list()).filter((instance) => instance.key === key && instance.running).length

describe('a new project', () => {
  it('becomes ready once its site responds', async () => {
    const { id, key, defaultUrl } = await newProject({ name: 'Hello <World>' })
    expect(await settle(ctx, id)).toBe('settled')
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

  it.each([
    ['went live', 'starter', null],
    ['waits for its first release', 'static', 'empty'],
  ] as const)('says in its activity that it %s as a %s site', async (_what, runtime, after) => {
    const { id } = await newProject({ runtime })
    await settle(ctx, id)
    const { items } = await owner.call(listProjectActivity, { params: { id }, query: {} })
    expect(items[0]).toMatchObject({ kind: 'project_ready', after })
  })

  it('shows new versions after a change, and the old ones while the engine cannot read them', async () => {
    const { id, key } = await newProject()
    await settle(ctx, id)
    const versions = async (metadata: Metadata | null) => {
      await owner.call(renameProject, { params: { id }, body: { name: `Site ${metadata}` } })
      await settle({ ...ctx, engine: { ...ctx.engine, metadata: async () => metadata } }, id)
      const detail = await owner.call(viewProject, { params: { key } })
      return detail.metadata.filter((entry) => entry.key.endsWith('version'))
    }
    const expected = [{ key: 'runtime_version', value: 'Node 99.0.0' }]
    expect(await versions(expected)).toEqual(expected)
    expect(await versions(null)).toEqual(expected)
    expect(await versions([])).toEqual([])
  })

  it('becomes ready with one process, after any step at which its reconciler was killed', async () => {
    let steps = 0
    for (let more = true; more; steps++) {
      const { id, key } = await newProject()
      more = await killedAfter(steps, id)
      expect(await settle(ctx, id), `after ${steps} steps`).toBe('settled')
      expect((await row(id)).state).toBe('ready')
      expect(await processes(key)).toBe(1)
      await owner.call(deleteProject, { params: { id } })
      await settle(ctx, id)
    }
    // Killed after no step, after start, apply and probe, and once with no step left.
    expect(steps).toBe(5)
  })

  it('is created once when several reconcilers run at once', async () => {
    const otherApp = await world.anotherApp()
    const { id, key } = await newProject()
    const outcomes = await Promise.all([
      settle(ctx, id),
      settle({ ...otherApp.ctx, engine: ctx.engine }, id),
      settle(ctx, id),
    ])
    expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(2)
    expect(await processes(key)).toBe(1)
  })

  it('fails with a reason at its deadline, leaves nothing in the engine, and can be retried', async () => {
    const { id, key } = await newProject()
    await killedAfter(2, id)
    world.clock.forward(5 * minute)
    await settle(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'failed_creating', failure: 'site_not_answering' })
    expect((await ctx.engine.list()).some((instance) => instance.key === key)).toBe(false)

    await owner.call(retryProject, { params: { id } })
    await settle(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
  })

  it('fails at its deadline with the problem that the engine knows', async () => {
    const { id } = await newProject()
    const engine = {
      ...ctx.engine,
      isHealthy: async () => false,
      problemOf: () => 'out_of_memory' as const,
    }
    await killedAfter(2, id)
    world.clock.forward(5 * minute)
    await settle({ ...ctx, engine }, id)
    expect(await row(id)).toMatchObject({ state: 'failed_creating', failure: 'out_of_memory' })
  })

  it('shows why it does not start as soon as the engine knows, and until that is over', async () => {
    const { id } = await newProject()
    await killedAfter(2, id)
    const probe = async (problem: ProjectFailure | null) => {
      const engine = { ...ctx.engine, isHealthy: async () => false, problemOf: () => problem }
      const project = await row(id)
      expect(await runStep({ ...ctx, engine }, project, { do: 'probe' })).toBe('wait')
      return row(id)
    }
    expect(await probe('image_not_pulled')).toMatchObject({
      state: 'creating',
      failure: 'image_not_pulled',
    })
    const { updatedAt } = await row(id)
    world.clock.forward(second)
    expect((await probe('image_not_pulled')).updatedAt).toEqual(updatedAt)
    // The sweep shows crashes.
    expect((await probe('program_crashes')).failure).toBeNull()
    expect((await probe('no_capacity')).failure).toBe('no_capacity')
    expect((await probe(null)).failure).toBeNull()
    await settle(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
  })

  it('shows an engine failure, and becomes ready once the engine works', async () => {
    const { id } = await newProject()
    const broken = {
      ...ctx,
      engine: {
        ...ctx.engine,
        apply: () => Promise.reject(new Error('no room on the disk')),
      },
    }
    await expect(settle(broken, id)).rejects.toThrow('no room on the disk')
    expect(await row(id)).toMatchObject({ state: 'creating', failure: 'engine_failed' })
    await settle(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
  })

  it.each([
    [new UnhealthyError({ failure: 'unhealthy', detail: '503' }), 'change_unhealthy'],
    [new DiskFullError('full'), 'disk_full'],
    [new ClusterUnreachableError('down'), 'cluster_unreachable'],
    [new CapacityError('full'), 'no_capacity'],
    [new QuotaError('exceeded quota'), 'quota_exceeded'],
    [new RejectedError('invalid value'), 'configuration_rejected'],
  ] as const)('waits for the next sweep after %s, and says why', async (error, failure) => {
    const { id } = await newProject()
    const broken = { ...ctx, engine: { ...ctx.engine, apply: () => Promise.reject(error) } }
    await expect(settle(broken, id)).resolves.toBe('settled')
    expect(await row(id)).toMatchObject({ failure })
    await settle(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
  })
})

describe('a project that its cluster rejects', () => {
  it.each([QuotaError, RejectedError])(
    'shows users none of the words of the cluster, which the log has: %o',
    async (Rejection) => {
      const { id, key } = await newProject()
      const logged = vi.spyOn(ctx.log, 'error')
      onTestFinished(() => logged.mockRestore())
      const apply = () => Promise.reject(new Rejection('secrets "a" is forbidden'))
      const rejecting = { ...ctx, engine: { ...ctx.engine, apply } }
      await settle(rejecting, id)
      await settle(rejecting, id)
      const shown = await owner.call(viewProject, { params: { key } })
      expect(JSON.stringify(shown)).not.toContain('forbidden')
      // Once, although it is retried.
      const err = expect.objectContaining({ message: 'secrets "a" is forbidden' })
      expect(logged.mock.calls).toEqual([[{ key, err }, expect.any(String)]])
    },
  )

  it('is logged for operators, too, when only its pods are rejected', async () => {
    const { id, key } = await newProject()
    const logged = vi.spyOn(ctx.log, 'error')
    onTestFinished(() => logged.mockRestore())
    const problemOf = () => 'configuration_rejected' as const
    const engine = { ...ctx.engine, isHealthy: async () => false, problemOf }
    await killedAfter(2, id)
    const waiting = await row(id)
    expect(await runStep({ ...ctx, engine }, waiting, { do: 'probe' })).toBe('wait')
    expect(await runStep({ ...ctx, engine }, await row(id), { do: 'probe' })).toBe('wait')
    const message = 'the cluster rejects the configuration of a site'
    expect(logged.mock.calls).toEqual([[{ key, err: undefined }, message]])
  })
})

describe('a project whose cluster does not respond', () => {
  const down = () => Promise.reject(new ClusterUnreachableError('down'))
  const withoutCluster = (): Context => ({
    ...ctx,
    engine: { ...ctx.engine, apply: down, remove: down },
  })

  it('fails its creation at the deadline, and is created once the cluster responds', async () => {
    const { id, key } = await newProject()
    await settle(withoutCluster(), id)
    world.clock.forward(6 * minute)
    await settle(withoutCluster(), id)
    expect(await row(id)).toMatchObject({
      state: 'failed_creating',
      failure: 'cluster_unreachable',
    })
    await settle(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: null })
    const { progress } = await owner.call(viewProject, { params: { key } })
    expect(progress?.attempt).toBe(2)
  })

  it('is deleted once the cluster responds, with its instance', async () => {
    const { id, key } = await newProject()
    await settle(ctx, id)
    await owner.call(deleteProject, { params: { id } })
    await settle(withoutCluster(), id)
    expect(await row(id)).toMatchObject({ state: 'deleting', failure: 'cluster_unreachable' })
    await settle(ctx, id)
    expect(await row(id)).toMatchObject({ state: 'deleted', failure: null })
    expect(await processes(key)).toBe(0)
  })
})

describe('a change during creation', () => {
  it('is accepted, and applied when the project is ready', async () => {
    const domain = 'early.example.com'
    for (const steps of [0, 1, 2]) {
      const { id } = await newProject()
      await killedAfter(steps, id)
      await owner.call(changeProjectDomain, { params: { id }, body: { domain } })
      await owner.call(renameProject, { params: { id }, body: { name: 'Changed early' } })
      await settle(ctx, id)
      expect((await row(id)).state, `after ${steps} steps`).toBe('ready')
      const page = await sitePage(world.env.SITES_PORT, domain)
      expect(page.body).toContain('Changed early')
      await owner.call(deleteProject, { params: { id } })
      await settle(ctx, id)
    }
  })

  it("is not lost when it arrives between the reconciler's read and its write", async () => {
    const { id } = await newProject()
    await killedAfter(2, id)
    const staleRow = await row(id)
    await owner.call(changeProjectDomain, { params: { id }, body: { domain: 'late.example.com' } })
    await runStep(ctx, staleRow, { do: 'probe' })
    expect((await row(id)).state).toBe('creating')
    await settle(ctx, id)
    expect((await row(id)).state).toBe('ready')
    expect((await sitePage(world.env.SITES_PORT, 'late.example.com')).status).toBe(200)
  })
})

describe('a change of domain', () => {
  it('is modifying until the gateway routes it, after any step at which its reconciler was killed', async () => {
    const { id } = await newProject()
    await settle(ctx, id)
    for (const [steps, domain] of ['a.example.org', 'b.example.org', 'c.example.org'].entries()) {
      const before = (await row(id)).domain
      const changed = await owner.call(changeProjectDomain, { params: { id }, body: { domain } })
      expect(changed.state).toBe('modifying')
      await killedAfter(steps, id)
      await settle(ctx, id)
      expect((await row(id)).state).toBe('ready')
      expect((await sitePage(world.env.SITES_PORT, domain)).status).toBe(200)
      if (before) expect((await sitePage(world.env.SITES_PORT, before)).status).toBe(404)
    }
  })

  it('leaves the project ready with a failure when it is not routed before the deadline', async () => {
    const { id } = await newProject()
    await settle(ctx, id)
    const body = { domain: 'never.example.org' }
    await owner.call(changeProjectDomain, { params: { id }, body })
    const isHealthy = async ({ hosts }: Instance) => !hosts.includes(body.domain)
    const unrouted = { ...ctx, engine: { ...ctx.engine, isHealthy } }
    await killedAfter(1, id)
    const waiting = await row(id)
    expect(await runStep(unrouted, waiting, nextStep(waiting, ctx.clock.now()))).toBe('wait')
    world.clock.forward(5 * minute)
    await settle(unrouted, id)
    expect(await row(id)).toMatchObject({ state: 'ready', failure: 'domain_not_routed' })
    // The gateway learns of the domain by a notification, as it may between two sweeps.
    const failureAfterSweep = async () => {
      await settle(ctx, id)
      return (await row(id)).failure
    }
    await expect.poll(failureAfterSweep, pollOptions).toBeNull()
    expect(await row(id)).toMatchObject({ state: 'ready' })
  })
})

describe('a deletion', () => {
  it('removes the site and its data in every state, after any step at which its reconciler was killed', async () => {
    for (const before of [0, 1, 2, 3])
      for (const steps of [0, 1, 2]) {
        const { id, key, defaultUrl } = await newProject()
        await killedAfter(before, id)
        await owner.call(deleteProject, { params: { id } })
        await killedAfter(steps, id)
        await settle(ctx, id)
        expect((await row(id)).state).toBe('deleted')
        const host = new URL(defaultUrl).hostname
        await until(async () => (await sitePage(world.env.SITES_PORT, host)).status === 404)
        expect((await ctx.engine.list()).some((instance) => instance.key === key)).toBe(false)
        expect(await errorCodeOf(owner.call(deleteProject, { params: { id } }))).toBe(
          'already_deleted',
        )
      }
  })

  it('is shown as deleted after failing for five minutes, and cleans up the instance later', async () => {
    const { id, key } = await newProject()
    await settle(ctx, id)
    ctx.logs.add(key, 'site', { time: Date.now(), text: 'up' })
    await ctx.logs.flush()
    await owner.call(deleteProject, { params: { id } })
    const stuck = {
      ...ctx,
      engine: { ...ctx.engine, remove: () => Promise.reject(new Error('busy')) },
    }
    await expect(settle(stuck, id)).rejects.toThrow('busy')
    expect(await row(id)).toMatchObject({ state: 'deleting', failure: 'removal_failed' })
    world.clock.forward(5 * minute)
    await expect(settle(stuck, id)).rejects.toThrow('busy')
    expect(await row(id)).toMatchObject({ state: 'deleted', failure: 'removal_failed' })
    expect((await ctx.engine.list()).some((instance) => instance.key === key)).toBe(true)
    expect(await ctx.logs.projects()).toContain(key)
    await settle(ctx, id)
    expect((await ctx.engine.list()).some((instance) => instance.key === key)).toBe(false)
    expect(await ctx.logs.projects()).not.toContain(key)
  })
})

describe('nextStep', () => {
  it('exists for every state, and ends every transitional state at its deadline', async () => {
    const now = ctx.clock.now()
    const project = await row((await newProject()).id)
    const table = Object.fromEntries(
      projectStates.map((state) => {
        const row = { ...project, state, appliedGeneration: project.generation }
        return [
          state,
          {
            unapplied: nextStep({ ...row, appliedGeneration: 0 }, now).do,
            applied: nextStep(row, now).do,
            late: nextStep({ ...row, deadlineAt: now }, now).do,
          },
        ]
      }),
    )
    expect(table).toEqual({
      pending: { unapplied: 'start', applied: 'start', late: 'fail' },
      creating: { unapplied: 'apply', applied: 'probe', late: 'fail' },
      failed_creating: { unapplied: 'nothing', applied: 'cleanUp', late: 'cleanUp' },
      ready: { unapplied: 'apply', applied: 'nothing', late: 'nothing' },
      modifying: { unapplied: 'apply', applied: 'probe', late: 'keepRunning' },
      deleting: { unapplied: 'remove', applied: 'remove', late: 'markDeleted' },
      deleted: { unapplied: 'nothing', applied: 'cleanUp', late: 'cleanUp' },
    })
    const withFailure = { ...project, state: 'ready', failure: 'domain_not_routed' } as const
    const applied = { ...withFailure, appliedGeneration: project.generation }
    expect(nextStep(withFailure, now).do).toBe('apply')
    expect(nextStep(applied, now).do).toBe('recheck')
  })
})
