import { execFileSync } from 'node:child_process'
import { print } from './table.ts'

/** Limits a process to one core, with `taskset` of util-linux; without it, prints a warning. */
export function pinTo(core: number, pid: number) {
  try {
    execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })
  } catch {
    print(`Process ${pid} could not be limited to core ${core}.`)
  }
}
