import type pg from 'pg'

/** Default options of every connection of the pool. */
export const defaults = {
  application_name: 'slipway-server',
  connectionTimeoutMillis: 10_000,
  // The caller has timed out by then; the transaction is rolled back.
  options:
    '-c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC',
} satisfies pg.ClientConfig

/** The connection options of a `DATABASE_URL`. */
export const urlOptions = (url: string): pg.ClientConfig => ({ connectionString: url })
