import type { LogEntry, LogSource } from '@slipway/contract/logs'
import type { Log } from '../log.ts'
import { projectsWithLogs, removeLogs, removeOldLogs } from './log-files.ts'
import { createLogLayout, hourOf, type LogPlace, placeOf } from './log-layout.ts'
import { placeAfter, readBackward, readForward } from './log-reader.ts'
import { createLogWriter, type LogOptions, type LogWriter } from './log-writer.ts'

/** The logs of all projects: files by hour in the data folder. */
export type Logs = LogWriter & {
  /** At most the newest `limit` lines, or the newest before a position; the oldest first. */
  page(
    key: string,
    source: LogSource,
    options: { before?: string | undefined; limit: number },
  ): Promise<LogEntry[]>
  /**
   * Follows a log: each call gives the lines since the previous call. The first gives the newest
   * `limit` lines; with `after` it gives none, and the second starts after that position.
   */
  follow(
    key: string,
    source: LogSource,
    options: { after?: string | undefined; limit: number },
  ): () => Promise<LogEntry[]>
  /** Removes the logs of a project. */
  remove(key: string): Promise<void>
  /** The keys of the projects with logs. */
  projects(): Promise<string[]>
  /** Removes the hours past the retention, and the oldest of a log that is too large. */
  removeOld(key: string): Promise<void>
}

/** Opens the logs in a data folder. Nothing is created until the first line is written. */
export function createLogs(dataDir: string, log: Log, options?: LogOptions): Logs {
  const layout = createLogLayout(dataDir)
  return {
    ...createLogWriter(layout, log, options),
    page: (key, source, { before, limit }) =>
      readBackward(layout, key, source, {
        before: before === undefined ? undefined : placeOf(before),
        limit,
      }),
    follow(key, source, { after, limit }) {
      let place: LogPlace | undefined
      return async () => {
        if (place) {
          const { entries, next } = await readForward(layout, key, source, place)
          place = next
          return entries
        }
        if (after !== undefined) {
          place = await placeAfter(layout, key, source, placeOf(after))
          return []
        }
        // Read the time first, so that the next call gets lines written meanwhile.
        const now = hourOf(Date.now())
        const entries = await readBackward(layout, key, source, { limit })
        const last = entries.at(-1)
        place = last
          ? await placeAfter(layout, key, source, placeOf(last.position))
          : { hour: now, offset: 0 }
        return entries
      }
    },
    remove: (key) => removeLogs(layout, key),
    projects: () => projectsWithLogs(layout),
    removeOld: (key) => removeOldLogs(layout, key, Date.now()),
  }
}
