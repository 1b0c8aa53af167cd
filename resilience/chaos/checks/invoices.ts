import type { Journal } from '../load/journal.ts'
import type { Product } from '../product/product.ts'
import { violationsOf } from './violation.ts'

/**
 * Billed months of a project that are not on exactly one invoice. One invoice may have several
 * items of the project, as after a change of its price.
 */
const wrongMonths = `
  select projects.key, to_char(month, 'YYYY-MM') as month,
    count(distinct item.invoice_id) as invoices
  from usage_intervals usage
  join projects on projects.id = usage.project_id
  join billing_accounts account on account.user_id = usage.user_id
  cross join lateral generate_series(
    date_trunc('month', usage.started_at, 'UTC'),
    least(coalesce(usage.ended_at, now()), account.billed_until, date_trunc('month', now(), 'UTC'))
      - interval '1 millisecond',
    interval '1 month', 'UTC') as month
  left join invoices on invoices.user_id = usage.user_id
    and invoices.starts_at <= greatest(month, usage.started_at)
    and invoices.ends_at > greatest(month, usage.started_at)
  left join invoice_items item on item.invoice_id = invoices.id and item.project_id = projects.id
  group by projects.key, usage.id, month having count(distinct item.invoice_id) <> 1`

/** Invoices that overlap another one, or end after the time until which their user is billed. */
const wrongPeriods = `
  select one.id from invoices one join invoices other
    on other.user_id = one.user_id and other.id <> one.id
    and other.starts_at < one.ends_at and one.starts_at < other.ends_at
  union all
  select id from invoices join billing_accounts using (user_id) where ends_at > billed_until`

const withoutEmail = `
  select id from invoices
  where not exists (select from mails where mails.key = 'invoice-issued:' || invoices.id)`

/** Invoices that are missing or overlap, or that no email announces. */
export async function checkInvoices({ database: { pool } }: Product, journal: Journal) {
  const idsOf = async (query: string) =>
    (await pool.query<{ id: string }>(query)).rows.map(({ id }) => id)
  const months = await pool.query<{ key: string; month: string; invoices: string }>(wrongMonths)
  const stored = new Set(await idsOf('select id from invoices'))
  const runs = new Set(await idsOf('select id from invoice_runs'))
  const descriptions = [
    ...months.rows.map(
      ({ key, month, invoices }) => `${key} is on ${invoices} invoices of ${month}`,
    ),
    ...(await idsOf(wrongPeriods)).map((id) => `invoice ${id} has a wrong period`),
    ...(await idsOf(withoutEmail)).map((id) => `invoice ${id} has no email`),
    ...journal.invoices.filter((id) => !stored.has(id)).map((id) => `invoice ${id} is gone`),
    ...journal.runs.filter((id) => !runs.has(id)).map((id) => `the run ${id} is gone`),
  ]
  return {
    violations: violationsOf('invoices lost or issued twice', descriptions),
    invoices: stored.size,
  }
}
