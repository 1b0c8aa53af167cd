import { textsOf } from './log-record.ts'
import type { LogWriter } from './log-writer.ts'

/** Logs what the program of a site reports with a response, beside what it prints. */
export const createErrorLog =
  ({ add }: Pick<LogWriter, 'add'>) =>
  (key: string, output: string): void => {
    const time = Date.now()
    for (const line of output.replace(/\n$/, '').split('\n'))
      for (const text of textsOf(line)) add(key, 'site', { time, text })
  }
