import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readlink, realpath } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../../../log.ts'
import { startError } from '../../../../start-error.ts'
import { signalGroup, signalTo } from '../machine/signals.ts'
import type { Cgroup } from '../sandbox/cgroup.ts'
import type { ListeningSocket } from './listening-socket.ts'
import { readStartTime } from './process-identity.ts'
import { type ProcessRecord, writeProcessRecord } from './process-record.ts'

export type Exit = {
  code: number | null
  signal: string | null
  /** True when the kernel ended a process of the site because memory ran out. */
  outOfMemory: boolean
  /** True when the kernel rejected a process of the site because it had too many. */
  tooManyProcesses: boolean
}

/** A running process of a site, started by this server or an earlier one. */
export type SiteProcess = {
  record: ProcessRecord
  /**
   * Resolves when the process and all others of its control group have ended, or have not ended
   * seconds after they were killed. Never rejects. Code and signal are null unless it is our child.
   */
  exited: Promise<Exit>
  /** Its control group; null for a program without a sandbox. */
  group: Cgroup | null
  /**
   * Sends SIGTERM, then SIGKILL after `graceMs`. Resolves when the process has exited: true if it
   * ignored SIGTERM.
   */
  stop(graceMs: number): Promise<boolean>
  /** Sends SIGKILL, which also ends a stopped process (SIGSTOP). See `exited`. */
  kill(): Promise<void>
}

export type Launch = {
  command: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** The user to start it as; null for the server's own. */
  account: { uid: number; gid: number } | null
  /** The maximum size of a file it may write, its log included, in bytes. */
  fileBytes: number
  logFd: number
  /** Descriptor 3 of the process. It is closed here, also when the process cannot start. */
  socket: ListeningSocket
  /** The descriptors of the process from 4 on; empty for a program without a sandbox. */
  sandboxFds: readonly number[]
  recordPath: string
  record: Omit<ProcessRecord, 'pid' | 'startTime' | 'group'>
  /** The control group that the command joins. */
  group: Cgroup | null
  log: Log
}

const adoptedPollMs = 500
/** The first check after this time compares the start times: the process id may be reused. */
const identityCheckMs = 10_000
const stoppingPollMs = 20

// Waits until the process is recorded: if the server dies before, its input ends and it exits, so
// that no unrecorded process remains. `exec` replaces the shell, so the process id stays. POSIX
// counts `ulimit -f` in blocks of 512 bytes. The limit also applies while no server truncates the
// log. The gateway, a member of the site's group, reads the files of a PHP site: hence the umask.
// The socket arrives as descriptor 0, because libuv makes only 0 to 2 blocking in a child: a worker
// of php-fpm ends when accept(2) finds no connection on a socket that does not block.
const waitThenRun =
  'IFS= read -r start <&3 || exit 0; umask 022; ulimit -c 0; ulimit -f "$1"; shift; exec "$@" 3<&0 </dev/null'
const blockBytes = 512

/** The exit of a process, after its control group is removed, or its processes have not ended. */
const cleanUp = async (
  { code, signal }: Pick<Exit, 'code' | 'signal'>,
  group: Cgroup | null,
  log: Log,
): Promise<Exit> => {
  const outOfMemory = group !== null && (await group.memoryKills()) > 0
  const tooManyProcesses = group !== null && (await group.rejectsForks())
  await group?.removeEventually(log)
  return { code, signal, outOfMemory, tooManyProcesses }
}

const exitOf = async (child: ChildProcess, group: Cgroup | null, log: Log): Promise<Exit> => {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return cleanUp({ code, signal }, group, log)
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
  terminate: () => Promise<void>,
  kill: () => Promise<void>,
  exited: Promise<Exit>,
  graceMs: number,
): Promise<boolean> => {
  await terminate()
  if (await isGoneWithin(exited, graceMs)) return false
  await kill()
  await exited
  return true
}

/**
 * Programs that end after the site's program ends: the shell of a start script, which waits for it,
 * and the relay of its connections.
 */
const helperPrograms = ['/bin/sh', '/usr/bin/socat', '/usr/local/bin/socat']

