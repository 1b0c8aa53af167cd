import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { logSources } from '@slipway/contract/logs'
import { serviceLimits } from '@slipway/contract/service-limits'
import { nullIfMissing } from '../file-errors.ts'
import { hourOfFile, isProjectFolder, type LogLayout, oldestHour } from './log-layout.ts'

const namesIn = async (folder: string) => (await nullIfMissing(readdir(folder))) ?? []

export const projectsWithLogs = async (layout: LogLayout): Promise<string[]> =>
  (await namesIn(layout.root)).filter(isProjectFolder)

/** Repeats the removal if a line is written meanwhile. */
export const removeLogs = (layout: LogLayout, key: string): Promise<void> =>
  rm(layout.project(key), { recursive: true, force: true, maxRetries: 3 })

/** Removes the hours past the retention, and the oldest of a log that is too large. */
export async function removeOldLogs(layout: LogLayout, key: string, now: number): Promise<void> {
  const oldest = oldestHour(now, serviceLimits.logDays)
  for (const source of logSources) {
    const folder = layout.folder(key, source)
    const names = (await namesIn(folder)).filter((name) => hourOfFile(name)).sort()
    let bytes = 0
    for (const name of names.reverse()) {
      const path = join(folder, name)
      bytes += (await stat(path)).size
      if (name < oldest || bytes > serviceLimits.logBytes) await rm(path, { force: true })
    }
  }
}
