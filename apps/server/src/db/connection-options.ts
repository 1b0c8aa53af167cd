import type pg from 'pg'

const sessionOptions = (seconds: { statement: number; lock: number; idle: number }) =>
  [
    `-c statement_timeout=${seconds.statement}s`,
    `-c lock_timeout=${seconds.lock}s`,
    `-c idle_in_transaction_session_timeout=${seconds.idle}s`,
    '-c timezone=UTC',
  ].join(' ')

/** For requests: short timeouts, because a caller waits, and other requests need the connection. */
export const callDefaults = {
  application_name: 'slipway-server',
  connectionTimeoutMillis: 5_000,
  options: sessionOptions({ statement: 5, lock: 2, idle: 10 }),
} satisfies pg.ClientConfig

/** For jobs and timers: long timeouts, because a job that times out only runs again. */
export const jobDefaults = {
  application_name: 'slipway-background',
  connectionTimeoutMillis: 30_000,
  options: sessionOptions({ statement: 120, lock: 20, idle: 60 }),
} satisfies pg.ClientConfig

export const urlOptions = (url: string): pg.ClientConfig => ({ connectionString: url })
