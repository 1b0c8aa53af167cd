import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../../apps/server/dist/main.js', import.meta.url))
const shiftedClock = fileURLToPath(new URL('shifted-clock.ts', import.meta.url))
const endWithParent = new URL('../../../tools/end-with-parent.mjs', import.meta.url).href

/** The delay before a restart in milliseconds, such as a service manager has. */
const restartDelay = 300
/** The server's shutdown deadline, and a margin for a busy machine. */
const maxShutdownMs = 45_000

/** The end of a process to which no fault sent a signal. */
export type Crash = { name: string; code: number | null; logged: string }

/** The text that a server prints if it cannot start, for example without its database. */
const failedStart = 'Slipway cannot start'

/**
 * Runs a server and restarts it whenever it ends, as a service manager does. Calls `onCrash` for an
 * end that no fault explains: after its start, without a signal.
 */
export function superviseServer(
  name: string,
  logFile: string,
  env: Record<string, string>,
  onCrash: (crash: Crash) => void,
) {
  let child: ChildProcess | undefined
  let stopped = false
  let signalled = false
  let clockOffset = 0

  function start() {
    const log = openSync(logFile, 'a')
    const logged = statSync(logFile).size
    signalled = false
    child = spawn(
      process.execPath,
      [
        '--enable-source-maps',
        '--import',
        endWithParent,
        ...(clockOffset === 0 ? [] : ['--import', shiftedClock]),
        main,
      ],
      {
        env: { PATH: process.env.PATH, ...env, CLOCK_OFFSET: String(clockOffset) },
        stdio: ['ignore', log, log],
      },
    )
    child.once('exit', async (code) => {
      const lines = readFileSync(logFile).subarray(logged).toString()
      if (!signalled && !stopped && !lines.includes(failedStart))
        onCrash({ name, code, logged: lines.slice(-1_000) })
      await sleep(restartDelay)
      if (!stopped) start()
    })
  }

  async function sendSignal(signal: NodeJS.Signals) {
    const ending = child
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    signalled = true
    const exit = once(ending, 'exit')
    ending.kill(signal)
    const timeout = AbortSignal.timeout(maxShutdownMs)
    await Promise.race([exit, once(timeout, 'abort')])
    if (ending.exitCode === null && ending.signalCode === null) {
      ending.kill('SIGKILL')
      throw new Error(`${name} did not end in ${maxShutdownMs / 1000} s after ${signal}`)
    }
  }

  start()
  return {
    name,
    /** Sends a signal; the supervisor starts the process again. */
    restart: sendSignal,
    /** Restarts it with its clock shifted by `offset`, also after later restarts. */
    async restartWithClock(offset: number) {
      clockOffset = offset
      await sendSignal('SIGTERM')
    },
    /** Ends the process without a restart. */
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      stopped = true
      await sendSignal(signal)
    },
  }
}
