import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listProjectActivity } from '@slipway/contract/activity'
import { minute } from '@slipway/contract/limits'
import { getProjectMove, startProjectMove } from '@slipway/contract/project-moves'
import {
  changeProjectPower,
  deleteProject,
  listProjects,
  type ProjectId,
  renameProject,
  viewProject,
} from '@slipway/contract/projects'
import { createSiteBackup } from '@slipway/contract/site-backups'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  CapacityError,
  ClusterUnreachableError,
  UnhealthyError,
} from '../../../engines/hosting/engine.ts'
import { title } from '../../../testing/declared-endpoints.ts'
import { recordEvents } from '../../../testing/event-recorder.ts'
import { errorCodeOf } from '../../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../../testing/world.ts'
import { clusters as clusterRows } from '../../clusters/clusters.schema.ts'
import * as store from '../projects.store.ts'
import { settle } from '../reconciler/reconciler.fixture.ts'
import { createClusters } from './project-moves.fixture.ts'
import * as moves from './project-moves.store.ts'
import { runMove } from './run-move.ts'

const operatorEmail = 'operator@example.com'
const times = { drainMs: 0 }
const site = { 'index.html': 'home', 'data.db': 'rows' }

let world: World
let operator: TestUser
let owner: TestUser
let clusters: ReturnType<typeof createClusters>
beforeAll(async () => {
  const cluster = (name: string, regionId: string, capacity: number | null) => ({
    name,
    regionId,
    context: name,
    capacity,
  })
  // Nothing connects to a cluster before the engines start.
  world = await createWorld({
    ENGINE: ['local', 'kubernetes'],
    KUBERNETES_CLUSTERS: [
      cluster('far', 'eu', null),
      cluster('small', 'eu', 1),
      cluster('west', 'us', null),
    ],
    KUBERNETES_NETWORK_POLICY: 'trusted',
    KUBERNETES_NODE_IMAGE: 'node',
    OPERATOR_EMAILS: [operatorEmail],
  })
  operator = await world.user({ email: operatorEmail })
})
beforeEach(async () => {
  owner = await world.user()
  clusters = createClusters()
})
afterAll(() => world.close())

const start = (key: string, cluster = 'far') =>
  operator.call(startProjectMove, { params: { key }, body: { cluster } })
const view = (key: string) => operator.call(getProjectMove, { params: { key } })

const row = async (id: ProjectId) => {
  const project = await store.findForReconciler(world.ctx.db, id)
  if (!project) throw new Error('the project is gone')
  return project
}

/** A project that runs on this machine, with files. */
async function project(overrides: Partial<Parameters<World['project']>[0]> = {}) {
  const created = await world.project({
    teamId: owner.teamId,
    cluster: 'local',
    runtime: 'starter',
    ...overrides,
  })
  const files = created.runtime === 'static' ? {} : { ...site }
  const isRunning = created.power === 'running'
  clusters.sites.set(`local/${created.key}`, { files, isRunning, name: created.name })
  return created
}

/** Runs a move until it has ended, and forwards the clock while it waits. */
async function finish(id: ProjectId) {
  for (let round = 0; round < 10; round++) {
    await runMove(clusters.process(world.ctx), id, times)
    if (!(await moves.findOpen(world.ctx.db, id))) return
    world.clock.forward(minute)
  }
  throw new Error('the move has not ended')
}

const archives = async () =>
  (await readdir(join(world.env.DATA_DIR, 'artifacts/incoming')).catch(() => [])).filter((name) =>
    name.includes('.content'),
  )

const activityOf = async (id: ProjectId) => {
  const { items } = await owner.call(listProjectActivity, { params: { id }, query: {} })
  return items.map(({ kind, actor, after }) => ({ kind, actor: actor.kind, after }))
}

