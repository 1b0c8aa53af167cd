import { readFile, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../../../log.ts'
import { CapacityError, type ReleaseProblem, type Wakefulness } from '../../engine.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { nullIfMissing } from '../files/file-errors.ts'
import type { Layout } from '../files/layout.ts'
import type { SiteProcess } from '../process/site-process.ts'

/** The parts of the engine that `createSleep` needs. */
type Dependencies = {
  layout: Layout
  /** How long a site stays awake after its last request, in milliseconds; 0: for ever. */
  sleepAfterMs: number
  /** Runs a task with the lock of a site. */
  exclusively: (key: string, task: () => Promise<void>) => Promise<void>
  /** The running process of a site. */
  current: (key: string) => SiteProcess | null
  /** The sites with a process. */
  running: () => Iterable<string>
  start: (key: string) => Promise<void>
  /** Stops the process and removes it from the engine. */
  stop: (key: string) => Promise<void>
  /** True for a process that was started and has not responded yet. */
  isStarting: (key: string) => boolean
  /** Waits until a process that starts responds; null when it does, or did before. */
  untilReady: (key: string) => Promise<ReleaseProblem | null>
  closing: AbortSignal
  log: Log
}

const checksPerLease = 8
const longestCheckMs = 15_000

/**
 * Stops the sites that nobody visits, and wakes them. A site is awake for `sleepAfterMs` after the
 * last `wake`, which gateways call in time while they have requests for it. A file marks it, so
 * that it still sleeps after a restart of the server.
 */
export const createSleep = (dependencies: Dependencies) => {
  const { layout, sleepAfterMs, exclusively, current, closing, log } = dependencies
  /** The sites that sleep, with the launch that ran last. */
  const asleep = new Map<string, string>()
  const awakeUntil = new Map<string, number>()

  const extend = (key: string) => void awakeUntil.set(key, performance.now() + sleepAfterMs)

  const forget = (key: string) => {
    asleep.delete(key)
    awakeUntil.delete(key)
  }

  /** A process of the site runs, or nothing of it should. */
  const clear = async (key: string) => {
    forget(key)
    await rm(layout.site(key).asleep, { force: true })
  }

  /** The site has the caller's lock. */
  const fallAsleep = async (key: string) => {
    const process = current(key)
    if (!process || closing.aborted || (awakeUntil.get(key) ?? 0) > performance.now()) return
    // From here on `wake` waits for the lock, which the caller has.
    asleep.set(key, process.record.launch)
    try {
      // Before the stop: a server that is killed here does not start the site again.
      await writeFileAtomic(layout.site(key).asleep, process.record.launch, { mode: 0o600 })
      await dependencies.stop(key)
    } catch (error) {
      await clear(key)
      throw error
    }
    awakeUntil.delete(key)
    log.info({ key }, 'A site sleeps')
  }

  const check = async () => {
    const now = performance.now()
    const idle: string[] = []
    for (const key of dependencies.running()) {
      const until = awakeUntil.get(key)
      if (until === undefined || dependencies.isStarting(key)) extend(key)
      else if (until <= now) idle.push(key)
    }
    await Promise.all(
      idle.map((key) =>
        exclusively(key, () => fallAsleep(key)).catch((err: unknown) =>
          log.error({ key, err }, 'A site could not be stopped to sleep'),
        ),
      ),
    )
  }

  const watch = async () => {
    const interval = Math.min(longestCheckMs, Math.ceil(sleepAfterMs / checksPerLease))
    while (!closing.aborted) {
      const startedAt = performance.now()
      await delay(interval, undefined, { signal: closing, ref: false }).catch(() => undefined)
      // After this process was paused, gateways first get time to renew their leases.
      const isLate = performance.now() - startedAt > 2 * interval
      if (!closing.aborted && !isLate) await check()
    }
  }

  /** The site has the caller's lock. */
  const startAsleep = async (key: string) => {
    if (!asleep.has(key) || closing.aborted) return
    await dependencies.start(key)
    // If the server is killed before this, the next one adopts the process, or the site sleeps.
    await clear(key)
    extend(key)
  }

  return {
    /** Starts the checks for idle sites. */
    start() {
      if (sleepAfterMs > 0) void watch()
    },

    /** Keeps a site asleep that slept when the last server ended; false for any other. */
    async recover(key: string): Promise<boolean> {
      if (sleepAfterMs === 0) return false
      const launch = await nullIfMissing(readFile(layout.site(key).asleep, 'utf8'))
      if (launch !== null) asleep.set(key, launch)
      return launch !== null
    },

    count: () => asleep.size,

    isAsleep: (key: string) => asleep.has(key),

    /** True for a site that sleeps and would run this launch: it need not wake for a change. */
    keepsAsleep: (key: string, launch: string) => asleep.get(key) === launch,

    clear,
    forget,

    /** See `HostingEngine.wake`. `isRecovering`: nobody knows yet whether it runs. */
    async wake(key: string, isRecovering: boolean): Promise<Wakefulness> {
      try {
        if (isRecovering || asleep.has(key)) await exclusively(key, () => startAsleep(key))
        if (!current(key)) return 'not_running'
        extend(key)
        const problem = await dependencies.untilReady(key)
        extend(key)
        if (!problem) return 'awake'
        log.warn({ key, ...problem }, 'A site does not respond after its start')
      } catch (err) {
        // A machine without room has its own line, and not one for each request.
        if (!(err instanceof CapacityError)) log.error({ key, err }, 'A site could not be woken')
      }
      return 'not_running'
    },
  }
}
