export type Log = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** JSON lines on standard output, which whoever runs the site keeps as its log. */
export const createLog = (): Log => {
  const line = (level: string) => (fields: object, message: string) => {
    const time = new Date().toISOString()
    process.stdout.write(`${JSON.stringify({ level, time, message, ...fields })}\n`)
  }
  return { info: line('info'), warn: line('warn'), error: line('error') }
}
