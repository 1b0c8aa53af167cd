/** A call that was rejected because calls of its kind time out. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
}

// PostgreSQL, appendix A.
const stalled = [
  '57014', // query_canceled: statement_timeout
  '55P03', // lock_not_available: lock_timeout
]
const unavailable = [
  ...stalled,
  '25006', // read_only_sql_transaction: a standby after a failover
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected
]
/**
 * Connection exceptions, insufficient resources (too many connections) and operator intervention.
 */
const unavailableClasses = /^(08...|53...|57P..|ECONN.*|EPIPE|ETIMEDOUT)$/

const someCause = (error: unknown, test: (error: Error) => boolean): boolean =>
  error instanceof Error && (test(error) || someCause(error.cause, test))

const codeOf = (error: Error) => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

/** True when a table or row was locked for too long, or a statement took too long. */
export const isStalled = (error: unknown) =>
  someCause(error, (each) => stalled.includes(codeOf(each)))

/** True for an error of the database that a retry can solve. */
export const isUnavailable = (error: unknown) =>
  someCause(
    error,
    (each) =>
      each instanceof StalledError ||
      unavailable.includes(codeOf(each)) ||
      unavailableClasses.test(codeOf(each)) ||
      // The socket of a stopped database.
      (codeOf(each) === 'ENOENT' && 'syscall' in each && each.syscall === 'connect') ||
      // Errors of pg and its pool have no code.
      /timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable/.test(
        each.message,
      ),
  )
