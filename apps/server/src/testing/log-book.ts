import type { Log } from '../log.ts'

export type LogLine = { level: keyof Log; message: string; [field: string]: unknown }

/** A log that keeps its lines. */
export const createLogBook = (): { log: Log; lines: LogLine[] } => {
  const lines: LogLine[] = []
  const at = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ ...fields, level, message })
  }
  return { log: { info: at('info'), warn: at('warn'), error: at('error') }, lines }
}
