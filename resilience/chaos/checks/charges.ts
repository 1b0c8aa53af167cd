import type { Product } from '../product/product.ts'
import { violationsOf } from './violation.ts'

/** Compares the payments with the sandbox gateway's own record of its charges. */
const wrongCharges = `
  with charges as (select * from sandbox_charges where failure is null)
  select 'invoice ' || invoice_id || ' was charged ' || count(*) || ' times' as description
    from charges join payments p on p.id::text = idempotency_key
    join payment_invoices on payment_id = p.id
    where p.refund_due_at is null group by invoice_id having count(*) > 1
  union all
  select 'charge ' || idempotency_key || ' of a payment that is ' || coalesce(p.state, 'unknown')
    from charges left join payments p on p.id::text = idempotency_key
    where p.id is null or (p.state <> 'succeeded' and p.refund_due_at is null)
  union all
  select 'payment ' || p.id || ' succeeded without a charge of ' || p.charged_amount
    from payments p left join charges c on c.idempotency_key = p.id::text
      and c.amount = p.charged_amount
    where p.state = 'succeeded' and c.charge_id is null
  union all
  select 'invoice ' || i.id || ' is paid without a payment' from invoices i
    where paid_at is not null and not exists (
      select 1 from payment_invoices join payments p on p.id = payment_id
      where invoice_id = i.id and p.state = 'succeeded')`

const counts = `
  select (select count(*) from sandbox_charges where failure is null) as charges,
    (select count(*) from payments where refund_due_at is not null) as refunds`

/** Charges that no payment explains, and payments without their charge. */
export async function checkCharges({ database: { pool } }: Product) {
  const { rows } = await pool.query<{ description: string }>(wrongCharges)
  const {
    rows: [figures],
  } = await pool.query<{ charges: string; refunds: string }>(counts)
  return {
    violations: violationsOf(
      'wrong charges',
      rows.map(({ description }) => description),
    ),
    charges: Number(figures?.charges),
    refunds: Number(figures?.refunds),
  }
}
