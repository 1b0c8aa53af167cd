import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { changeClusterState } from '@slipway/contract/clusters'
import { createProject, type ProjectId, viewProject } from '@slipway/contract/projects'
import { expect } from 'vitest'
import type { Context } from '../../../context.ts'
import { writeTree } from '../../../engines/hosting/content/content-tree.fixture.ts'
import type { Fleet } from '../../../engines/hosting/fleet/fleet.ts'
import { createLayout } from '../../../engines/hosting/local/files/layout.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import type { TestUser, World } from '../../../testing/world.ts'
import * as store from '../projects.store.ts'
import * as moves from './project-moves.store.ts'
import { runMove } from './run-move.ts'

/**
 * The context of a process that is killed after `after` effects, or, with `during`, soon after that
 * effect has begun.
 */
export function killedContext(
  ctx: Context,
  { after, during }: { after?: number; during?: string },
): Context {
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

export type Kill = Parameters<typeof killedContext>[1]

/** The kills after each effect of a move of a site with files, and during the two long effects. */
export const kills: readonly Kill[] = [
  ...[1, 2, 3, 4, 5, 6].map((after) => ({ after })),
  { during: 'export' },
  { during: 'import' },
]

/** Creates sites with files, and moves them step by step. `clusters`: all except this machine. */
export function createMovingSites(
  world: World,
  { owner, operator, clusters }: { owner: TestUser; operator: TestUser; clusters: string[] },
) {
  const clusterOf = async (id: ProjectId) =>
    (await store.findForReconciler(world.ctx.db, id))?.cluster

  /** The project's instances in a cluster. */
  const remains = async (key: string, cluster: string) => {
    const instances = await world.ctx.engine.scan(1_000)
    return instances.filter((instance) => instance.key === key && instance.cluster === cluster)
  }

  /** Begins a move without enqueueing its job; the test runs the steps. */
  const begin = async (id: ProjectId, target: string) => {
    const { ctx } = world
    const [now, source] = [ctx.clock.now(), (await clusterOf(id)) ?? '']
    const deadlineAt = new Date(now.getTime() + 600_000)
    const move = { projectId: id, source, target, requestedBy: operator.id }
    await ctx.write((tx) => moves.begin(tx, move, { now, deadlineAt }))
  }

  const find = (id: ProjectId) => moves.find(world.ctx.db, id)
  const isOpen = async (id: ProjectId) => (await moves.findOpen(world.ctx.db, id)) !== undefined

  const finish = async (id: ProjectId) => {
    for (let run = 0; await isOpen(id); run++) {
      if (run === 10) throw new Error(JSON.stringify(await find(id)))
      await runMove(world.ctx, id)
    }
  }

  /** Creates projects on this machine: meanwhile the clusters take none. */
  async function onThisMachine<Result>(create: () => Promise<Result>): Promise<Result> {
    const setAll = async (state: 'full' | 'open') => {
      for (const name of clusters)
        await operator.call(changeClusterState, { params: { name }, body: { state } })
    }
    await setAll('full')
    try {
      return await create()
    } finally {
      await setAll('open')
    }
  }

  const page = (key: string) => sitePage(world.env.SITES_PORT, `${key}.localhost`, '/healthz')
  const untilServed = (key: string) => until(async () => (await page(key)).status === 200)

  const runKilled = async (id: ProjectId, kill: Kill) => {
    const process = killedContext(world.ctx, kill)
    // A step that the cluster fails is retried.
    while (!process.stopping.aborted && (await isOpen(id))) await runMove(process, id)
    expect(process.stopping.aborted, JSON.stringify([kill, await find(id)])).toBe(true)
  }

  return {
    clusterOf,
    remains,
    begin,
    find,
    finish,
    page,
    untilServed,
    onThisMachine,
    runKilled,

    /** A starter site on this machine, with files of every kind. */
    async createSite() {
      const body = { name: 'Site', teamId: owner.teamId, regionId: 'eu', domain: null }
      const { id, key } = await onThisMachine(() =>
        owner.call(createProject, { body: { ...body, runtime: 'starter' } }),
      )
      const view = () => owner.call(viewProject, { params: { key } })
      await until(async () => (await view()).state === 'ready')
      const { data } = createLayout(world.env.DATA_DIR).site(key)
      const { uid, gid } = await lstat(data)
      const files = join(data, 'files')
      await mkdir(files)
      await writeTree(files, { uid, gid })
      return { id, key, data, files }
    },

    /** Moves a project, whose worker is killed, and checks that nothing is left or lost. */
    async moveKilled({ id, key }: { id: ProjectId; key: string }, target: string, kill: Kill) {
      const label = `${target}, ${JSON.stringify(kill)}`
      const source = (await clusterOf(id)) ?? ''
      await begin(id, target)
      await runKilled(id, kill)
      await finish(id)
      expect(await find(id), label).toMatchObject({ failure: null })
      expect(await clusterOf(id), label).toBe(target)
      await untilServed(key)
      expect(await remains(key, source), label).toEqual([])
    },
  }
}
