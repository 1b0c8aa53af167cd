import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../../../log.ts'
import { ClusterUnreachableError } from '../../engine.ts'
import { ApiError } from './api-error.ts'
import { type BackoffOptions, backoffMs } from './backoff.ts'
import type { Connection } from './connection.ts'

export type BreakerOptions = {
  /** The cluster, for the log. */
  name: string
  connection: Connection
  closing: AbortSignal
  /** Called when the breaker opens, so that waits for the cluster may end. */
  onOpen?: () => void
  /** Called when the cluster responds again. */
  onClose?: () => void
  log: Log
  /** Calls in a row without a response that open the breaker. */
  limit?: number
  /** For how long there must be no response: the restart of an API server breaks many calls. */
  toleranceMs?: number
  pause?: BackoffOptions
}

export type Breaker = {
  /** Rejects at once with a `ClusterUnreachableError` while the breaker is open. */
  calls: Connection
  /** Passes all calls on: watches have their own backoff. */
  watches: Connection
  isOpen(): boolean
}

const probeTimeoutMs = 5_000

/**
 * A circuit breaker before the API server of a cluster. It opens when several calls in a row, for
 * some seconds, get no response; then one probe at a time, with growing pauses, finds out when the
 * server responds. A response with an error is a response.
 */
export function createBreaker({
  name,
  connection,
  closing,
  onOpen,
  onClose,
  log,
  limit = 3,
  toleranceMs = 3_000,
  pause = { initialMs: 1_000, maxMs: 15_000 },
}: BreakerOptions): Breaker {
  let failures = 0
  let failingSince = 0
  let respondedAt = 0
  let isOpen = false

  function succeed() {
    failures = 0
    respondedAt = performance.now()
    if (!isOpen) return
    isOpen = false
    log.info({ cluster: name }, 'the cluster responds again')
    onClose?.()
  }

  function fail(err: ApiError, startedAt: number, signal: AbortSignal | undefined) {
    if (closing.aborted || signal?.aborted) return
    if (failures === 0) failingSince = Math.max(startedAt, respondedAt)
    failures += 1
    if (isOpen || failures < limit || performance.now() - failingSince < toleranceMs) return
    isOpen = true
    log.error({ err, cluster: name }, 'the cluster does not respond: its projects wait')
    onOpen?.()
    void probe()
  }

  function judge(error: unknown, startedAt: number, signal: AbortSignal | undefined) {
    if (!(error instanceof ApiError)) return
    if (error.status === 0) fail(error, startedAt, signal)
    // A body that broke off says neither: the server may have responded minutes ago.
    else if (error.status >= 300) succeed()
  }

  async function observe<Result>(work: Promise<Result>, signal: AbortSignal | undefined) {
    const startedAt = performance.now()
    try {
      const result = await work
      succeed()
      return result
    } catch (error) {
      judge(error, startedAt, signal)
      throw error
    }
  }

  /** A stream that breaks after its response does not count as a failure: servers end watches. */
  async function* observeStream<Part>(parts: AsyncIterable<Part>, signal: AbortSignal | undefined) {
    const startedAt = performance.now()
    let hasStarted = false
    try {
      for await (const part of parts) {
        if (!hasStarted) succeed()
        hasStarted = true
        yield part
      }
    } catch (error) {
      if (!hasStarted) judge(error, startedAt, signal)
      throw error
    }
  }

  async function probe() {
    for (let probes = 0; isOpen; probes++) {
      await sleep(backoffMs(probes, pause), undefined, { signal: closing }).catch(() => undefined)
      if (!isOpen || closing.aborted) return
      const options = { signal: closing, timeoutMs: probeTimeoutMs }
      await watches.call('GET', '/version', options).catch(() => undefined)
    }
  }

  const watches: Connection = {
    open: () => connection.open(),
    server: () => connection.server(),
    call: (method, path, options) =>
      observe(connection.call(method, path, options), options?.signal),
    text: (path, options) => observe(connection.text(path, options), options?.signal),
    lines: (path, options) => observeStream(connection.lines(path, options), options?.signal),
    chunks: (path, options) => observeStream(connection.chunks(path, options), options?.signal),
    close: () => connection.close(),
  }

  const requireClosed = () => {
    if (isOpen) throw new ClusterUnreachableError(`The cluster ${name} does not respond`)
  }

  return {
    calls: {
      ...watches,
      async call(method, path, options) {
        requireClosed()
        return watches.call(method, path, options)
      },
      async text(path, options) {
        requireClosed()
        return watches.text(path, options)
      },
    },
    watches,
    isOpen: () => isOpen,
  }
}
