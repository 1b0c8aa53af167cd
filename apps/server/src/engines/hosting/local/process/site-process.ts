import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { readStartTime } from './process-identity.ts'
import { type ProcessRecord, writeProcessRecord } from './process-record.ts'

export type Exit = { code: number | null; signal: string | null }

/** A running process of a site, started by this server or an earlier one. */
export type SiteProcess = {
  record: ProcessRecord
  /** Resolves when the process has exited. Code and signal are null unless it is our child. */
  exited: Promise<Exit>
  /** Sends SIGTERM, then SIGKILL after `graceMs`. Resolves when the process has exited. */
  stop(graceMs: number): Promise<void>
  /** Sends SIGKILL, which also ends a stopped process (SIGSTOP). See `exited`. */
  kill(): Promise<void>
}

export type Launch = {
  node: string
  nodeArguments: readonly string[]
  /** The site's own arguments. */
  siteArguments: readonly string[]
  cwd: string
  account: { uid: number; gid: number } | null
  /** The maximum size of a file it may write, its log included, in bytes. */
  fileBytes: number
  logFd: number
  recordPath: string
  version: string
  launch: string
}

const adoptedPollMs = 500
/** The first check after this time compares the start times: the process id may be reused. */
const identityCheckMs = 10_000
const stoppingPollMs = 20

// `exec` replaces the shell by node, so the process id stays. POSIX counts `ulimit -f` in blocks of
// 512 bytes. The limit also holds while no server truncates the log.
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
 * Starts a site in its own session, so that it survives a killed server. The process waits for its
 * standard input until its record is written: if the server dies before, the process exits too, and
 * no unrecorded process remains. Rejects when it cannot start.
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
  if (child.pid === undefined) await exited // Rejects with the reason: `once` handles the error event.
  const pid = child.pid as number

  // A site that exits before it reads its input is reported by its exit, not by EPIPE.
  let inputError: Error | undefined
  child.stdin?.on('error', (error) => {
    inputError = error
  })

  const startTime = await readStartTime(pid)
  if (startTime === null) {
    const { code, signal } = await exited
    throw new Error(`The site exited at once (code ${code}, signal ${signal})`, {
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

/** One system call, so that checking a thousand adopted processes costs little. */
const idExists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Adopts a process that an earlier server started; null when it has exited. */
export const adoptSiteProcess = async (record: ProcessRecord): Promise<SiteProcess | null> => {
  const lives = async () => (await readStartTime(record.pid)) === record.startTime
  if (!(await lives())) return null

  let pollMs = adoptedPollMs
  const untilGone = async (): Promise<Exit> => {
    let identifiedAt = performance.now()
    for (;;) {
      await delay(pollMs, undefined, { ref: pollMs === stoppingPollMs })
      if (!idExists(record.pid)) return { code: null, signal: null }
      if (pollMs === adoptedPollMs && performance.now() - identifiedAt < identityCheckMs) continue
      if (!(await lives())) return { code: null, signal: null }
      identifiedAt = performance.now()
    }
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
