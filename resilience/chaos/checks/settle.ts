import { setTimeout as sleep } from 'node:timers/promises'
import type { ProjectState } from '@slipway/contract/projects'
import type { Product } from '../product/product.ts'
import { type Violation, violationsOf } from './violation.ts'

/**
 * A transitional state ends by its deadline, which is at most five minutes. The server has a sixth
 * minute to notice the deadline.
 */
const settleTimeout = 360_000
const interval = 1_000
const transitionalStates = ['pending', 'creating', 'modifying', 'deleting'] satisfies ProjectState[]

/** Rows of unfinished work. Queues `__…` belong to pg-boss: schedules always have a next job. */
const unfinishedWork = `
  select 'project ' || key || ' is ' || state as description from projects
    where state = any($1)
  union all
  select 'project ' || key || ' is not applied' from projects
    where state = 'ready' and applied_generation < generation
  union all
  select 'payment ' || id || ' is ' || state from payments where state = 'in_progress'
  union all
  select 'email ' || id || ' is ' || state || ': ' || coalesce(last_error, '') from mails
    where state = 'queued'
  union all
  select 'release ' || number || ' of ' || key || ' is checking' from releases
    join projects on projects.id = project_id
    where releases.state = 'checking' and projects.state not in ('deleting', 'deleted')
  union all
  select 'a run that issues invoices waits for ' || count(*) from invoice_run_customers
    where state = 'waiting' having count(*) > 0
  union all
  select 'job ' || name || ' ' || id || ' is ' || state || coalesce(': ' || output::text, '')
    from pgboss.job where state in ('created', 'retry', 'active') and name not like '\\_\\_%'`

/**
 * Makes waiting work due:
 * - jobs at once
 * - emails in a minute, because an interrupted attempt may run for that long
 * - payments in progress at once, as if 16 minutes old: after 15 a charge that the gateway does not
 *   know counts as not charged. No process still charges a payment that is half a minute old.
 */
const skipWaits = `
  with jobs as (
    update pgboss.job set start_after = now() where state in ('created', 'retry') and start_after > now()
  ), emails as (
    update mails set next_attempt_at = now() + interval '1 minute'
      where state = 'queued' and next_attempt_at > now() + interval '1 minute'
  )
  update payments set ask_at = now(), created_at = least(created_at, now() - interval '16 minutes')
    where state = 'in_progress' and created_at < now() - interval '30 seconds'`

/** Waits until no row is in a transitional state. Rows that are at the deadline are stuck. */
export async function settle({ database: { pool }, untilReady }: Product): Promise<Violation[]> {
  await untilReady()
  const deadline = performance.now() + settleTimeout
  for (;;) {
    const { rows } = await pool.query<{ description: string }>(unfinishedWork, [transitionalStates])
    if (rows.length === 0 || performance.now() > deadline)
      return violationsOf(
        'stuck',
        rows.map(({ description }) => description),
      )
    await pool.query(skipWaits)
    await sleep(interval)
  }
}
