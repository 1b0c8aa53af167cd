import type { Log } from '../../../log.ts'
import type { Layout } from './files/layout.ts'
import { readApplied } from './process/site-folder.ts'
import { socketOf } from './process/site-launcher.ts'
import type { SiteOutput } from './process/site-output.ts'
import type { SiteProcess } from './process/site-process.ts'
import type { LocalRuntime } from './runtimes/runtime.ts'
import type { Supervisor } from './supervisor/supervisor.ts'

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
    const { background } = runtimes.find(({ id }) => id === instance?.runtime) ?? {}
    if (!instance || !background) return
    const signal = AbortSignal.any([closing, AbortSignal.timeout(backgroundMs)])
    await background(socketOf(files, process), instance, signal)
  }

  /** One site after the other, because no call waits for it. */
  async function runBackground() {
    for (const [key, supervisor] of supervisors) {
      const process = supervisor.current()
      if (process && !closing.aborted) await runBackgroundOf(key, process)
    }
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
      schedule(runBackground, backgroundMs, 'The background work of a site failed')
    },

    stop() {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
