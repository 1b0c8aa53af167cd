import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const ps = (...args: string[]) => execFileSync('ps', args, { encoding: 'utf8' }).trim()

/** What a process has in memory, shared pages included, in bytes. */
export const residentBytes = (pid: number) => Number(ps('-o', 'rss=', '-p', String(pid))) * 1024

export const childrenOf = (pid: number) =>
  ps('-A', '-o', 'pid=,ppid=')
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child)

/**
 * What processes have in memory together, a shared page counted once among those that share it
 * (proportional set size). Linux alone tells; elsewhere undefined.
 */
export function proportionalBytes(pids: readonly number[]) {
  if (process.platform !== 'linux') return undefined
  return pids
    .map((pid) => /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
    .reduce((sum, kibibytes) => sum + Number(kibibytes ?? 0) * 1024, 0)
}
