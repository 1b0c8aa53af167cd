import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const ps = (...args: string[]) => execFileSync('ps', args, { encoding: 'utf8' }).trim()

/** The resident memory of a process in bytes, with its shared pages. */
export const residentBytes = (pid: number) => Number(ps('-o', 'rss=', '-p', String(pid))) * 1024

export const childrenOf = (pid: number) =>
  ps('-A', '-o', 'pid=,ppid=')
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child)

/**
 * The memory of several processes in bytes, where a shared page counts once (proportional set
 * size). Linux only; undefined on other systems.
 */
export function proportionalBytes(pids: readonly number[]) {
  if (process.platform !== 'linux') return undefined
  return pids
    .map((pid) => /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
    .reduce((sum, kibibytes) => sum + Number(kibibytes ?? 0) * 1024, 0)
}
