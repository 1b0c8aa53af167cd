import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { readStartTime } from './process-identity.ts'
import { type ProcessRecord, writeProcessRecord } from './process-record.ts'

export type Exit = { code: number | null; signal: string | null }

/** A running process of a site, started by this server or by one before it. */
export type SiteProcess = {
  record: ProcessRecord
  /** Resolves when the process is gone. Code and signal are null when it was not our child. */
  exited: Promise<Exit>
  /** Asks it to end, makes it end after `graceMs`, and resolves when it is really gone. */
  stop(graceMs: number): Promise<void>
  /** Ends it without asking, also when it is stopped (SIGSTOP); `exited` tells when it is gone. */
  kill(): Promise<void>
}

export type Launch = {
  node: string
  nodeArguments: readonly string[]
  /** The site's own arguments. */
  siteArguments: readonly string[]
  cwd: string
  account: { uid: number; gid: number } | null
  /** The largest file the process may write, in bytes; its log is one. */
  fileBytes: number
  logFd: number
  recordPath: string
  version: string
  launch: string
}

const adoptedPollMs = 250
const stoppingPollMs = 20

// The shell replaces itself by node, so the process id stays. POSIX counts `ulimit -f` in blocks of
// 512 bytes. The kernel enforces it also while no server runs that could cut the log.
const limitThenRun = 'ulimit -c 0; ulimit -f "$1"; shift; exec "$@"'
const blockBytes = 512

const exitOf = async (child: ChildProcess): Promise<Exit> => {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return { code, signal }
}

const isGoneWithin = (exited: Promise<Exit>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false)
    exited.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })

const stopWith = async (
  signal: (name: 'SIGTERM' | 'SIGKILL') => void | Promise<void>,
  exited: Promise<Exit>,
  graceMs: number,
) => {
  await signal('SIGTERM')
  if (await isGoneWithin(exited, graceMs)) return
  await signal('SIGKILL')
  await exited
}

/**
 * Starts the process of a site in its own session, so that it outlives a killed server. It waits on
 * its standard input until it is written down: if this server dies in between, the input ends and
 * so does the process, and none is left that nobody knows. Rejects when it cannot be started.
 */
export const startSiteProcess = async (launch: Launch): Promise<SiteProcess> => {
  const { node, nodeArguments, siteArguments, account, logFd } = launch
  const blocks = Math.ceil(launch.fileBytes / blockBytes)
  const command = [limitThenRun, 'sh', String(blocks), node, ...nodeArguments, ...siteArguments]
  const child = spawn('/bin/sh', ['-c', ...command], {
    cwd: launch.cwd,
    env: {},
    detached: true,
    stdio: ['pipe', logFd, logFd],
    ...(account ?? {}),
  })
  const exited = exitOf(child)
  if (child.pid === undefined) await exited // Rejects with the reason: `once` hears the error event.
  const pid = child.pid as number

  // The site may end before it read its input; that is told by its exit, not by the broken pipe.
  let inputError: Error | undefined
  child.stdin?.on('error', (error) => {
    inputError = error
  })

  const startTime = await readStartTime(pid)
  if (startTime === null) {
    const { code, signal } = await exited
    throw new Error(`The site ended at once (code ${code}, signal ${signal})`, {
      cause: inputError,
    })
  }
  const record = { pid, startTime, version: launch.version, launch: launch.launch }
  try {
    await writeProcessRecord(launch.recordPath, record)
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    throw error
  }
  child.stdin?.end('start\n')
  child.unref()

  return {
    record,
    exited,
    stop: (graceMs) => {
      child.ref()
      return stopWith((name) => void child.kill(name), exited, graceMs)
    },
    kill: async () => void child.kill('SIGKILL'),
  }
}

/** Takes on a process that an earlier server started; null when the recorded one is gone. */
export const adoptSiteProcess = async (record: ProcessRecord): Promise<SiteProcess | null> => {
  const lives = async () => (await readStartTime(record.pid)) === record.startTime
  if (!(await lives())) return null

  let pollMs = adoptedPollMs
  const untilGone = async (): Promise<Exit> => {
    while (await lives()) await delay(pollMs, undefined, { ref: pollMs === stoppingPollMs })
    return { code: null, signal: null }
  }
  const exited = untilGone()

  const signal = async (name: 'SIGTERM' | 'SIGKILL') => {
    if (await lives()) process.kill(record.pid, name)
  }
  return {
    record,
    exited,
    stop: (graceMs) => {
      pollMs = stoppingPollMs
      return stopWith(signal, exited, graceMs)
    },
    kill: () => signal('SIGKILL'),
  }
}
