import type { Log } from '../../../../log.ts'
import type { SiteProcess } from '../process/site-process.ts'
import { type HangRules, watchForHang } from './hang-watch.ts'

/** How fast a site that keeps dying is started again. All in milliseconds. */
export type Backoff = {
  /** Before the first restart; each further one waits twice as long. */
  initialMs: number
  maxMs: number
  /** A site that lived this long starts over with `initialMs`. */
  resetAfterMs: number
}

export type Supervisor = {
  /** The process that runs now, or null. */
  current(): SiteProcess | null
  /** Supervises a process found running; `restart` says whether a new one follows when it dies. */
  adopt(process: SiteProcess, restart: boolean): void
  /** Starts the site unless it runs or waits for its next restart. Rejects when it cannot start. */
  ensureRunning(): Promise<void>
  /** Ends the process and every plan to start one. */
  stop(graceMs: number): Promise<void>
}

export type SupervisorOptions = {
  key: string
  launch: () => Promise<SiteProcess>
  /** Runs a task when no other works on this site. */
  exclusively: (task: () => Promise<void>) => Promise<void>
  /** Whether the site answers; resolves in either case. */
  responds: () => Promise<boolean>
  backoff: Backoff
  hang: HangRules
  log: Log
}

/** Keeps one site running: never two processes of it, and a new one when the old one dies or hangs. */
export const createSupervisor = (options: SupervisorOptions): Supervisor => {
  const { key, launch, exclusively, responds, backoff, hang, log } = options
  let running: SiteProcess | null = null
  let startedAt = 0
  let retry: NodeJS.Timeout | null = null
  let failures = 0
  let wanted = false

  const planRestart = () => {
    const waitMs = Math.min(backoff.initialMs * 2 ** failures, backoff.maxMs)
    failures += 1
    retry = setTimeout(() => {
      retry = null
      startAgain().catch((error: unknown) => {
        log.error({ key, err: error, restarts: failures }, 'A site could not be started again')
        planRestart()
      })
    }, waitMs)
    retry.unref()
    return waitMs
  }

  const watch = (process: SiteProcess) => {
    running = process
    startedAt = performance.now()
    const { pid } = process.record
    const endWatch = watchForHang(hang, responds, () => {
      log.warn({ key, pid }, 'A site hangs and is killed')
      process.kill().catch((error: unknown) => {
        log.error({ key, pid, err: error }, 'A site that hangs could not be killed')
      })
    })
    process.exited.then(({ code, signal }) => {
      endWatch()
      if (running !== process) return
      running = null
      if (!wanted) return
      const livedMs = Math.round(performance.now() - startedAt)
      if (livedMs >= backoff.resetAfterMs) failures = 0
      const waitMs = planRestart()
      log.warn({ key, pid, code, signal, livedMs, restarts: failures, waitMs }, 'A site died')
    })
  }

  const start = async () => watch(await launch())

  const startAgain = () =>
    exclusively(async () => {
      if (wanted && !running) await start()
    })

  return {
    current: () => running,
    adopt(process, restart) {
      wanted = restart
      watch(process)
    },
    async ensureRunning() {
      wanted = true
      if (!running && !retry) await start()
    },
    async stop(graceMs) {
      wanted = false
      if (retry) clearTimeout(retry)
      retry = null
      const process = running
      if (!process) return
      await process.stop(graceMs)
      running = null
    },
  }
}
