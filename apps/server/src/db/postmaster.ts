import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A PostgreSQL server process, as it describes itself in its `postmaster.pid`. */
export interface Postmaster {
  pid: number
  port: number
  socketFolder: string
  state: 'ready' | 'passing'
}

/**
 * The server that runs on the cluster in `folder`, if one does. A process that merely got the
 * process id which a crashed server left in its file is not taken for it.
 */
export function findPostmaster(folder: string): Postmaster | undefined {
  const lines = readPidFile(folder)
  const pid = Number(lines?.[0])
  if (!lines || !isPostmaster(pid, folder)) return undefined
  // The lines' meaning: PostgreSQL's src/include/utils/pidfile.h
  return {
    pid,
    port: Number(lines[3]),
    socketFolder: lines[4] ?? '',
    state: lines[7]?.trim() === 'ready' ? 'ready' : 'passing',
  }
}

/**
 * Removes a `postmaster.pid` whose process id belongs to somebody else by now. PostgreSQL finds
 * the other stale ones itself, and knows more about those (it looks for left-over backends).
 */
export function removeMisleadingPidFile(folder: string): void {
  const lines = readPidFile(folder)
  const pid = Number(lines?.[0])
  if (lines && isAlive(pid) && !isPostmaster(pid, folder)) rmSync(join(folder, 'postmaster.pid'))
}

function readPidFile(folder: string) {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

// A server's working folder is its cluster's; elsewhere than on Linux its command line names it.
function isPostmaster(pid: number, folder: string) {
  if (!isAlive(pid)) return false
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === folder
    if (process.platform === 'win32') return true
    return execFileSync('ps', ['-p', `${pid}`, '-o', 'command='], { encoding: 'utf8' }).includes(
      folder,
    )
  } catch {
    // It ended between the two looks, or it is another user's and so none of ours.
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
