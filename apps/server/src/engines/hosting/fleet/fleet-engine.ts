import type { Runtime } from '@slipway/contract/runtimes'
import type { Log } from '../../../log.ts'
import {
  type Capability,
  ClusterUnreachableError,
  type HostingEngine,
  type InstanceAddress,
  type InstanceId,
} from '../engine.ts'
import type { Fleet } from './fleet.ts'

export type FleetOptions = {
  /** The engine of each cluster, by its name; at least one. */
  engines: ReadonlyMap<string, HostingEngine>
  /**
   * The address of an instance in a cluster that the settings lack, if it is known: visitors still
   * reach its site.
   */
  addressElsewhere?: (id: InstanceId) => InstanceAddress | null
  log: Log
}

/** One engine for all clusters. A cluster that does not respond does not delay the others. */
export function createFleet({ engines, addressElsewhere, log }: FleetOptions): Fleet {
  const all = [...engines.values()]
  const [first] = all
  if (!first) throw new Error('A fleet needs a cluster')

  const engineOf = ({ cluster }: Pick<InstanceId, 'cluster'>): HostingEngine => {
    const engine = engines.get(cluster)
    if (engine) return engine
    throw new ClusterUnreachableError(`The settings have no cluster ${cluster}`)
  }

  const addressOf = (id: InstanceId): InstanceAddress | null => {
    const engine = engines.get(id.cluster)
    return engine ? engine.addressOf(id.key) : (addressElsewhere?.(id) ?? null)
  }

  // The rule of a runtime is the same for every engine.
  const servingOf: Fleet['servingOf'] = (instance) =>
    (engines.get(instance.cluster) ?? first).servingOf(instance)

  /** The items of all clusters that respond. */
  async function collect<Item>(lists: readonly Promise<readonly Item[]>[]): Promise<Item[]> {
    const results = await Promise.allSettled(lists)
    return results.flatMap((result) => {
      if (result.status === 'fulfilled') return result.value
      if (!(result.reason instanceof ClusterUnreachableError))
        log.warn({ err: result.reason }, 'the instances of a cluster could not be listed')
      return []
    })
  }

  const listSome = (ids: readonly InstanceId[]) =>
    [...Map.groupBy(ids, ({ cluster }) => cluster)].flatMap(
      ([cluster, projects]) => engines.get(cluster)?.list(projects.map(({ key }) => key)) ?? [],
    )

  return {
    nameOf: (cluster) => engines.get(cluster)?.name ?? null,
    stepsOf: (cluster) => (engines.get(cluster) ?? first).steps,

    // Does not reject for a cluster that does not respond: its engine connects later.
    async start(signal) {
      await Promise.all(all.map((engine) => engine.start(signal)))
    },

    apply: async (instance, options) => engineOf(instance).apply(instance, options),
    remove: async (id) => engineOf(id).remove(id.key),
    stage: async (instance, options) => engineOf(instance).stage(instance, options),
    needsInstall: async (instance) => engineOf(instance).needsInstall(instance),
    unstage: async (id) => engineOf(id).unstage(id.key),
    hasContent: async (instance) => engineOf(instance).hasContent(instance),
    exportContent: async (instance, archive, signal) =>
      engineOf(instance).exportContent(instance, archive, signal),
    importContent: async (instance, content, signal) =>
      engineOf(instance).importContent(instance, content, signal),

    async capabilities(clusters) {
      const named = clusters.flatMap((name) => engines.get(name) ?? [])
      return mergeCapabilities(await Promise.all(named.map((engine) => engine.capabilities())))
    },

    async checkClusters(signal) {
      const results = await Promise.all(all.map((engine) => engine.checkCluster(signal)))
      const checked = results.filter((result) => result !== null)
      return checked.length > 0 ? checked.flat() : null
    },

    unreachableClusters: () =>
      [...engines].flatMap(([name, engine]) => (engine.isReachable() ? [] : [name])),

    servingOf,

    checkRelease: async ({ cluster, runtime, artifact }, manifest) =>
      engineOf({ cluster }).checkRelease(runtime, artifact, manifest),

    // Operators add a version for all clusters.
    async versionOf(runtime, artifact) {
      for (const engine of all) {
        const version = await engine.versionOf(runtime, artifact)
        if (version !== null) return version
      }
      return null
    },

    async wake(id) {
      const engine = engines.get(id.cluster)
      if (engine) return engine.wake(id.key)
      return addressOf(id) ? 'awake' : 'not_running'
    },

    addressOf,

    list: (ids) => collect(ids ? listSome(ids) : all.map((engine) => engine.list())),

    scan(limit) {
      const share = Math.ceil(limit / all.length)
      const scans = [...engines].map(async ([cluster, engine]) =>
        (await engine.scan(share)).map((key) => ({ key, cluster })),
      )
      return collect(scans)
    },

    count() {
      const counts = all.map((engine) => engine.count())
      const sum = (state: 'running' | 'asleep' | 'stopped') =>
        counts.reduce((total, count) => total + count[state], 0)
      return { running: sum('running'), asleep: sum('asleep'), stopped: sum('stopped') }
    },

    // Only the instance's own engine knows how to probe it.
    isHealthy: async (instance, timeoutMs) =>
      (await engines.get(instance.cluster)?.isHealthy(instance, timeoutMs)) ?? false,

    takePicture: async (instance) => engineOf(instance).takePicture(instance),
    metadata: async (instance) => engineOf(instance).metadata(instance),

    problemOf(instance) {
      const engine = engines.get(instance.cluster)
      if (engine) return engine.problemOf(instance.key)
      const isServed = servingOf(instance) === 'files' || addressOf(instance) !== null
      return isServed ? null : 'cluster_unreachable'
    },

    crashesOf: ({ key, cluster }) => engines.get(cluster)?.crashesOf(key) ?? null,

    async check() {
      await Promise.all(all.map((engine) => engine.check()))
    },

    async close(options) {
      await Promise.all(all.map((engine) => engine.close(options)))
    },
  }
}

/**
 * Each runtime once: with the capability of a cluster that can run it, or else with the reason of
 * the first cluster.
 */
function mergeCapabilities(lists: readonly (readonly Capability[])[]): Capability[] {
  const capabilities = new Map<Runtime, Capability>()
  for (const capability of lists.flat()) {
    const previous = capabilities.get(capability.id)
    if (!previous || (previous.reason !== null && capability.reason === null))
      capabilities.set(capability.id, capability)
  }
  return [...capabilities.values()]
}