describe('a move of a site with files', () => {
  it('stops it, copies its files, starts it in the target, and empties the source', async () => {
    const { id, key } = await project()
    await start(key)
    const ctx = clusters.process(world.ctx)
    await runMove(ctx, id, times)
    expect(clusters.effects).toEqual([
      'apply local',
      'export local',
      'import far',
      'stage far',
      'apply far',
      'remove local',
    ])
    expect(clusters.find('far', key)).toMatchObject({ files: site, isRunning: true })
    expect(clusters.find('local', key)).toBeUndefined()
    expect(await row(id)).toMatchObject({
      cluster: 'far',
      state: 'ready',
      failure: null,
      metadata: [{ key: 'runtime_version', value: 'far' }],
    })
    expect(await view(key)).toMatchObject({ state: 'done', step: 'clean', failure: null })
    expect(await archives()).toEqual([])
    expect(await activityOf(id)).toEqual([
      { kind: 'project_moved', actor: 'operator', after: null },
    ])
  })

  it('is on the page of its project until requests go to the target, with an event', async () => {
    const { id, key } = await project()
    const moveOf = async () => {
      const { move, isMoving } = await owner.call(viewProject, { params: { key } })
      const listed = (await owner.call(listProjects)).find((project) => project.id === id)
      expect([isMoving, listed?.isMoving]).toEqual([move !== null, move !== null])
      return move
    }
    const steps: [string, unknown][] = []
    expect(await moveOf()).toBeNull()
    const recorder = await recordEvents(world.database.options)
    onTestFinished(() => recorder.close())
    const updated = { kind: 'Project', data: { type: 'Updated', projectId: id } }
    await start(key)
    expect(await recorder.take()).toContainEqual(updated)
    expect(await moveOf()).toEqual({ isPaused: false })
    clusters.onEffect(async (effect) => void steps.push([effect, await moveOf()]))
    await runMove(clusters.process(world.ctx), id, times)
    const paused = { isPaused: true }
    expect(steps).toEqual([
      ['apply local', paused],
      ['export local', paused],
      ['import far', paused],
      ['stage far', paused],
      ['apply far', paused],
      ['remove local', null],
    ])
    expect(await moveOf()).toBeNull()
    expect(await recorder.take()).toContainEqual(updated)
  })

  it('has the same result when its worker is killed after any step', async () => {
    let after = 1
    for (; ; after++) {
      const { id, key } = await project()
      await start(key)
      const killed = clusters.process(world.ctx, after)
      await runMove(killed, id, times)
      const wasKilled = killed.stopping.aborted
      await finish(id)
      const label = `after ${after} effects`
      expect(clusters.find('far', key), label).toMatchObject({ files: site, isRunning: true })
      expect(clusters.find('local', key), label).toBeUndefined()
      expect((await row(id)).cluster, label).toBe('far')
      expect(await view(key), label).toMatchObject({ state: 'done' })
      if (!wasKilled) break
    }
    expect(after).toBe(7)
    expect(await archives()).toEqual([])
  })

  it('has no visitor write while its files are copied: the reconciler leaves it stopped', async () => {
    const { id, key } = await project()
    await start(key)
    const states: unknown[] = []
    clusters.onEffect(async (effect) => {
      if (effect !== 'export local') return
      clusters.onEffect(null)
      await owner.call(renameProject, { params: { id }, body: { name: 'Renamed' } })
      const move = await moves.findOpen(world.ctx.db, id)
      states.push(move?.pausedAt !== null, clusters.find('local', key)?.isRunning)
    })
    const killed = clusters.process(world.ctx, 2)
    await runMove(killed, id, times)
    expect(await settle(clusters.process(world.ctx), id)).toBe('settled')
    expect(clusters.find('local', key)?.isRunning).toBe(false)
    await finish(id)
    expect(states).toEqual([true, false])
    expect(clusters.find('far', key)).toMatchObject({ name: 'Renamed', isRunning: true })
    expect(await row(id)).toMatchObject({ cluster: 'far', name: 'Renamed' })
  })

  it('applies a change of the project during its start before requests go to the target', async () => {
    const { id, key } = await project()
    await start(key)
    const ctx = clusters.process(world.ctx)
    clusters.onEffect(async (effect) => {
      if (effect !== 'apply far') return
      clusters.onEffect(null)
      await owner.call(renameProject, { params: { id }, body: { name: 'Later' } })
    })
    await runMove(ctx, id, times)
    expect(clusters.effects.filter((effect) => effect === 'apply far')).toHaveLength(2)
    expect(clusters.find('far', key)).toMatchObject({ name: 'Later', files: site })
    const { generation, appliedGeneration } = await row(id)
    expect(appliedGeneration).toBe(generation)
  })

  it('stays stopped where its owner has stopped it', async () => {
    const { id, key } = await project({ power: 'stopped' })
    await start(key)
    await finish(id)
    expect(clusters.find('far', key)).toMatchObject({ files: site, isRunning: false })
    await owner.call(changeProjectPower, { params: { id }, body: { power: 'running' } })
    await settle(clusters.process(world.ctx), id)
    expect(clusters.find('far', key)).toMatchObject({ files: site, isRunning: true })
  })
})

