import { maxLinesAtOnce, textsOf } from './log-record.ts'
import type { LogWriter } from './log-writer.ts'

/** Logs the error output that a site's program sends with a response (FastCGI stderr). */
export const createErrorLog =
  ({ add }: Pick<LogWriter, 'add'>) =>
  (key: string, output: string): void => {
    const time = Date.now()
    for (const line of output.replace(/\n$/, '').split('\n', maxLinesAtOnce))
      for (const text of textsOf(line)) add(key, 'site', { time, text })
  }
