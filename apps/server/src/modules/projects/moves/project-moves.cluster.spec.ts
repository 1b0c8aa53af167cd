import { lstat, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeClusterState } from '@slipway/contract/clusters'
import { getProjectMove, startProjectMove } from '@slipway/contract/project-moves'
import { createProject, type ProjectId, viewProject } from '@slipway/contract/projects'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import { treeOf, writeTree } from '../../../engines/hosting/content/content-tree.fixture.ts'
import type { Fleet } from '../../../engines/hosting/fleet/fleet.ts'
import { createLayout } from '../../../engines/hosting/local/files/layout.ts'
import { createServiceOnCluster, runtimeLack } from '../../../testing/cluster-world.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import type { TestUser, World } from '../../../testing/world.ts'
import * as store from '../projects.store.ts'
import * as moves from './project-moves.store.ts'
import { runMove } from './run-move.ts'

const longTest = 1_800_000
const operatorEmail = 'operator@example.com'

/**
 * The context of a process that is killed after `after` effects, or, with `during`, soon after that
 * effect has begun.
 */
function killed(ctx: Context, { after, during }: { after?: number; during?: string }): Context {
  const process = new AbortController()
  const { engine } = ctx
  let effects = 0
  const act =
    <Parameters extends unknown[], Result>(
      name: string,
      call: (...parameters: Parameters) => Promise<Result>,
    ) =>
    async (...parameters: Parameters) => {
      const work = call(...parameters)
      if (during === name) process.abort(new Error('killed'))
      const result = await work
      effects += 1
      if (effects !== after) return result
      process.abort(new Error('killed'))
      throw new Error('killed')
    }
  const acting: Fleet = {
    ...engine,
    apply: act('apply', engine.apply),
    stage: act('stage', engine.stage),
    remove: act('remove', engine.remove),
    exportContent: (instance, archive) =>
      act('export', engine.exportContent)(instance, archive, process.signal),
    importContent: (instance, content) =>
      act('import', engine.importContent)(instance, content, process.signal),
  }
  return { ...ctx, stopping: process.signal, engine: acting }
}

describe.skipIf(runtimeLack)('a site with files, between this machine and Kubernetes', () => {
  let world: World
  let owner: TestUser
  let operator: TestUser
  beforeAll(async () => {
    world = await createServiceOnCluster('m', {
      ENGINE: ['local', 'kubernetes'],
      OPERATOR_EMAILS: [operatorEmail],
    })
    owner = await world.user()
    operator = await world.user({ email: operatorEmail })
  }, longTest)
  afterAll(async () => {
    for (const instance of (await world?.ctx.engine.scan(100)) ?? [])
      await world.ctx.engine.remove(instance)
    await world?.close()
  }, longTest)

  /** A starter site on this machine, with files of every kind. */
  async function createSite() {
    const body = { name: 'Site', teamId: owner.teamId, regionId: 'eu', domain: null }
    const state = (to: 'full' | 'open') =>
      operator.call(changeClusterState, { params: { name: 'default' }, body: { state: to } })
    await state('full')
    const { id, key } = await owner.call(createProject, { body: { ...body, runtime: 'starter' } })
    await state('open')
    const view = () => owner.call(viewProject, { params: { key } })
    await until(async () => (await view()).state === 'ready')
    const { data } = createLayout(world.env.DATA_DIR).site(key)
    const { uid, gid } = await lstat(data)
    const files = join(data, 'files')
    await mkdir(files)
    await writeTree(files, { uid, gid })
    return { id, key, data, files }
  }

  const clusterOf = async (id: ProjectId) =>
    (await store.findForReconciler(world.ctx.db, id))?.cluster

  /** The project's instances in a cluster. */
  const remains = async (key: string, cluster: string) => {
    const found = await world.ctx.engine.scan(1_000)
    return found.filter((instance) => instance.key === key && instance.cluster === cluster)
  }

  /** Begins a move without enqueueing its job; the test runs the steps. */
  const begin = async (id: ProjectId, target: string) => {
    const { ctx } = world
    const [now, source] = [ctx.clock.now(), (await clusterOf(id)) ?? '']
    const deadlineAt = new Date(now.getTime() + 600_000)
    const move = { projectId: id, source, target, requestedBy: operator.id }
    await ctx.write((tx) => moves.begin(tx, move, { now, deadlineAt }))
  }

  const finish = async (id: ProjectId) => {
    for (let run = 0; await moves.findOpen(world.ctx.db, id); run++) {
      if (run === 10) throw new Error(JSON.stringify(await moves.findOpen(world.ctx.db, id)))
      await runMove(world.ctx, id)
    }
  }

  const page = (key: string) => sitePage(world.env.SITES_PORT, `${key}.localhost`, '/healthz')

  it(
    'moves to Kubernetes and back with every file, when an operator requests it',
    async () => {
      const { key, id, data, files } = await createSite()
      const before = await treeOf(files)
      const content = await readFile(join(data, 'content.json'))
      for (const target of ['default', 'local']) {
        const body = { cluster: target }
        await operator.call(startProjectMove, { params: { key }, body })
        const view = () => operator.call(getProjectMove, { params: { key } })
        await until(async () => (await view()).state !== 'running')
        expect(await view()).toMatchObject({ state: 'done', failure: null, target })
        expect(await clusterOf(id)).toBe(target)
        await until(async () => (await page(key)).status === 200)
        const other = target === 'local' ? 'default' : 'local'
        expect(await remains(key, other)).toEqual([])
      }
      expect(await treeOf(files)).toEqual(before)
      expect(await readFile(join(data, 'content.json'))).toEqual(content)
    },
    longTest,
  )

  it(
    'loses nothing when its worker is killed at any step',
    async () => {
      const { key, id, files } = await createSite()
      const before = await treeOf(files)
      const kills = [
        ...[1, 2, 3, 4, 5, 6].map((after) => ({ after })),
        { during: 'export' },
        { during: 'import' },
      ]
      for (const kill of kills) {
        for (const target of ['default', 'local']) {
          await begin(id, target)
          const label = `${target}, ${JSON.stringify(kill)}`
          const process = killed(world.ctx, kill)
          // A step that the cluster fails is tried again, by design.
          while (!process.stopping.aborted && (await moves.findOpen(world.ctx.db, id)))
            await runMove(process, id)
          const row = JSON.stringify(await moves.find(world.ctx.db, id))
          expect(process.stopping.aborted, `${label}: ${row}`).toBe(true)
          await finish(id)
          expect(await moves.find(world.ctx.db, id), label).toMatchObject({ failure: null })
          expect(await clusterOf(id), label).toBe(target)
          await until(async () => (await page(key)).status === 200)
          expect(await remains(key, target === 'local' ? 'default' : 'local'), label).toEqual([])
        }
        expect(await treeOf(files), JSON.stringify(kill)).toEqual(before)
      }
    },
    longTest,
  )
})
