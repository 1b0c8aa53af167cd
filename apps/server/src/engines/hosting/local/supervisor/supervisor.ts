import type { Log } from '../../../../log.ts'
import { type Crashes, isLoop } from '../../crashes.ts'
import { type Ending, siteNotes } from '../process/site-notes.ts'
import type { SiteProcess } from '../process/site-process.ts'
import { type HangRules, watchForHang } from './hang-watch.ts'

/** Backoff between restarts, in milliseconds. */
export type Backoff = {
  /** Before the first restart; doubles with each further one. */
  initialMs: number
  maxMs: number
  /** A site that ran this long starts again with `initialMs`. */
  resetAfterMs: number
}

export type Supervisor = {
  current(): SiteProcess | null
  /** True while the site waits for its restart after a crash. */
  isRestarting(): boolean
  /** The crashes of the current launch; null while it runs well. */
  crashes(): Crashes | null
  /** Why the site keeps ending; null while it does not. */
  problem(): 'program_crashes' | 'out_of_memory' | null
  /** Supervises a running process. With `restart` a new one follows when it dies. */
  adopt(process: SiteProcess, restart: boolean): void
  /** Supervises another process from now on, and returns the previous one, which keeps running. */
  replace(process: SiteProcess): SiteProcess | null
  /** Starts the site unless it runs or a restart is scheduled. Rejects when it cannot start. */
  ensureRunning(): Promise<void>
  /** Stops the process and cancels a scheduled restart. */
  stop(graceMs: number): Promise<void>
  /** Notes once for each process in the site's log that it has reached its limit of processes. */
  noteForks(): Promise<void>
  /** Ends the supervision and cancels a scheduled restart; the process keeps running. */
  detach(): void
}

export type SupervisorOptions = {
  key: string
  launch: () => Promise<SiteProcess>
  exclusively: (task: () => Promise<void>) => Promise<void>
  /** True when the process responds; never rejects. */
  responds: (process: SiteProcess) => Promise<boolean>
  /** True if the ended process reported that its memory ran out; never rejects. */
  tellsOutOfMemory: () => Promise<boolean>
  backoff: Backoff
  /** A site that has run for this time has recovered from crashes, in milliseconds. */
  steadyMs: number
  hang: HangRules
  /** The time since any start, in milliseconds; never goes back. */
  now: () => number
  /** Adds a line of the service to the site's log; never rejects. */
  note: (text: string) => Promise<void>
  /** Aborts when the engine closes, which ends restarts. */
  closing: AbortSignal
  log: Log
}

/** Keeps exactly one process of a site running, and replaces it when it dies or hangs. */
export const createSupervisor = (options: SupervisorOptions): Supervisor => {
  const { key, launch, exclusively, responds, tellsOutOfMemory } = options
  const { backoff, steadyMs, hang, now, note, closing, log } = options
  let running: SiteProcess | null = null
  let endWatch = () => {}
  let startedAt = 0
  let retry: NodeJS.Timeout | null = null
  let failures = 0
  let shouldRun = false
  let isRestarting = false
  let hasNotedForks = false
  /** How the last process ended that was not stopped. */
  let ending: Ending | null = null
  let crashes: (Crashes & { launch: string; outOfMemory: boolean }) | null = null

  const isSteady = () => running !== null && now() - startedAt >= steadyMs

  const currentCrashes = () => (isSteady() ? null : crashes)

  const recordCrash = (launch: string, livedMs: number, outOfMemory: boolean) => {
    const earlier = crashes?.launch === launch && livedMs < steadyMs ? crashes.count : 0
    const crash = { launch, count: earlier + 1, lastAt: Date.now(), outOfMemory }
    crashes = crash
    // The kernel knows nothing of a program that ends itself before the limit of its group.
    if (!outOfMemory)
      void tellsOutOfMemory().then((isTold) => {
        crash.outOfMemory = isTold
      })
  }

  const scheduleRestart = () => {
    const waitMs = Math.min(backoff.initialMs * 2 ** failures, backoff.maxMs)
    failures += 1
    retry = setTimeout(() => {
      retry = null
      restart().catch((error: unknown) => {
        if (closing.aborted) return
        isRestarting = false
        log.error({ key, err: error, restarts: failures }, 'A site could not be restarted')
        scheduleRestart()
      })
    }, waitMs)
    retry.unref()
    return waitMs
  }

  const noteForksOnce = async (tooManyProcesses: boolean | undefined) => {
    if (!tooManyProcesses || hasNotedForks) return
    hasNotedForks = true
    await note(siteNotes.tooManyProcesses)
  }

  const watch = (process: SiteProcess) => {
    running = process
    hasNotedForks = false
    isRestarting = false
    startedAt = now()
    let hung = false
    const { pid, launch: launchId } = process.record
    if (crashes?.launch !== launchId) crashes = null
    endWatch = watchForHang(
      hang,
      () => responds(process),
      () => {
        hung = true
        log.warn({ key, pid }, 'A site hangs and is killed')
        process.kill().catch((error: unknown) => {
          log.error({ key, pid, err: error }, 'A hanging site could not be killed')
        })
      },
    )
    process.exited.then(({ code, signal, outOfMemory, tooManyProcesses }) => {
      if (running !== process) return
      endWatch()
      running = null
      if (!shouldRun) return
      const livedMs = Math.round(now() - startedAt)
      if (livedMs >= backoff.resetAfterMs) failures = 0
      recordCrash(launchId, livedMs, outOfMemory)
      ending = { code, signal, livedMs, hung }
      void noteForksOnce(tooManyProcesses)
      isRestarting = true
      const waitMs = scheduleRestart()
      log.warn({ key, pid, code, signal, livedMs, restarts: failures, waitMs }, 'A site died')
    })
  }

  const start = async () => watch(await launch())

  /** The page of the project reports a crash loop, whose restarts would fill the log. */
  const noteRestart = () => {
    if (ending && crashes && !isLoop(crashes)) void note(siteNotes.restarted(ending))
  }

  const cancelRestart = () => {
    shouldRun = false
    isRestarting = false
    if (retry) clearTimeout(retry)
    retry = null
  }

  const restart = () =>
    exclusively(async () => {
      if (!shouldRun || running || closing.aborted) return
      await start()
      noteRestart()
    })

  return {
    current: () => running,
    isRestarting: () => isRestarting,
    crashes: currentCrashes,
    problem() {
      const current = currentCrashes()
      if (!current || !isLoop(current)) return null
      return current.outOfMemory ? 'out_of_memory' : 'program_crashes'
    },
    adopt(process, restart) {
      shouldRun = restart
      watch(process)
    },
    replace(process) {
      cancelRestart()
      endWatch()
      const replaced = running
      failures = 0
      shouldRun = true
      watch(process)
      return replaced
    },
    async ensureRunning() {
      shouldRun = true
      if (!running && !retry) await start()
    },
    async stop(graceMs) {
      cancelRestart()
      crashes = null
      const process = running
      if (!process) return
      const wasKilled = await process.stop(graceMs)
      running = null
      if (wasKilled) await note(siteNotes.killed(graceMs))
    },
    noteForks: async () => noteForksOnce(await running?.group?.rejectsForks()),
    detach() {
      cancelRestart()
      endWatch()
      running = null
    },
  }
}
