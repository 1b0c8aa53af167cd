import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A PostgreSQL server process, from its `postmaster.pid`. */
export interface Postmaster {
  pid: number
  port: number
  socketFolder: string
  state: 'ready' | 'starting_or_stopping'
}

/**
 * The running server of the cluster in `folder`, if any. A process with the reused id of a crashed
 * server does not count.
 */
export function findPostmaster(folder: string): Postmaster | undefined {
  const lines = readLines(join(folder, 'postmaster.pid'))
  const pid = Number(lines?.[0])
  if (!lines || !isPostmaster(pid, folder)) return undefined
  // The meaning of the lines: PostgreSQL's src/include/utils/pidfile.h
  return {
    pid,
    port: Number(lines[3]),
    socketFolder: lines[4] ?? '',
    state: lines[7]?.trim() === 'ready' ? 'ready' : 'starting_or_stopping',
  }
}

// Larger than any process id.
const UNUSED_PID = 2_000_000_000

/**
 * Corrects the files of a crashed server whose process id now belongs to another process or a
 * zombie: PostgreSQL would take it for the running server and not start.
 *
 * `postmaster.pid` stays, with an unused process id, for its shared memory key: by it PostgreSQL
 * detects whether backends of the crashed server still write.
 */
export function correctStaleFiles(folder: string, socketFolder: string | undefined): void {
  const pidFile = join(folder, 'postmaster.pid')
  const [pid, ...rest] = readLines(pidFile) ?? []
  if (pid && isAlive(Number(pid)) && !isPostmaster(Number(pid), folder)) {
    writeFileSync(pidFile, [UNUSED_PID, ...rest].join('\n'))
  }
  if (!socketFolder) return
  const lockFile = join(socketFolder, '.s.PGSQL.5432.lock')
  const [locker] = readLines(lockFile) ?? []
  if (locker && !isPostmaster(Number(locker), folder)) rmSync(lockFile)
}

function readLines(path: string) {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

// A server's working folder is its cluster; on other systems than Linux its command line names it.
function isPostmaster(pid: number, folder: string) {
  if (!isAlive(pid)) return false
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === folder
    if (process.platform === 'win32') return true
    return execFileSync('ps', ['-p', `${pid}`, '-o', 'command='], { encoding: 'utf8' }).includes(
      folder,
    )
  } catch {
    // The process exited meanwhile, or belongs to another user and is not ours.
    return false
  }
}

function isAlive(pid: number) {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
