import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from './api-error.ts'
import { backoffMs } from './backoff.ts'
import type { CallOptions, Connection, Method } from './connection.ts'
import { type Kind, type KubeObject, objectOf, objectPath, type ResourceKind } from './resources.ts'

/** A log without a line for so long is followed again: its connection may be broken. */
const maxSilenceMs = 900_000

/** Which lines of a pod: those after a time, of its current container or of the previous one. */
export type LogStreamOptions = { container: string; since: string | null; previous: boolean }

/** The owner of the fields that we set (server-side apply). */
export const fieldManager = 'slipway'

export type ListPage = { items: KubeObject[]; resourceVersion: string }

/** The calls to one cluster. They reject with an `ApiError`. */
export type Cluster = ReturnType<typeof createCluster>

export type ClusterOptions = {
  connection: Connection
  /** Aborts calls, and the waits before their next attempts. */
  closing: AbortSignal
  attempts?: number
  retry?: { initialMs: number; maxMs: number }
  /** Waits before another attempt. */
  wait?: (ms: number) => Promise<void>
}

/** One page of a list: the API server splits long lists. */
const pageSize = 500
/** The longest `Retry-After` of the API server that a call obeys. */
const maxRetryAfterMs = 30_000

/** Typed calls to a cluster; temporary failures are retried with backoff. */
export function createCluster({
  connection,
  closing,
  attempts = 5,
  retry = { initialMs: 200, maxMs: 5_000 },
  wait = (ms) => sleep(ms, undefined, { signal: closing }),
}: ClusterOptions) {
  async function call(method: Method, path: string, options: CallOptions = {}): Promise<unknown> {
    for (let failures = 0; ; ) {
      try {
        return await connection.call(method, path, { signal: closing, ...options })
      } catch (error) {
        failures += 1
        const isLast = failures >= attempts || closing.aborted
        if (!(error instanceof ApiError) || error.failure !== 'retry' || isLast) throw error
        const retryAfterMs = Math.min(error.retryAfterMs ?? 0, maxRetryAfterMs)
        await wait(Math.max(retryAfterMs, backoffMs(failures - 1, retry)))
      }
    }
  }

  const withoutFailure = async <Result>(failure: ApiError['failure'], work: Promise<Result>) => {
    try {
      return await work
    } catch (error) {
      if (error instanceof ApiError && error.failure === failure) return null
      throw error
    }
  }

  /** The objects of a kind with these labels, in every namespace, page by page. */
  async function* pages(kind: ResourceKind, labelSelector: string): AsyncGenerator<ListPage> {
    let next: string | undefined
    do {
      const page = (await call('GET', kind.path, {
        query: { labelSelector, limit: pageSize, continue: next },
      })) as { items?: KubeObject[]; metadata?: { resourceVersion?: string; continue?: string } }
      yield { items: page.items ?? [], resourceVersion: page.metadata?.resourceVersion ?? '' }
      next = page.metadata?.continue || undefined
    } while (next !== undefined)
  }

  return {
    /** Server-side apply: creates the object, or sets all of its fields that are ours. */
    apply: <Object extends KubeObject>(object: Object): Promise<Object> =>
      call('PATCH', objectPath(object), {
        query: { fieldManager, force: true },
        body: object,
        contentType: 'application/apply-patch+yaml',
      }) as Promise<Object>,

    /** The object as the API server would apply it. Nothing changes. */
    tryApply: (object: KubeObject): Promise<unknown> =>
      call('PATCH', objectPath(object), {
        query: { fieldManager, force: true, dryRun: 'All' },
        body: object,
        contentType: 'application/apply-patch+yaml',
      }),

    /** Sets single fields of an object (RFC 7386). */
    merge: (object: KubeObject, patch: object): Promise<KubeObject> =>
      call('PATCH', objectPath(object), {
        query: { fieldManager },
        body: patch,
        contentType: 'application/merge-patch+json',
      }) as Promise<KubeObject>,

    /** The version of the API server, such as v1.33.1. */
    async version(): Promise<string> {
      const { gitVersion = '' } = (await call('GET', '/version')) as { gitVersion?: string }
      return gitVersion
    },

    /** The URLs of the API server: those that it names, and the one of the kubeconfig. */
    async serverUrls(): Promise<URL[]> {
      const { serverAddressByClientCIDRs: named = [] } = (await call('GET', '/api')) as {
        serverAddressByClientCIDRs?: { serverAddress: string }[]
      }
      const urls = named.map(({ serverAddress }) => new URL(`https://${serverAddress}`))
      return [...urls, await connection.server()]
    },

    /** The API versions that the cluster serves besides the core one, such as apps/v1. */
    async apiVersions(): Promise<string[]> {
      const { groups = [] } = (await call('GET', '/apis')) as {
        groups?: { versions: { groupVersion: string }[] }[]
      }
      return groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion))
    },

    /** The plural names of the resources of an API version; none where the cluster lacks it. */
    async resources(apiVersion: string): Promise<string[]> {
      const body = await withoutFailure('not_found', call('GET', `/apis/${apiVersion}`))
      const { resources = [] } = (body ?? {}) as { resources?: { name: string }[] }
      return resources.map(({ name }) => name)
    },

    read: (kind: Kind, name: string, namespace?: string): Promise<KubeObject | null> =>
      withoutFailure(
        'not_found',
        call('GET', objectPath(objectOf(kind, { name, namespace }))) as Promise<KubeObject>,
      ),

    /** Creates an object, such as an access review. Fails with a `conflict` when it exists. */
    create: <Object extends object>(path: string, object: Object): Promise<Object> =>
      call('POST', path, { body: object }) as Promise<Object>,

    /**
     * Deletes an object; false if it does not exist. One with a uid does not exist either when
     * another object has its name now.
     */
    async remove(object: KubeObject): Promise<boolean> {
      const { uid } = object.metadata
      const body = {
        kind: 'DeleteOptions',
        apiVersion: 'v1',
        propagationPolicy: 'Background',
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      }
      const removed = call('DELETE', objectPath(object), { body })
      const found = withoutFailure('not_found', removed)
      return (await withoutFailure('conflict', found)) !== null
    },

    pages,

    /** All objects of a kind with these labels, in every namespace: for few of them. */
    async list(kind: ResourceKind, labelSelector: string): Promise<KubeObject[]> {
      const items: KubeObject[] = []
      for await (const page of pages(kind, labelSelector)) items.push(...page.items)
      return items
    },

    /** Changes of a kind since a version, until the API server ends the watch. */
    watch: (kind: ResourceKind, query: NonNullable<CallOptions['query']>, options: CallOptions) =>
      connection.lines(kind.path, { ...options, query: { ...query, watch: true } }),

    /** The last lines of the container of a pod; with `previous`, of its previous process. */
    async lastLines(
      namespace: string,
      pod: string,
      { previous, lines }: { previous: boolean; lines: number },
    ): Promise<string> {
      const path = `/api/v1/namespaces/${namespace}/pods/${pod}/log`
      const query = { previous: previous || undefined, tailLines: lines, limitBytes: 16_384 }
      return connection.text(path, { query, signal: closing })
    },

    /**
     * The output of a container until it ends, with the time of each line. With `previous`, the
     * output of the container before it.
     */
    streamLog: (
      namespace: string,
      pod: string,
      { container, since, previous }: LogStreamOptions,
      signal: AbortSignal,
    ) =>
      connection.chunks(`/api/v1/namespaces/${namespace}/pods/${pod}/log`, {
        query: {
          container,
          timestamps: true,
          ...(previous ? { previous: true } : { follow: true }),
          ...(since === null ? {} : { sinceTime: since }),
        },
        signal,
        timeoutMs: maxSilenceMs,
      }),

    close: () => connection.close(),
  }
}
