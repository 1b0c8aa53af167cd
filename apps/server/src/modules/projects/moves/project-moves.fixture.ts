import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { runtimes } from '@slipway/contract/runtimes'
import type { Context } from '../../../context.ts'
import {
  type ContentArchive,
  type Instance,
  type InstanceId,
  MissingDataError,
} from '../../../engines/hosting/engine.ts'

type Site = { files: Record<string, string>; isRunning: boolean; name: string }

/** A call of an engine that changes something. */
export type Effect = 'apply' | 'stage' | 'remove' | 'export' | 'import'

/** Clusters in memory, which fail or kill the process at a chosen effect. */
export function createClusters() {
  const sites = new Map<string, Site>()
  const effects: string[] = []
  const failures = new Map<string, Error>()
  let unreachable: string[] = []
  let kill: { after: number; process: AbortController } | null = null
  let onEffect: ((effect: string) => Promise<void>) | null = null

  const nameOf = ({ key, cluster }: InstanceId) => `${cluster}/${key}`
  const runningSites = (key: string) =>
    [...sites].filter(([name, { isRunning }]) => name.endsWith(`/${key}`) && isRunning)

  /** Runs an effect. A process is killed after the effect, and before it stores anything. */
  async function act(effect: Effect, cluster: string, work: () => Promise<void> | void) {
    const name = `${effect} ${cluster}`
    const failure = failures.get(name)
    if (failure) throw failure
    await work()
    effects.push(name)
    await onEffect?.(name)
    if (!kill || effects.length !== kill.after) return
    kill.process.abort(new Error('killed'))
    throw new Error('killed')
  }

  function run(instance: Instance, { mayCreate }: { mayCreate: boolean }) {
    const before = sites.get(nameOf(instance))
    if (!before && !mayCreate) throw new MissingDataError('no files')
    const isRunning = instance.power === 'running'
    sites.set(nameOf(instance), { files: before?.files ?? {}, isRunning, name: instance.name })
    const writes = [...runningSites(instance.key)].filter(
      ([, { files }]) => Object.keys(files).length > 0,
    )
    if (writes.length > 1) throw new Error('a site with files runs twice')
  }

  return {
    sites,
    effects,
    find: (cluster: string, key: string) => sites.get(nameOf({ cluster, key })),
    setUnreachable(names: string[]) {
      unreachable = names
    },
    /** Rejects with this error at an effect, such as `import far`, until it is null. */
    failAt(name: string, error: Error | null) {
      if (error) failures.set(name, error)
      else failures.delete(name)
    },
    onEffect(callback: typeof onEffect) {
      onEffect = callback
    },
    /** A process on these clusters, which is killed after `after` effects. */
    process(ctx: Context, after = Number.POSITIVE_INFINITY): Context {
      effects.length = 0
      const stopping = new AbortController()
      kill = { after, process: stopping }
      return {
        ...ctx,
        stopping: stopping.signal,
        engine: {
          ...ctx.engine,
          unreachableClusters: () => unreachable,
          capabilities: async () => runtimes.map((id) => ({ id, version: null, reason: null })),
          servingOf: ({ runtime }) => (runtime === 'static' ? 'files' : 'http'),
          checkRelease: async () => null,
          metadata: async ({ cluster }) => [{ key: 'runtime_version', value: cluster }],
          isHealthy: async (instance) => sites.get(nameOf(instance))?.isRunning === true,
          hasContent: async (instance) =>
            instance.runtime !== 'static' ||
            Object.keys(sites.get(nameOf(instance))?.files ?? {}).length > 0,
          apply: (instance, options) =>
            act('apply', instance.cluster, () => run(instance, options)),
          async stage(instance, { mayCreate = false } = {}) {
            await act('stage', instance.cluster, () => run(instance, { mayCreate }))
            return null
          },
          remove: (id) => act('remove', id.cluster, () => void sites.delete(nameOf(id))),
          exportContent: (instance, { file }: ContentArchive) =>
            act('export', instance.cluster, async () => {
              const site = sites.get(nameOf(instance))
              const mustBeStopped = instance.power === 'stopped' && instance.runtime !== 'static'
              if (!site || (site.isRunning && mustBeStopped)) throw new Error('the site runs')
              await mkdir(dirname(file), { recursive: true })
              await writeFile(file, JSON.stringify(site.files))
            }),
          importContent: (instance, { file }) =>
            act('import', instance.cluster, async () => {
              const files = JSON.parse(await readFile(file, 'utf8')) as Site['files']
              sites.set(nameOf(instance), { files, isRunning: false, name: instance.name })
            }),
        },
      }
    },
  }
}
