import type { Page } from '@playwright/test'
import type { InvoiceId, PaymentFailure } from '@slipway/contract/invoices'
import { day } from '@slipway/contract/limits'
import { formatCharge, money, sumAmounts, toAmount } from '@slipway/contract/money'
import { m } from '@slipway/phrases'
import { newId } from '../../apps/server/src/db/ids.ts'
import { invoiceItems, invoices } from '../../apps/server/src/modules/invoices/invoices.schema.ts'
import { insertProject, type TestDatabase, userIdOf } from './database.ts'
import type { Say } from './texts.ts'
import { ownTeam, type Person } from './user.ts'

export const invoicesPath = '/account/billing/invoices'
export const invoicePath = (id: string) => `${invoicesPath}/view/${id}`
export const payPath = `${invoicesPath}/pay`

/** Cards that the sandbox declines, and of which it does not say that it charged them. */
export const declinedCard = '4000000000000002'
export const silentCard = '4000000000000341'

type Item = { name: string; hours?: number; price?: string; discount?: string | null }

const itemOf = ({ name, hours = 672, price = '0.01250', discount = null }: Item) => ({
  name,
  runningHours: hours,
  price: toAmount(money(price)),
  discount: discount === null ? null : toAmount(money(discount)),
  amount: toAmount(money(price).times(hours)),
  discountAmount: toAmount(money(discount ?? '0').times(hours)),
  totalAmount: toAmount(
    money(price)
      .minus(discount ?? '0')
      .times(hours),
  ),
})

type Given = {
  /** For the month that lies so many before this one. */
  monthsAgo?: number
  items?: Item[]
  /** How long ago it was issued, in milliseconds; else right after its month. */
  age?: number
  paidAt?: Date
  failure?: PaymentFailure
}

/** Stores an issued invoice of the person, as if its projects had run then. */
export async function insertInvoice(
  database: TestDatabase,
  person: Person,
  { monthsAgo = 1, items = [{ name: 'Harbour Cafe' }], age, paidAt, failure }: Given = {},
): Promise<InvoiceId> {
  const { id: teamId } = await ownTeam(person)
  const now = new Date()
  const month = (ago: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago))
  const [startsAt, endsAt] = [month(monthsAgo), month(monthsAgo - 1)]
  const rows = items.map(itemOf)
  const id = newId<'Invoice'>()
  await database.db.insert(invoices).values({
    id,
    userId: await userIdOf(database, person.email),
    startsAt,
    endsAt,
    amount: sumAmounts(rows.map(({ totalAmount }) => totalAmount)),
    issuedAt: age === undefined ? endsAt : new Date(now.getTime() - age),
    paidAt: paidAt ?? null,
    ...(paidAt ? { paymentState: 'succeeded' } : {}),
    ...(paidAt ? { paidWith: { cardAssoc: 'visa', lastDigits: '4242' } } : {}),
    ...(failure ? { paymentState: 'failed', paymentFailure: failure } : {}),
  })
  for (const { name, ...row } of rows) {
    const project = await insertProject(database, { teamId, state: 'deleted', name })
    await database.db.insert(invoiceItems).values({
      id: newId<'InvoiceItem'>(),
      invoiceId: id,
      projectId: project.id,
      projectKey: project.key,
      projectName: name,
      productId: 'website',
      productNames: { en: 'Website', tr: 'Web sitesi' },
      ...row,
      startsAt,
      createdAt: now,
    })
  }
  return id
}

/** Paid invoices, a month each, so that a list has pages. */
export async function insertPaidInvoices(database: TestDatabase, person: Person, count: number) {
  for (let monthsAgo = count; monthsAgo > 0; monthsAgo--)
    await insertInvoice(database, person, {
      monthsAgo,
      paidAt: new Date(Date.now() - monthsAgo * 28 * day),
    })
}

/** Unpaid invoices, a month each, at the same price. */
export async function insertUnpaidInvoices(database: TestDatabase, person: Person, count: number) {
  for (let monthsAgo = count; monthsAgo > 0; monthsAgo--)
    await insertInvoice(database, person, { monthsAgo })
}

/** Makes the card one whose last month is over; nobody is told. */
export async function expireCard({ pool }: TestDatabase, id: string): Promise<void> {
  await pool.query("update payment_methods set expires_at = '2026-01-01T00:00:00Z' where id = $1", [
    id,
  ])
}

export const invoiceRows = (page: Page, say: Say) =>
  page.getByRole('table', { name: say(m.invoices_caption) }).getByRole('rowheader')

/** The button that pays so much. */
export const payButton = (page: Page, say: Say, sum: string) => {
  const amount = formatCharge(sum, say.locale)
  return page.getByRole('button', { name: say(m.payments_screen_pay, { amount }), exact: true })
}

export const pageLink = (page: Page, say: Say, number: number) =>
  page.getByRole('link', { name: say(m.invoices_page, { page: number }), exact: true })

export const pagination = (page: Page, say: Say) =>
  page.getByRole('navigation', { name: say(m.invoices_pages), exact: true })
