import type pg from 'pg'

/** What every connection of the pool has, unless it is told otherwise. */
export const defaults = {
  application_name: 'slipway',
  connectionTimeoutMillis: 10_000,
  // A lock or a query that waits longer has lost its caller; the transaction is rolled back.
  options:
    '-c statement_timeout=30000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC',
} satisfies pg.ClientConfig

/** How a `DATABASE_URL` is connected to. */
export const urlOptions = (url: string): pg.ClientConfig => ({ connectionString: url })
