import { writeSync } from 'node:fs'

export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

const standardOutput = 1

/**
 * JSON lines on standard output. A line that cannot be written, as on a full disk, is counted, and
 * the next line reports the number. `process.stdout` would end the process instead.
 */
export const createLog = (): Log => {
  let lostLines = 0
  const line = (level: string) => (fields: object, message: string) => {
    const lost = lostLines > 0 ? { lostLines } : {}
    const entry = { level, time: new Date().toISOString(), message, ...fields, ...lost }
    try {
      writeSync(standardOutput, `${JSON.stringify(entry)}\n`)
      lostLines = 0
    } catch {
      lostLines += 1
    }
  }
  return { info: line('info'), warn: line('warn'), error: line('error') }
}
