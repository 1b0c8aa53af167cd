import { readFile, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { nullIfMissing } from '../../../../file-errors.ts'
import type { Log } from '../../../../log.ts'
import { CapacityError, type ReleaseProblem, type WakeResult } from '../../engine.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import type { Layout } from '../files/layout.ts'
import type { SiteProcess } from '../process/site-process.ts'

type Dependencies = {
  layout: Layout
  /** The idle time before a site sleeps, in milliseconds; 0 turns sleep off. */
  sleepAfterMs: number
  exclusively: (key: string, task: () => Promise<void>) => Promise<void>
  current: (key: string) => SiteProcess | null
  running: () => Iterable<string>
  start: (key: string) => Promise<void>
  /** Stops the process and removes it from the engine. */
  stop: (key: string) => Promise<void>
  /** True for a healthy process that does not serve yet. */
  hasCandidate: (key: string) => boolean
  isStarting: (key: string) => boolean
  /**
   * True for a site that crashed and has not recovered yet: if it slept, its crashes would be lost.
   */
  hasCrashed: (key: string) => boolean
  /** Resolves with null once the process responds, or with the reason why it does not. */
  untilReady: (key: string) => Promise<ReleaseProblem | null>
  closing: AbortSignal
  log: Log
}

const checksPerLease = 8
const maxCheckMs = 15_000
/** How long a visit waits for the first process of a site that is about to serve. */
const maxSwitchMs = 10_000
const switchPollMs = 20

/**
 * Stops idle sites and wakes them. Each `wake` is a lease of `sleepAfterMs`, which gateways renew
 * while they have requests for the site. A sleeping site has a marker file, so it also sleeps after
 * a restart of the server.
 */
export const createSleep = (dependencies: Dependencies) => {
  const { layout, sleepAfterMs, exclusively, current, closing, log } = dependencies
  /** The sleeping sites, with the id of their last launch. */
  const asleep = new Map<string, string>()
  const awakeUntil = new Map<string, number>()

  const extend = (key: string) => void awakeUntil.set(key, performance.now() + sleepAfterMs)

  const remove = (key: string) => {
    asleep.delete(key)
    awakeUntil.delete(key)
  }

  /** Marks a site as awake: its process runs, or it was stopped. */
  const clear = async (key: string) => {
    remove(key)
    await rm(layout.site(key).asleep, { force: true })
  }

  /** The caller has the lock of the site. */
  const fallAsleep = async (key: string) => {
    const process = current(key)
    if (!process || closing.aborted || (awakeUntil.get(key) ?? 0) > performance.now()) return
    // From now on `wake` waits for the caller's lock.
    asleep.set(key, process.record.launch)
    try {
      // Before the stop: if the server is killed here, the next one does not start the site.
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
      const isBusy = dependencies.isStarting(key) || dependencies.hasCrashed(key)
      if (until === undefined || isBusy) extend(key)
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
    const interval = Math.min(maxCheckMs, Math.ceil(sleepAfterMs / checksPerLease))
    while (!closing.aborted) {
      const startedAt = performance.now()
      await delay(interval, undefined, { signal: closing, ref: false }).catch(() => undefined)
      // If this process was paused, gateways get one more interval to renew their leases.
      const isLate = performance.now() - startedAt > 2 * interval
      if (!closing.aborted && !isLate) await check()
    }
  }

  /**
   * Waits for the first process of a site. A release goes live before `apply` switches to its
   * process.
   */
  const untilSwitched = async (key: string) => {
    const until = performance.now() + maxSwitchMs
    const isWaiting = () => !current(key) && dependencies.hasCandidate(key) && !closing.aborted
    while (isWaiting() && performance.now() < until) await delay(switchPollMs)
  }

  /** Wakes a site whose lock the caller has. */
  const wakeLocked = async (key: string) => {
    if (!asleep.has(key) || closing.aborted) return
    await dependencies.start(key)
    // If the server is killed before this line, the next one adopts the process or lets it sleep.
    await clear(key)
    extend(key)
  }

  return {
    start() {
      if (sleepAfterMs > 0) void watch()
    },

    /** True for a site that slept under the previous server. It continues to sleep. */
    async recover(key: string): Promise<boolean> {
      if (sleepAfterMs === 0) return false
      const launch = await nullIfMissing(readFile(layout.site(key).asleep, 'utf8'))
      if (launch !== null) asleep.set(key, launch)
      return launch !== null
    },

    count: () => asleep.size,

    isAsleep: (key: string) => asleep.has(key),

    /** True for a sleeping site whose launch has not changed, so that it need not wake. */
    keepsAsleep: (key: string, launch: string) => asleep.get(key) === launch,

    clear,
    remove,

    /** See `HostingEngine.wake`. `isRecovering`: the site's process has not been looked up yet. */
    async wake(key: string, isRecovering: boolean): Promise<WakeResult> {
      try {
        if (isRecovering || asleep.has(key)) await exclusively(key, () => wakeLocked(key))
        await untilSwitched(key)
        if (!current(key)) return 'not_running'
        extend(key)
        const problem = await dependencies.untilReady(key)
        extend(key)
        if (!problem) return 'awake'
        log.warn({ key, ...problem }, 'A site does not respond after its start')
      } catch (err) {
        // The engine logs a full machine once; this would log each request.
        if (!(err instanceof CapacityError)) log.error({ key, err }, 'A site could not be woken')
      }
      return 'not_running'
    },
  }
}

export type Sleep = ReturnType<typeof createSleep>
