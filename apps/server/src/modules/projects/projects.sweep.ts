import type { Context } from '../../context.ts'
import { instanceOf } from './projects.instance.ts'
import { reconcile, reconsider } from './projects.reconciler.ts'
import * as store from './projects.store.ts'

/** How many projects are worked on at once. */
const width = 4

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

/**
 * Heals what no job will: projects whose job died with its server, instances that vanished from the
 * engine or were never heard of there, remains of deleted projects. One that fails does not stop the rest.
 */
export async function sweep(ctx: Context): Promise<void> {
  const tell = (error: unknown, about: string) =>
    ctx.log.warn({ err: error, about }, 'the sweep could not settle something')

  await each(await store.listUnsettled(ctx.db), (id) =>
    reconcile(ctx, id).catch((error) => tell(error, id)),
  )

  // Listed before the rows are read: an instance made in between then has its row.
  const held = new Map((await ctx.engine.list()).map((found) => [found.key, found]))
  const undeleted = await store.listUndeleted(ctx.db)
  const drifted = undeleted.filter((project) => {
    return isApplied(project) && !held.get(project.key)?.applied
  })
  await each(drifted, (project) =>
    repair(ctx, project.id).catch((error) => tell(error, project.key)),
  )

  const complaining = undeleted.filter(
    ({ state, failure }) => state === 'ready' && failure !== null,
  )
  await each(complaining, (project) =>
    reconsider(ctx, project).catch((error) => tell(error, project.key)),
  )

  const known = new Set(undeleted.map((project) => project.key))
  const unknown = [...held.keys()].filter((key) => !known.has(key))
  await each(await store.deletedAmong(ctx.db, unknown), (key) =>
    ctx.engine.remove(key).catch((error) => tell(error, key)),
  )
}

/** What the engine should hold as it was last applied. */
const isApplied = ({ state, appliedGeneration }: store.Project) =>
  (state === 'ready' || state === 'modifying') && appliedGeneration > 0

/** Makes again what vanished from the engine, as the row is by now and while nobody else works on it. */
const repair = (ctx: Context, id: store.Project['id']) =>
  ctx.locks.exclusively(`project ${id}`, async () => {
    const project = await store.findForReconciler(ctx.db, id)
    if (project && isApplied(project)) await ctx.engine.apply(await instanceOf(ctx, project))
  })
