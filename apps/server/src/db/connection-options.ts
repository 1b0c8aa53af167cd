import type pg from 'pg'

const sessionOptions = (seconds: { statement: number; lock: number; idle: number }) =>
  [
    `-c statement_timeout=${seconds.statement}s`,
    `-c lock_timeout=${seconds.lock}s`,
    `-c idle_in_transaction_session_timeout=${seconds.idle}s`,
    '-c timezone=UTC',
  ].join(' ')

/**
 * Connections of requests: short timeouts, because a caller waits, and others for its connection.
 */
export const callDefaults = {
  application_name: 'slipway-server',
  connectionTimeoutMillis: 5_000,
  options: sessionOptions({ statement: 5, lock: 2, idle: 10 }),
} satisfies pg.ClientConfig

/** Connections of jobs and timers: long timeouts, because they are only repeated. */
export const jobDefaults = {
  application_name: 'slipway-background',
  connectionTimeoutMillis: 30_000,
  options: sessionOptions({ statement: 120, lock: 20, idle: 60 }),
} satisfies pg.ClientConfig

/** The connection options of a `DATABASE_URL`. */
export const urlOptions = (url: string): pg.ClientConfig => ({ connectionString: url })
