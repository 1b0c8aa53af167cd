import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'sw-'
/** More than all tests together store at once. */
const neededBytes = 6e9

/**
 * Sets TMPDIR to a folder in memory, unless it is set: the tests start many databases, and would
 * mostly wait for a slow disk. The folder is removed when this process exits. The disk is used if
 * memory is short, or is mounted without permission to run programs.
 */
export function useMemoryFolder() {
  if (process.env.TMPDIR || !isUsable()) return
  removeStaleFolders()
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  // As /tmp: databases and sites run as other users.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.once('exit', () => remove(folder))
}

function isUsable() {
  if (process.platform !== 'linux') return false
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, path, type]) => path === memory && type === 'tmpfs')
  const options = mount?.[3]?.split(',') ?? ['noexec']
  if (options.includes('noexec') || options.includes('ro')) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= neededBytes && freeMemory() >= neededBytes
}

/** The memory available without swapping (proc(5)), in bytes. */
function freeMemory() {
  const [, kilobytes] =
    /^MemAvailable: +(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/**
 * Removes the folders of runs that were killed. Their processes are gone, and nothing in them has
 * changed for an hour: the processes of another container are not visible here.
 */
function removeStaleFolders() {
  for (const name of readdirSync(memory)) {
    const pid = Number(name.slice(prefix.length))
    if (!name.startsWith(prefix) || !Number.isInteger(pid) || isRunning(pid)) continue
    const { mtimeMs = Date.now() } = statSync(join(memory, name), { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > 3_600_000) remove(join(memory, name))
  }
}

/** @param {string} folder */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    // A file that is still in use fails no test: a later run removes it.
    process.stderr.write(`${folder} stays: ${error instanceof Error ? error.message : error}\n`)
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}
