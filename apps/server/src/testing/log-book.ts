import type { Log } from '../log.ts'

export type LogLine = { level: keyof Log; message: string; [field: string]: unknown }

export const createLogBook = (): { log: Log; lines: LogLine[] } => {
  const lines: LogLine[] = []
  const record = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ ...fields, level, message })
  }
  return { log: { info: record('info'), warn: record('warn'), error: record('error') }, lines }
}
