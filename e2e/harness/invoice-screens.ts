import type { Page } from '@playwright/test'
import type { InvoiceId, PaymentFailure, Seller } from '@slipway/contract/invoices'
import { day } from '@slipway/contract/limits'
import { money, sumAmounts, toAmount } from '@slipway/contract/money'
import { formatCharge, m } from '@slipway/phrases'
import { newId } from '../../apps/server/src/db/ids.ts'
import { channel } from '../../apps/server/src/modules/events/events.service.ts'
import { invoiceItems, invoices } from '../../apps/server/src/modules/invoices/invoices.schema.ts'
import { findUserId, insertProject, type TestDatabase } from './database.ts'
import type { Translate } from './texts.ts'
import { ownTeam, type TestUser } from './user.ts'

export const invoicesPath = '/account/billing/invoices'
export const invoicePath = (id: string) => `${invoicesPath}/view/${id}`
export const payPath = `${invoicesPath}/pay`

/** Cards that the sandbox declines, and that time out after they are charged. */
export const declinedCard = '4000000000000002'
export const timeoutCard = '4000000000000341'

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

type InvoiceValues = {
  /** How many months before the current one. */
  monthsAgo?: number
  items?: Item[]
  /** Milliseconds since it was issued; by default right after its month. */
  age?: number
  paidAt?: Date
  failure?: PaymentFailure
  /** Unique; none by default. */
  number?: string
  /** In percent; none by default. */
  taxRate?: string
  /** The server's settings by default. */
  seller?: Seller
}

const month = (ago: number) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago))
}

/** The time at which a month's invoice is issued: right after the month. */
export const issuedAfter = (monthsAgo: number) => month(monthsAgo - 1)

/** Two days after the issue, but never in the future. */
export const paidAfter = (monthsAgo: number) =>
  new Date(Math.min(issuedAfter(monthsAgo).getTime() + 2 * day, Date.now()))

/** Inserts an issued invoice, as if the user's projects had run in that month. */
export async function insertInvoice(
  database: TestDatabase,
  user: TestUser,
  {
    monthsAgo = 1,
    items = [{ name: 'Harbour Cafe' }],
    age,
    paidAt,
    failure,
    number,
    taxRate = '0',
    seller,
  }: InvoiceValues = {},
): Promise<InvoiceId> {
  const { id: teamId } = await ownTeam(user)
  const now = new Date()
  const [startsAt, endsAt] = [month(monthsAgo), issuedAfter(monthsAgo)]
  const rows = items.map(itemOf)
  const net = money(sumAmounts(rows.map(({ totalAmount }) => totalAmount)))
  const taxAmount = toAmount(net.times(taxRate).div(100))
  const id = newId<'Invoice'>()
  await database.db.insert(invoices).values({
    id,
    userId: await findUserId(database, user.email),
    startsAt,
    endsAt,
    amount: toAmount(net.plus(taxAmount)),
    taxRate,
    taxAmount,
    issuedAt: age === undefined ? endsAt : new Date(now.getTime() - age),
    paidAt: paidAt ?? null,
    number: number ?? null,
    seller: seller ?? null,
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
  // Pages that have loaded already show the invoice, too.
  await publishInvoiceChange(database, id)
  return id
}

export async function publishInvoiceChange(database: TestDatabase, id: InvoiceId) {
  const event = { kind: 'Invoice', data: { type: 'Updated', invoiceId: id } }
  await database.db.execute(`select pg_notify('${channel}', '${JSON.stringify(event)}')`)
}

/** Sets the state of the payment of all invoices of a user, without an event. */
export async function setPaymentState(
  database: TestDatabase,
  user: TestUser,
  paymentState: 'in_progress' | null,
) {
  await database.pool.query('update invoices set payment_state = $1 where user_id = $2', [
    paymentState,
    await findUserId(database, user.email),
  ])
}

/** Inserts paid invoices, one per month, to fill pages. */
export async function insertPaidInvoices(database: TestDatabase, user: TestUser, count: number) {
  for (let monthsAgo = count; monthsAgo > 0; monthsAgo--)
    await insertInvoice(database, user, { monthsAgo, paidAt: paidAfter(monthsAgo) })
}

/** Inserts unpaid invoices of the same price, one per month. */
export async function insertUnpaidInvoices(database: TestDatabase, user: TestUser, count: number) {
  for (let monthsAgo = count; monthsAgo > 0; monthsAgo--)
    await insertInvoice(database, user, { monthsAgo })
}

/** Sets a card's expiry into the past, without an event. */
export async function expireCard({ pool }: TestDatabase, id: string): Promise<void> {
  await pool.query("update payment_methods set expires_at = '2026-01-01T00:00:00Z' where id = $1", [
    id,
  ])
}

export const invoiceRows = (page: Page, t: Translate) =>
  page.getByRole('table', { name: t(m.invoices_caption) }).getByRole('rowheader')

export const payButton = (page: Page, t: Translate, sum: string) => {
  const amount = formatCharge(sum, t.locale)
  return page.getByRole('button', { name: t(m.payments_screen_pay, { amount }), exact: true })
}

export const pageLink = (page: Page, t: Translate, number: number) =>
  page.getByRole('link', { name: t(m.invoices_page, { page: number }), exact: true })

export const pagination = (page: Page, t: Translate) =>
  page.getByRole('navigation', { name: t(m.invoices_pages), exact: true })
