import type { Runtime } from '@slipway/contract/runtimes'
import type { Log } from '../../../log.ts'
import {
  type Capability,
  ClusterUnreachableError,
  type HostingEngine,
  type Instance,
} from '../engine.ts'

export type FleetOptions = {
  /** The engine of each cluster, by its name; at least one. */
  engines: ReadonlyMap<string, HostingEngine>
  /** The clusters of these projects, by their keys. Unknown keys are left out. */
  clustersOf: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>
  log: Log
}

/**
 * One engine for all clusters of an installation: passes each call on to the engine of the
 * instance's cluster. Clusters that do not respond hold up no other.
 */
export function createFleetEngine({ engines, clustersOf, log }: FleetOptions): HostingEngine {
  const all = [...engines.values()]
  const [first] = all
  if (!first) throw new Error('A fleet needs a cluster')

  const engineOf = ({ cluster }: Pick<Instance, 'cluster'>): HostingEngine => {
    const engine = engines.get(cluster)
    if (engine) return engine
    throw new ClusterUnreachableError(`KUBERNETES_CLUSTERS does not have the cluster ${cluster}`)
  }

  /** The engine of a project's cluster; null for an unknown key. */
  async function engineOfKey(key: string): Promise<HostingEngine | null> {
    const cluster = (await clustersOf([key])).get(key)
    return cluster === undefined ? null : engineOf({ cluster })
  }

  /** Lists of all clusters that respond, as one. */
  async function collect<Item>(lists: readonly Promise<readonly Item[]>[]): Promise<Item[]> {
    const results = await Promise.allSettled(lists)
    return results.flatMap((result) => {
      if (result.status === 'fulfilled') return result.value
      if (!(result.reason instanceof ClusterUnreachableError))
        log.warn({ err: result.reason }, 'the instances of a cluster could not be listed')
      return []
    })
  }

  async function listKeys(keys: readonly string[]) {
    const known = await clustersOf(keys)
    const lists = [...engines].flatMap(([name, engine]) => {
      const own = keys.filter((key) => known.get(key) === name)
      return own.length > 0 ? [engine.list(own)] : []
    })
    const unknown = keys.filter((key) => !known.has(key))
    const absent = { applied: null, running: false, asleep: false }
    return [...(await collect(lists)), ...unknown.map((key) => ({ key, ...absent }))]
  }

  return {
    name: first.name,
    steps: first.steps,

    // A cluster that does not respond rejects nothing here: its engine connects later.
    async start(signal) {
      await Promise.all(all.map((engine) => engine.start(signal)))
    },

    apply: async (instance, options) => engineOf(instance).apply(instance, options),
    remove: async (key) => (await engineOfKey(key))?.remove(key),
    stage: async (instance, onOutput) => engineOf(instance).stage(instance, onOutput),
    unstage: async (key) => (await engineOfKey(key))?.unstage(key),

    async capabilities(clusters) {
      const named = clusters.flatMap((name) => engines.get(name) ?? [])
      return merged(await Promise.all(named.map((engine) => engine.capabilities(clusters))))
    },

    async checkClusters(signal) {
      const results = await Promise.all(all.map((engine) => engine.checkClusters(signal)))
      return results.flatMap((found) => found ?? [])
    },

    unreachableClusters: () => all.flatMap((engine) => engine.unreachableClusters()),

    // The same for every cluster: runtimes, gateways, and the table of addresses and leases.
    isHealthy: first.isHealthy,
    metadata: first.metadata,
    servingOf: first.servingOf,
    checkRelease: first.checkRelease,
    versionOf: first.versionOf,
    wake: first.wake,
    addressOf: first.addressOf,

    list: (keys) => (keys ? listKeys(keys) : collect(all.map((engine) => engine.list()))),

    scan: (limit) => {
      const share = Math.ceil(limit / all.length)
      return collect(all.map((engine) => engine.scan(share)))
    },

    count() {
      const counts = all.map((engine) => engine.count())
      const sum = (state: 'running' | 'asleep' | 'stopped') =>
        counts.reduce((total, count) => total + count[state], 0)
      return { running: sum('running'), asleep: sum('asleep'), stopped: sum('stopped') }
    },

    takePicture: async (instance) => engineOf(instance).takePicture(instance),

    problemOf(key) {
      for (const engine of all) {
        const problem = engine.problemOf(key)
        if (problem !== null) return problem
      }
      return null
    },

    async check() {
      await Promise.all(all.map((engine) => engine.check()))
    },

    async close(options) {
      await Promise.all(all.map((engine) => engine.close(options)))
    },
  }
}

/** What runs on one of the clusters at least, with the first reason where it runs on none. */
function merged(lists: readonly (readonly Capability[])[]): Capability[] {
  const found = new Map<Runtime, Capability>()
  for (const capability of lists.flat()) {
    const before = found.get(capability.id)
    if (!before || (before.reason !== null && capability.reason === null))
      found.set(capability.id, capability)
  }
  return [...found.values()]
}
