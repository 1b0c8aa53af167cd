import type { Journal, ProjectEntry, TicketEntry, UserEntry } from '../load/journal.ts'
import type { Product } from '../product/product.ts'
import { type Violation, violationsOf } from './violation.ts'

type Pool = Product['database']['pool']

/** Describes a stored value that the field must not have. */
const wrongValue = (subject: string, stored: unknown, possible: readonly unknown[]) =>
  possible.includes(stored)
    ? []
    : [
        `${subject} is ${JSON.stringify(stored)}, not ${possible.map((each) => JSON.stringify(each)).join(' or ')}`,
      ]

async function lostProjectWrites(
  pool: Pool,
  { id, key, name, domain, power, deleted }: ProjectEntry,
) {
  const { rows } = await pool.query(
    'select name, domain, power, state, failure from projects where id = $1',
    [id],
  )
  const [stored] = rows
  if (!stored) return [`project ${key} is gone`]
  const isDeleted = stored.state === 'deleted'
  const subject = `project ${key}`
  return [
    ...wrongValue(`${subject}: deleted`, isDeleted, deleted.possible),
    ...(isDeleted
      ? []
      : [
          ...wrongValue(`${subject}: name`, stored.name, name.possible),
          ...wrongValue(`${subject}: domain`, stored.domain, domain.possible),
          ...wrongValue(`${subject}: power`, stored.power, power.possible),
          ...(stored.failure === null ? [] : [`${subject} failed: ${stored.failure}`]),
        ]),
  ]
}

async function lostTicketWrites(pool: Pool, { id, resolved, messages }: TicketEntry) {
  const {
    rows: [ticket],
  } = await pool.query('select state from support_tickets where id = $1', [id])
  if (!ticket) return [`ticket ${id} is gone`]
  const { rows } = await pool.query('select text from support_messages where ticket_id = $1', [id])
  const texts: string[] = rows.map(({ text }) => text)
  return [
    ...wrongValue(`ticket ${id}: resolved`, ticket.state === 'resolved', resolved.possible),
    ...messages.flatMap((message) => {
      const count = texts.filter((text) => text === message).length
      return count === 1 ? [] : [`ticket ${id} has "${message}" ${count} times`]
    }),
  ]
}

async function lostUserWrites(pool: Pool, user: UserEntry) {
  const {
    rows: [stored],
  } = await pool.query('select id, name from users where email = $1', [user.email])
  if (!stored) return [`user ${user.email} is gone`]
  const lost = wrongValue(`user ${user.email}: name`, stored.name, user.name.possible)
  for (const project of user.projects) lost.push(...(await lostProjectWrites(pool, project)))
  for (const ticket of user.tickets) lost.push(...(await lostTicketWrites(pool, ticket)))
  for (const card of user.cards) {
    const { rows } = await pool.query('select 1 from payment_methods where id = $1', [card])
    if (rows.length === 0) lost.push(`card ${card} of ${user.email} is gone`)
  }
  for (const { id, invoiceIds } of user.payments) {
    const { rows } = await pool.query(
      `select 1 from payments p join payment_invoices on payment_id = p.id
       join invoices i on i.id = invoice_id
       where p.id = $1 and p.state = 'succeeded' and i.paid_at is not null`,
      [id],
    )
    if (rows.length !== invoiceIds.length)
      lost.push(`payment ${id} paid ${rows.length} of ${invoiceIds.length} invoices`)
  }
  return lost
}

/** Compares acknowledged writes with the stored rows. */
export async function lostWrites({ database: { pool } }: Product, journal: Journal) {
  const lost = [...journal.unexpected]
  for (const user of journal.users) lost.push(...(await lostUserWrites(pool, user)))
  return violationsOf('acknowledged writes lost', lost) satisfies Violation[]
}
