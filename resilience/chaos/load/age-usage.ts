import type { Product } from '../product/product.ts'

/** Locks in a separate statement, so that the next one sees an invoice issued meanwhile. */
const lock = `
  select from billing_accounts
  where user_id = (select id from users where email = $1) for update`

const age = `
  with account as (
    update billing_accounts set billed_until = billed_until - interval '12 months'
    where user_id = (select id from users where email = $1)
      and not exists (select from invoices where invoices.user_id = billing_accounts.user_id)
    returning user_id
  )
  update usage_intervals set started_at = started_at - interval '12 months'
  where user_id in (select user_id from account) and ended_at is null`

/**
 * Backdates the usage of a user's projects by a year: the months that have ended are billed.
 * False if the user has an invoice, or no project that runs.
 */
export async function ageUsageOf({ pool }: Product['database'], email: string) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(lock, [email])
    const { rowCount } = await client.query(age, [email])
    await client.query('commit')
    return Boolean(rowCount)
  } finally {
    // Closes the connection, which rolls back an uncommitted transaction.
    client.release(true)
  }
}
