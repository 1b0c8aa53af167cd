import { readdirSync, readFileSync } from 'node:fs'

/** How many files this process may open; undefined on other systems than Linux. */
export function openFilesLimit() {
  if (process.platform !== 'linux') return undefined
  const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return limit === undefined ? undefined : Number(limit)
}

/** How many files this process has open. Linux only. */
export const countOpenFiles = () => readdirSync('/proc/self/fd').length
