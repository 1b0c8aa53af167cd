import { setTimeout as sleep } from 'node:timers/promises'
import type { Limiter } from '../../../../limiter.ts'
import type { Log } from '../../../../log.ts'
import { ApiError, isSilence } from './api-error.ts'
import { type BackoffOptions, backoffMs } from './backoff.ts'
import type { Cluster } from './cluster.ts'
import { type KubeObject, objectOf, type ResourceKind } from './resources.ts'

type WatchEvent = {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  object: KubeObject & { code?: number; message?: string }
}

export type ReflectorOptions<Item> = {
  cluster: Pick<Cluster, 'pages' | 'watch'>
  kind: ResourceKind
  labelSelector: string
  /** The stored parts of an object: unused parts would fill the memory. */
  toView: (object: KubeObject) => Item
  /** Called with an item that is new, changed or gone. */
  onChange: (change: { before: Item | undefined; now: Item | undefined }) => void
  log: Log
  backoff?: BackoffOptions
  /**
   * How often all objects are listed again, on average: an event may be lost. Each time is up to a
   * quarter shorter or longer, so that kinds and clusters are not listed at once.
   */
  relistMs: number
  /** From 0 to 1. */
  random?: () => number
  /** Limits how many reflectors list at once. */
  lists: Limiter
  /**
   * A watch without an event or a bookmark for so long may be broken: another one begins. Bookmarks
   * come each minute, but none before the first event after a start of the API server.
   */
  silenceMs?: number
}

export type Reflector<Item> = {
  /** Resolves once all objects are listed: a first list that fails is repeated. */
  start(): Promise<void>
  find(name: string, namespace?: string): Item | undefined
  inNamespace(namespace: string): Item[]
  close(): Promise<void>
}

const defaultBackoff: BackoffOptions = { initialMs: 500, maxMs: 30_000 }

/**
 * Keeps the objects of one kind with these labels in memory: from a list, and the watch after it.
 * After an end of the watch, an error or an expired version it watches or lists again, with a
 * growing delay between failures. The objects may be stale: callers must not rely on them.
 */
export function createReflector<Item>(options: ReflectorOptions<Item>): Reflector<Item> {
  const { cluster, kind, labelSelector, toView, onChange, log } = options
  const { relistMs, random = Math.random, lists } = options
  const { backoff = defaultBackoff, silenceMs = 150_000 } = options
  const namespaces = new Map<string, Map<string, Item>>()
  const closing = new AbortController()
  let running: Promise<void> | undefined
  /** The resource version of the last stored change; null when everything must be listed. */
  let version: string | null = null
  /** Consecutive failures: an event or a bookmark resets them. */
  let failures = 0

  function set({ metadata }: KubeObject, now: Item | undefined) {
    const { name, namespace = '' } = metadata
    const items = namespaces.get(namespace) ?? new Map<string, Item>()
    const before = items.get(name)
    if (now === undefined) items.delete(name)
    else items.set(name, now)
    if (items.size === 0) namespaces.delete(namespace)
    else namespaces.set(namespace, items)
    if (before !== undefined || now !== undefined) onChange({ before, now })
  }

  /**
   * Replaces all stored items; resolves with the version of the list. Stores each page before it
   * reads the next one: whole objects take more memory than their views.
   */
  async function list(): Promise<string> {
    const listed = new Set<string>()
    let listedVersion = ''
    for await (const { items, resourceVersion } of cluster.pages(kind, labelSelector)) {
      listedVersion = resourceVersion
      for (const object of items) {
        const { name, namespace = '' } = object.metadata
        listed.add(`${namespace}/${name}`)
        set(object, toView(object))
      }
    }
    for (const [namespace, stored] of [...namespaces])
      for (const name of [...stored.keys()])
        if (!listed.has(`${namespace}/${name}`)) set(objectOf(kind, { name, namespace }), undefined)
    return listedVersion
  }

  async function follow(from: string, until: number) {
    const timeoutSeconds = Math.max(1, Math.ceil((until - performance.now()) / 1000))
    const query = {
      labelSelector,
      resourceVersion: from,
      allowWatchBookmarks: true,
      timeoutSeconds,
    }
    const events = cluster.watch(kind, query, { signal: closing.signal, timeoutMs: silenceMs })
    for await (const event of events as AsyncIterable<WatchEvent>) {
      const { type, object } = event
      if (type === 'ERROR') {
        if (object.code !== 410)
          throw new Error(`The watch of ${kind.plural} failed: ${object.message ?? object.code}`)
        version = null
        return
      }
      if (type === 'DELETED') set(object, undefined)
      else if (type !== 'BOOKMARK') set(object, toView(object))
      version = object.metadata.resourceVersion ?? version
      failures = 0
    }
  }

  async function run(onListed: () => void) {
    let relistAt = 0
    while (!closing.signal.aborted) {
      try {
        if (version === null || performance.now() >= relistAt) {
          version = await lists.run(list)
          relistAt = performance.now() + relistMs * (0.75 + random() / 2)
          onListed()
        }
        const startedAt = performance.now()
        await follow(version, relistAt)
        // Counts as a failure if it was short: a server may end each watch at once.
        failures = performance.now() - startedAt > backoff.initialMs ? 0 : failures + 1
      } catch (error) {
        if (closing.signal.aborted) return
        if (isSilence(error)) continue
        failures += 1
        if (error instanceof ApiError && error.status === 410) version = null
        log.warn({ err: error, kind: kind.kind, failures }, 'The cluster could not be watched')
      }
      if (failures > 0)
        await sleep(backoffMs(failures - 1, backoff), undefined, { signal: closing.signal }).catch(
          () => undefined,
        )
    }
  }

  return {
    start: () =>
      new Promise((resolve) => {
        running = run(resolve)
      }),
    find: (name, namespace = '') => namespaces.get(namespace)?.get(name),
    inNamespace: (namespace) => [...(namespaces.get(namespace)?.values() ?? [])],
    async close() {
      closing.abort()
      await running
    },
  }
}
