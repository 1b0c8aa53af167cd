/**
 * A setting that the service cannot start with. The message is one sentence for whoever runs the
 * service: it names the variable, says what is wrong and what to do, and holds no secret.
 */
export class SettingError extends Error {
  override readonly name = 'SettingError'
}

/** One line of whatever went wrong, such as a system call: its message, or its code where it has none. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : error.name
  // The errors of several addresses tried in turn come together, and together they say nothing.
  return (error.message || code).replaceAll(/\s+/g, ' ').trim()
}
