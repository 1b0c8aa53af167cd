import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/connect.ts'

/**
 * The inconsistencies between the sandbox's ledger and our rows, found in SQL without the product's
 * code. None when every invoice is charged at most once, every charge belongs to one payment that
 * paid invoices of the same sum, and no outcome is unknown.
 */
export async function findInconsistencies(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ inconsistency: string }>(sql`
    with charges as (
      select idempotency_key, amount, charge_id from sandbox_charges where failure is null
    ), paid as (
      select payment_invoices.invoice_id, payments.id as payment_id, charges.charge_id, live
      from payment_invoices
      join payments on payments.id = payment_invoices.payment_id
      join charges on charges.idempotency_key = payments.id::text
    )
    select 'invoice charged ' || count(*) || ' times: ' || invoice_id as inconsistency
      from paid group by invoice_id having count(*) > 1
    union all
    select 'charge of no payment that succeeded: ' || idempotency_key from charges
      where not exists (select 1 from payments where id::text = idempotency_key
        and state = 'succeeded' and charge_id = charges.charge_id)
    union all
    select 'charge of another sum than its invoices: ' || idempotency_key from charges
      where amount <> (select round(sum(invoices.amount), 2) from payment_invoices
        join invoices on invoices.id = invoice_id where payment_id::text = idempotency_key
        and live and paid_at is not null and invoices.payment_state = 'succeeded')
    union all
    select 'paid, and not charged: ' || id from invoices where paid_at is not null
      and (select count(*) from paid where invoice_id = invoices.id and live) <> 1
    union all
    select 'charged, and not paid: ' || id from invoices where paid_at is null
      and exists (select 1 from paid where invoice_id = invoices.id)
    union all
    select 'unknown: ' || id from payments where state = 'in_progress'
    union all
    select 'invoice in progress: ' || id from invoices where payment_state = 'in_progress'
    union all
    select 'to be refunded: ' || id from payments where refund_due_at is not null
    union all
    select 'not one receipt: ' || id from payments where state = 'succeeded'
      and (select count(*) from mails where key = 'payment-receipt:' || payments.id) <> 1`)
  return rows.map(({ inconsistency }) => inconsistency)
}

/** Counts the sandbox's charges, our paid and unpaid invoices, and payments in progress. */
export async function tally(db: Db) {
  const { rows } = await db.execute<Record<'charges' | 'paid' | 'unpaid' | 'unknown', number>>(sql`
    select (select count(*)::int from sandbox_charges where failure is null) as charges,
      (select count(*)::int from invoices where paid_at is not null) as paid,
      (select count(*)::int from invoices where paid_at is null) as unpaid,
      (select count(*)::int from payments where state = 'in_progress') as unknown`)
  const [counts] = rows
  if (!counts) throw new Error('the query returned no row')
  return counts
}