describe('a move of files that the gateway serves', () => {
  it('starts the files in the target beside those in the source, without a pause', async () => {
    const { id, key } = await project({ runtime: 'static' })
    await start(key)
    const ctx = clusters.process(world.ctx)
    let wasPaused = false
    clusters.onEffect(async () => {
      wasPaused ||= Boolean((await moves.find(world.ctx.db, id))?.pausedAt)
    })
    await runMove(ctx, id, times)
    expect(wasPaused).toBe(false)
    expect(clusters.effects).toEqual(['stage far', 'apply far', 'remove local'])
    expect(await row(id)).toMatchObject({ cluster: 'far' })
  })

  it('restarts when a release with a program replaces the files during the move', async () => {
    const { id, key } = await project({ runtime: 'static' })
    await start(key)
    const ctx = clusters.process(world.ctx)
    clusters.onEffect(async (effect) => {
      if (effect !== 'apply far') return
      clusters.onEffect(null)
      await world.ctx.write(async (tx) => {
        await store.updateDesiredState(tx, id, { runtime: 'node' }, world.clock.now())
      })
      clusters.sites.set(`local/${key}`, { files: { ...site }, isRunning: true, name: '' })
    })
    await runMove(ctx, id, times)
    await finish(id).catch(() => undefined)
    expect(clusters.find('far', key)).toMatchObject({ files: site, isRunning: true })
    expect(clusters.find('local', key)).toBeUndefined()
  })
})

describe('a move that fails', () => {
  it.each([
    ['export local', new Error('the disk is broken'), 'engine_failed', 'the disk is broken'],
    ['import far', new Error('no network'), 'engine_failed', 'no network'],
    ['import far', new ClusterUnreachableError('down'), 'target_unreachable', 'down'],
    ['stage far', new CapacityError('no node has capacity'), 'no_room', 'no node has capacity'],
    [
      'stage far',
      new UnhealthyError({ failure: 'program_exited', detail: '1', output: 'no such table' }),
      'unhealthy',
      'program_exited: 1\nno such table',
    ],
  ])(
    'at %s with %s runs in the source again, and leaves nothing in the target',
    async (effect, error, failure, detail) => {
      const { id, key } = await project()
      await start(key)
      clusters.failAt(effect, error)
      await finish(id)
      expect(clusters.find('local', key)).toMatchObject({ files: site, isRunning: true })
      expect(clusters.find('far', key)).toBeUndefined()
      expect(await row(id)).toMatchObject({ cluster: 'local', state: 'ready' })
      expect(await view(key)).toMatchObject({ state: 'failed', failure, detail })
      expect(await activityOf(id)).toEqual([
        { kind: 'project_move_failed', actor: 'operator', after: failure },
      ])
      expect(await archives()).toEqual([])
      // The reconciler only applies it once more.
      await settle(clusters.process(world.ctx), id)
      expect(clusters.find('local', key)).toMatchObject({ files: site, isRunning: true })
      // The project can be moved again.
      clusters.failAt(effect, null)
      await start(key)
      await finish(id)
      expect(clusters.find('far', key)).toMatchObject({ files: site, isRunning: true })
    },
  )

  it('has the failure no_room if the quota of the target is used up', async () => {
    const { id, key } = await project()
    await start(key)
    const ctx = clusters.process(world.ctx)
    const stage = async () => ({ failure: 'quota_exceeded' as const })
    await runMove({ ...ctx, engine: { ...ctx.engine, stage } }, id, times)
    await finish(id)
    expect(await view(key)).toMatchObject({ state: 'failed', failure: 'no_room' })
    expect(clusters.find('local', key)).toMatchObject({ files: site, isRunning: true })
  })

  it('is undone wherever its worker is killed', async () => {
    for (let after = 1; ; after++) {
      const { id, key } = await project()
      await start(key)
      clusters.failAt('stage far', new CapacityError('full'))
      const killed = clusters.process(world.ctx, after)
      await runMove(killed, id, times)
      const wasKilled = killed.stopping.aborted
      await finish(id)
      expect(clusters.find('local', key)).toMatchObject({ files: site, isRunning: true })
      expect(clusters.find('far', key)).toBeUndefined()
      if (!wasKilled) break
    }
  })

  it('does not stop the site while the target does not respond', async () => {
    const { id, key } = await project()
    await start(key)
    clusters.setUnreachable(['far'])
    await finish(id)
    expect(clusters.effects).toEqual([])
    expect(await view(key)).toMatchObject({ state: 'failed', failure: 'target_unreachable' })
  })

  it('waits for a source that does not respond, and fails at its deadline', async () => {
    const { id, key } = await project()
    await start(key)
    clusters.setUnreachable(['local'])
    await runMove(clusters.process(world.ctx), id, times)
    expect(await view(key)).toMatchObject({ state: 'running', failure: 'source_unreachable' })
    clusters.setUnreachable([])
    await finish(id)
    expect(await view(key)).toMatchObject({ state: 'done', failure: null })

    const late = await project()
    await start(late.key)
    clusters.setUnreachable(['local'])
    await runMove(clusters.process(world.ctx), late.id, times)
    world.clock.forward(31 * minute)
    await finish(late.id)
    expect(await view(late.key)).toMatchObject({ state: 'failed', failure: 'timed_out' })
    expect(clusters.find('local', late.key)).toMatchObject({ isRunning: true })
  })

  it('is not undone once requests go to the target, and finishes later', async () => {
    const { id, key } = await project()
    await start(key)
    clusters.failAt('remove local', new ClusterUnreachableError('down'))
    const ctx = clusters.process(world.ctx)
    await runMove(ctx, id, times)
    expect(await view(key)).toMatchObject({ state: 'running', step: 'clean', detail: 'down' })
    world.clock.forward(60 * minute)
    await runMove(ctx, id, times)
    expect(await row(id)).toMatchObject({ cluster: 'far' })
    clusters.failAt('remove local', null)
    await finish(id)
    expect(clusters.find('local', key)).toBeUndefined()
    expect(await view(key)).toMatchObject({ state: 'done', failure: null, detail: null })
  })
})

