/**
 * A setting that prevents the start. The message is one sentence for the operator: it names the
 * variable, the error and the remedy. It contains no secret.
 */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** The message of an error in one line, or its code when the message is empty. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : error.name
  // An AggregateError of several connection attempts has an empty message.
  return (error.message || code).replaceAll(/\s+/g, ' ').trim()
}