/** SIGTERM for the programs of a sandbox: not for bubblewrap, which would end without them. */
const terminateGroup = async (group: Cgroup, pid: number) => {
  const spared = await Promise.all(helperPrograms.map((path) => realpath(path).catch(() => null)))
  for (const id of await group.processes()) {
    const program = await readlink(`/proc/${id}/exe`).catch(() => null)
    // Without a file: an ended process, or another user's process that only root may inspect.
    if (id !== pid && program !== null && !spared.includes(program)) signalTo(id, 'SIGTERM')
  }
}

/** Starts the shell that runs the program once it reads a line. */
const spawnWaiting = ({ command, cwd, env, account, fileBytes, logFd, ...launch }: Launch) => {
  const blocks = Math.ceil(fileBytes / blockBytes)
  try {
    return spawn('/bin/sh', ['-c', waitThenRun, 'sh', String(blocks), ...command], {
      cwd,
      env: { ...env },
      detached: true,
      stdio: [launch.socket.fd, logFd, logFd, 'pipe', ...launch.sandboxFds],
      ...(account ?? {}),
    })
  } finally {
    // Before the event loop runs again: accepting on a socket that blocks would stop it.
    launch.socket.close()
  }
}

/** Starts a site in its own session, so that it survives a killed server. Rejects on failure. */
export const startSiteProcess = async (launch: Launch): Promise<SiteProcess> => {
  const { group } = launch
  const child = spawnWaiting(launch)
  if (child.pid === undefined) throw await startError(child)
  const { pid } = child
  const exited = exitOf(child, group, launch.log)

  // A site that exits before it reads its input is reported by its exit, not by EPIPE.
  const input = child.stdio[3] as Socket
  let inputError: Error | undefined
  input.on('error', (error) => {
    inputError = error
  })

  let record: ProcessRecord
  try {
    const startTime = await readStartTime(pid)
    if (startTime === null) {
      const { code, signal } = await exited
      throw new Error(`The site exited at once (code ${code}, signal ${signal})`, {
        cause: inputError,
      })
    }
    record = { ...launch.record, pid, startTime, group: group?.name ?? null }
    await writeProcessRecord(launch.recordPath, record)
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    throw error
  }
  input.write('start\n')
  input.destroySoon()
  child.unref()

  // To the process group: a start script may wait for the program.
  const signal = (name: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) signalGroup(pid, name)
  }
  const kill = async () => {
    signal('SIGKILL')
    await group?.kill()
  }
  return {
    record,
    exited,
    group,
    stop: (graceMs) => {
      child.ref()
      const terminate = () =>
        group ? terminateGroup(group, pid) : Promise.resolve(signal('SIGTERM'))
      return stopWith(terminate, kill, exited, graceMs)
    },
    kill,
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

/**
 * Adopts a process that an earlier server started; null when it has exited. Then its control group,
 * `group`, is removed.
 */
export const adoptSiteProcess = async (
  record: ProcessRecord,
  group: Cgroup | null,
  log: Log,
): Promise<SiteProcess | null> => {
  const isAlive = async () => (await readStartTime(record.pid)) === record.startTime
  if (!(await isAlive())) {
    await group?.removeEventually(log)
    return null
  }

  let pollMs = adoptedPollMs
  const untilGone = async () => {
    let identifiedAt = performance.now()
    for (;;) {
      await delay(pollMs, undefined, { ref: pollMs === stoppingPollMs })
      if (!idExists(record.pid)) return
      if (pollMs === adoptedPollMs && performance.now() - identifiedAt < identityCheckMs) continue
      // Unknown without file descriptors: then the next check tells.
      if (!(await isAlive().catch(() => true))) return
      identifiedAt = performance.now()
    }
  }
  const exited = untilGone().then(() => cleanUp({ code: null, signal: null }, group, log))

  const signal = async (name: 'SIGTERM' | 'SIGKILL') => {
    if (await isAlive()) signalGroup(record.pid, name)
  }
  const kill = async () => {
    await signal('SIGKILL')
    await group?.kill()
  }
  return {
    record,
    exited,
    group,
    stop: (graceMs) => {
      pollMs = stoppingPollMs
      const terminate = () => (group ? terminateGroup(group, record.pid) : signal('SIGTERM'))
      return stopWith(terminate, kill, exited, graceMs)
    },
    kill,
  }
}
