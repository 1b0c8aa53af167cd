import { createLimiter } from '../../../limiter.ts'
import type { Log } from '../../../log.ts'
import type { Layout } from './files/layout.ts'
import { readApplied } from './process/site-folder.ts'
import { socketOf } from './process/site-launcher.ts'
import type { SiteOutput } from './process/site-output.ts'
import type { SiteProcess } from './process/site-process.ts'
import type { LocalRuntime } from './runtimes/runtime.ts'
import type { Supervisor } from './supervisor/supervisor.ts'

const backgroundAtOnce = 4
/** wp-cron.php ends its response at once, and works on: a site that does not respond hangs. */
const backgroundTimeoutMs = 30_000

type SchedulesOptions = {
  layout: Layout
  supervisors: ReadonlyMap<string, Supervisor>
  /** The sites with a process that is checked beside the serving one. */
  checked: () => Iterable<string>
  runtimes: readonly LocalRuntime[]
  output: SiteOutput
  /** The interval between two reads of the sites' output, in milliseconds. */
  logCheckMs: number
  /** The interval between two checks of the sites' limits of processes, in milliseconds. */
  forkCheckMs: number
  /** The interval between two runs of the background work of sites, in milliseconds. */
  backgroundMs: number
  closing: AbortSignal
  log: Log
}

/** Reads the sites' output and runs their background work at intervals. */
export function createSchedules(options: SchedulesOptions) {
  const { layout, supervisors, checked, runtimes, output, closing, log } = options
  const { logCheckMs, forkCheckMs, backgroundMs } = options
  const background = createLimiter(backgroundAtOnce)
  const timers = new Map<() => Promise<void>, NodeJS.Timeout>()

  async function collectOutput() {
    await output.collect(new Map([...supervisors.keys()].map((key) => [key, layout.site(key).log])))
    for (const key of checked()) await output.shorten(layout.site(key).candidateLog)
  }

  async function noteForks() {
    for (const supervisor of supervisors.values()) await supervisor.noteForks()
  }

  async function runBackgroundOf(key: string, process: SiteProcess) {
    const files = layout.site(key)
    const instance = await readApplied(files)
    const runtime = runtimes.find(({ id }) => id === instance?.runtime)
    if (!instance || !runtime?.background) return
    const signal = AbortSignal.any([closing, AbortSignal.timeout(backgroundTimeoutMs)])
    await runtime.background(socketOf(files, process), instance, signal)
  }

  /** A few sites at once: no call waits for them, and one that hangs must not delay all others. */
  async function runBackground() {
    const run = async (key: string, supervisor: Supervisor) => {
      const process = supervisor.current()
      if (!process || closing.aborted) return
      await runBackgroundOf(key, process).catch((err: unknown) =>
        log.error({ key, err }, 'The background work of a site failed'),
      )
    }
    await Promise.all(
      [...supervisors].map(([key, supervisor]) => background.run(() => run(key, supervisor))),
    )
  }

  function schedule(work: () => Promise<void>, everyMs: number, failure: string) {
    if (closing.aborted) return
    const timer = setTimeout(() => {
      work()
        .catch((err: unknown) => log.error({ err }, failure))
        .finally(() => schedule(work, everyMs, failure))
    }, everyMs)
    timer.unref()
    timers.set(work, timer)
  }

  return {
    collectOutput,

    start() {
      schedule(collectOutput, logCheckMs, 'The output of sites was not read')
      schedule(noteForks, forkCheckMs, 'The limits of processes were not checked')
      schedule(runBackground, backgroundMs, 'The background work of sites failed')
    },

    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