describe('a project that is deleted while it moves', () => {
  it('leaves nothing in either cluster, at any effect', async () => {
    for (let after = 0; after <= 6; after++) {
      const { id, key } = await project()
      await start(key)
      if (after > 0) await runMove(clusters.process(world.ctx, after), id, times)
      await owner.call(deleteProject, { params: { id } })
      await runMove(clusters.process(world.ctx), id, times)
      await settle(clusters.process(world.ctx), id)
      expect(await row(id)).toMatchObject({ state: 'deleted' })
      expect([...clusters.sites.keys()].filter((name) => name.endsWith(key))).toEqual([])
      expect(await moves.findOpen(world.ctx.db, id)).toBeUndefined()
    }
    expect(await archives()).toEqual([])
  })
})

describe(title(startProjectMove), () => {
  const obstacle = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: { code: string; context?: string }) => error.context ?? error.code,
    )

  it('returns an open move to the same cluster, and rejects one to another', async () => {
    const { key } = await project()
    const first = await start(key)
    expect(first).toMatchObject({ key, source: 'local', target: 'far', state: 'running' })
    expect(await start(key)).toEqual(first)
    expect(await obstacle(start(key, 'small'))).toBe('in_progress')
  })

  it('rejects a cluster that cannot have the project', async () => {
    const { key } = await project()
    expect(await errorCodeOf(start(key, 'moon'))).toBe('item_not_found')
    expect(await obstacle(start(key, 'local'))).toBe('same_cluster')
    expect(await obstacle(start(key, 'west'))).toBe('other_region')
    const php = await project({ runtime: 'php' })
    expect(await obstacle(start(php.key))).toBe('runtime_not_available')
    const change = (values: Partial<typeof clusterRows.$inferInsert>) =>
      world.ctx.db.update(clusterRows).set(values).where(eq(clusterRows.name, 'far'))
    await change({ state: 'draining' })
    expect(await obstacle(start(key))).toBe('closed')
    await change({ state: 'open', unreachableSince: world.clock.now() })
    expect(await obstacle(start(key))).toBe('unreachable')
    await change({ unreachableSince: null })
  })

  it('counts a project that moves against the capacity of its target', async () => {
    const [first, second] = [await project(), await project()]
    await start(first.key, 'small')
    expect(await obstacle(start(second.key, 'small'))).toBe('full')
    await finish(first.id)
    expect(await obstacle(start(second.key, 'small'))).toBe('full')
  })

  it('rejects a project while a backup is being made', async () => {
    const { id, key } = await project({ runtime: 'node', artifact: '1'.repeat(64) })
    await owner.call(createSiteBackup, { params: { id } })
    await expect(start(key)).rejects.toMatchObject({
      code: 'move_not_possible',
      context: 'backup',
    })
  })

  it('rejects a project that is unknown, deleted, or not created', async () => {
    expect(await errorCodeOf(start('nothing-bcdfgh'))).toBe('project_not_found')
    const deleted = await project({ state: 'deleted' })
    expect(await errorCodeOf(start(deleted.key))).toBe('cannot_update_deleted_project')
    for (const state of ['pending', 'creating', 'failed_creating'] as const) {
      const { key } = await project({ state })
      expect(await obstacle(start(key)), state).toBe('not_ready')
    }
  })
})

describe(title(getProjectMove), () => {
  it('rejects a project that was never moved', async () => {
    const { key } = await project()
    expect(await errorCodeOf(view(key))).toBe('item_not_found')
    expect(await errorCodeOf(view('nothing-bcdfgh'))).toBe('project_not_found')
  })
})
