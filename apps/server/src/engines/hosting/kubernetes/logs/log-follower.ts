import { setTimeout as sleep } from 'node:timers/promises'
import type { LogEntry, LogSource } from '@slipway/contract/logs'
import { createRateLimitedLog, type Log } from '../../../../log.ts'
import { textsOf } from '../../../../logs/log-record.ts'
import { ApiError, isSilence } from '../api/api-error.ts'
import { backoffMs } from '../api/backoff.ts'
import type { Cluster } from '../api/cluster.ts'
import { createLineReader } from './log-lines.ts'
import { createOutputPace, type Turn, type Wait } from './output-pace.ts'

export type OutputLog = {
  add(key: string, source: 'site', line: { time: number; text: string }): void
  page(key: string, source: LogSource, options: { limit: number }): Promise<LogEntry[]>
}

export type LogFollowerOptions = {
  cluster: Pick<Cluster, 'streamLog'>
  output: OutputLog
  log: Log
  container: string
  /** Pods that are followed at once: each takes a connection to the API server. */
  maxFollowed?: number
  retry?: { initialMs: number; maxMs: number }
  /** How output waits for its turn. */
  time?: { now: () => number; wait: Wait }
}

const defaultMaxFollowed = 1_000
const defaultRetry = { initialMs: 500, maxMs: 30_000 }
/** Failures in a row before one is logged: the first may find a container that has not started. */
const reportedFailures = 5

export type PrintingPod = {
  key: string
  namespace: string
  name: string
  uid: string
  createdAt: string
  /** How often its container has ended and started again. */
  restarts: number
  /** True once its program has run. */
  hasRun: boolean
}

/** A pod that is followed; `view` is undefined once it is gone. */
type Followed = { view: PrintingPod | undefined; done: Promise<void> }

/**
 * Follows the output of the sites' pods into the log files of their projects. After a broken
 * connection, and in the next server, it continues after the last stored line.
 */
export function createLogFollower(options: LogFollowerOptions) {
  const {
    cluster,
    container,
    output,
    log,
    maxFollowed = defaultMaxFollowed,
    retry = defaultRetry,
  } = options
  const followed = new Map<string, Followed>()
  /** The pods above the limit, by their uid: the first ones are followed once others have ended. */
  const waiting = new Map<string, PrintingPod>()
  const logWaiting = createRateLimitedLog('The output of some sites is not followed: too many are')
  const closing = new AbortController()
  const {
    now = () => performance.now(),
    wait = (ms: number) => sleep(ms, undefined, { signal: closing.signal }),
  } = options.time ?? {}
  const turnOfPod = createOutputPace({ now, wait })

  /** Stores a container's output from a time on; resolves with the time of the last line. */
  async function read(
    pod: PrintingPod,
    since: string | null,
    { previous, turn }: { previous: boolean; turn: Turn },
  ): Promise<string | null> {
    const lines = createLineReader()
    let last = since
    const stream = cluster.streamLog(
      pod.namespace,
      pod.name,
      { container, since, previous },
      closing.signal,
    )
    try {
      for await (const chunk of stream) {
        await turn(chunk)
        for (const { timestamp, time, text } of lines(chunk)) {
          // `sinceTime` counts whole seconds: the API server repeats some.
          if (since !== null && timestamp <= since) continue
          last = timestamp
          for (const part of textsOf(text)) output.add(pod.key, 'site', { time, text: part })
        }
      }
    } catch (error) {
      throw Object.assign(error as Error, { last })
    }
    return last
  }

  /** The end of the previous container's output. The kubelet may have deleted it already. */
  const readPrevious = (pod: PrintingPod, last: string | null, turn: Turn) =>
    read(pod, last, { previous: true, turn }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || !['invalid', 'not_found'].includes(error.failure))
        throw error
      return last
    })

  async function newestLine(key: string): Promise<string | null> {
    const [entry] = await output.page(key, 'site', { limit: 1 })
    return entry?.time ?? null
  }

  async function follow(item: Followed, first: PrintingPod) {
    let last = await newestLine(first.key)
    // The log has no output of a pod that is newer than its last line.
    if (last !== null && Date.parse(last) < Date.parse(first.createdAt)) last = null
    let { restarts } = first
    const turn = turnOfPod()
    for (let failures = 0; !closing.signal.aborted; ) {
      const pod = item.view
      if (!pod) break
      try {
        if (pod.restarts > restarts) last = await readPrevious(pod, last, turn)
        restarts = pod.restarts
        const before = last
        last = await read(pod, last, { previous: false, turn })
        // A container that has ended is read at growing intervals.
        failures = last === before ? failures + 1 : 0
      } catch (error) {
        last = (error as { last?: string | null }).last ?? last
        failures = isSilence(error) ? 0 : failures + 1
        if (failures === reportedFailures && !closing.signal.aborted)
          log.warn({ err: error, key: pod.key }, 'The output of a site cannot be read')
      }
      // The container has ended, or the connection broke.
      await sleep(backoffMs(failures, retry), undefined, { signal: closing.signal }).catch(
        () => undefined,
      )
    }
  }

  function start(pod: PrintingPod) {
    const { uid, key } = pod
    const item: Followed = { view: pod, done: Promise.resolve() }
    followed.set(uid, item)
    item.done = follow(item, pod)
      .catch((err: unknown) => log.warn({ err, key }, 'The output of a site is not followed'))
      .then(() => {
        followed.delete(uid)
        startWaiting()
      })
  }

  function startWaiting() {
    for (const [uid, pod] of waiting) {
      if (followed.size >= maxFollowed || closing.signal.aborted) return
      waiting.delete(uid)
      start(pod)
    }
  }

  return {
    /** Follows the pods of a site that have printed, and no others. */
    update(key: string, pods: readonly PrintingPod[]) {
      const present = new Map(pods.map((pod) => [pod.uid, pod]))
      for (const [uid, item] of followed) {
        if (item.view?.key !== key) continue
        item.view = present.get(uid)
      }
      for (const [uid, pod] of waiting)
        if (pod.key === key && !present.has(uid)) waiting.delete(uid)
      for (const pod of pods) {
        const { uid, hasRun } = pod
        if (hasRun && !followed.has(uid)) waiting.set(uid, pod)
      }
      startWaiting()
      if (waiting.size > 0) logWaiting(log, { waiting: waiting.size, maxFollowed })
    },
    async close() {
      closing.abort()
      await Promise.all([...followed.values()].map(({ done }) => done))
    },
  }
}
