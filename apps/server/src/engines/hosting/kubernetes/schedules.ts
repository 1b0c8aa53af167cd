import type { Runtime } from '@slipway/contract/runtimes'
import { createLimiter } from '../../../limiter.ts'
import type { Log } from '../../../log.ts'
import type { ClusterState } from './cluster-state.ts'
import type { InstanceTable } from './instance-table.ts'
import type { ClusterRuntime } from './runtimes/cluster-runtime.ts'

const idleBatch = 200
const backgroundTimeoutMs = 60_000
/** The sites that do background work at once: one that hangs must not delay the others. */
const backgroundAtOnce = 8

export type SchedulesOptions = {
  /** Null before the start. */
  state: () => ClusterState | null
  /** False while the cluster does not respond: a site put to sleep could not wake. */
  isReachable: () => boolean
  runtimes: ReadonlyMap<Runtime, ClusterRuntime>
  table: InstanceTable
  /** Compares the rows of all instances with the cluster. */
  repair: () => void
  closing: AbortSignal
  log: Log
  times: {
    /** How often the engine looks for instances that may sleep. */
    sleepCheckMs: number
    /** How often the engine compares the rows of all instances with the cluster. */
    repairMs: number
    /** The interval between the background work of running sites. */
    backgroundMs: number
  }
}

/** Work at intervals: idle sites sleep, running ones do background work, rows are repaired. */
export function createSchedules(options: SchedulesOptions) {
  const { state, isReachable, runtimes, table, repair, closing, log, times } = options
  const background = createLimiter(backgroundAtOnce)
  const timers = new Map<() => Promise<void>, NodeJS.Timeout>()

  async function sleepIdle() {
    try {
      if (isReachable()) await table.sleepIdle(idleBatch)
    } catch (err) {
      log.warn({ err }, 'Sites could not be put to sleep')
    }
  }

  async function runBackgroundOf(key: string) {
    const address = table.find(key)?.address
    const instance = state()?.namespace(key)?.record?.instance
    const work = instance && runtimes.get(instance.runtime)?.background
    if (!address || !work || closing.aborted) return
    const signal = AbortSignal.any([closing, AbortSignal.timeout(backgroundTimeoutMs)])
    await work(address, instance, signal).catch((err: unknown) =>
      log.warn({ err, key }, 'The background work of a site failed'),
    )
  }

  /** Work of the running sites that no visitor starts. */
  async function runBackground() {
    const current = state()
    const keys = current?.isSynced() ? current.keys() : []
    await Promise.all(keys.map((key) => background.run(() => runBackgroundOf(key))))
  }

  function schedule(work: () => Promise<void>, everyMs: number) {
    if (closing.aborted) return
    const timer = setTimeout(() => void work().finally(() => schedule(work, everyMs)), everyMs)
    timer.unref()
    timers.set(work, timer)
  }

  return {
    start({ sleeps }: { sleeps: boolean }) {
      if (sleeps) schedule(sleepIdle, times.sleepCheckMs)
      schedule(async () => repair(), times.repairMs)
      schedule(runBackground, times.backgroundMs)
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
