import {
  type InvoiceId,
  listInvoices,
  listUnpaidInvoices,
  payInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { day, hour } from '@slipway/contract/limits'
import { m } from '@slipway/phrases'
import { addCard, cardNumbers } from '../harness/billing-screens.ts'
import type { TestDatabase } from '../harness/database.ts'
import {
  declinedCard,
  expireCard,
  insertInvoice,
  insertPaidInvoices,
  invoicePath,
  invoicesPath,
  payPath,
} from '../harness/invoice-screens.ts'
import type { TestUser } from '../harness/user.ts'
import { delayCalls, failed, loading, type Picture, pageAt, reject } from './picture.ts'

/** Creates invoices in each state, and cards to pay them with. */
export async function createExampleInvoices(database: TestDatabase, user: TestUser) {
  await insertPaidInvoices(database, user, 80)
  const items = [
    { name: 'Harbour Cafe', discount: '0.00250' },
    { name: 'Iğdır Şubesi: çığ, öğüt ve üzüm', hours: 1 },
    { name: 'Volkswirtschaftlichegesellschaftsinformation'.repeat(2), price: '12.34567' },
  ]
  const paid = await insertInvoice(database, user, {
    monthsAgo: 81,
    items,
    paidAt: new Date(Date.now() - 5 * day),
  })
  await database.pool.query('update invoices set charge = $2, billed_to = $3 where id = $1', [
    paid,
    { amount: '8302.71624', chargedAmount: '8302.72', invoiceCount: 2 },
    {
      billingName: 'Ada Example',
      address: 'Old Harbour 1',
      district: 'Kadıköy',
      city: 'İstanbul',
      country: 'Turkey',
    },
  ])
  // Two of its items belong to one project, whose discount ended.
  await database.pool.query(
    `update invoice_items set starts_at = starts_at + interval '9 days',
       (project_id, project_key, project_name) = (select project_id, project_key, project_name
         from invoice_items where invoice_id = $1 and discount is not null)
     where invoice_id = $1 and running_hours = 1`,
    [paid],
  )
  const failed = await insertInvoice(database, user, {
    monthsAgo: 82,
    items,
    age: 3 * day,
    failure: 'insufficient_funds',
  })
  const fresh = await insertInvoice(database, user, { monthsAgo: 83, age: hour })
  const waiting = await insertInvoice(database, user, { monthsAgo: 84, age: 2 * day })
  await database.pool.query("update invoices set payment_state = 'in_progress' where id = $1", [
    waiting,
  ])
  await addCard(user)
  await addCard(user, declinedCard)
  await expireCard(database, (await addCard(user, cardNumbers.troy)).id)
  return { paid, failed, fresh, waiting }
}

/** For a user with invoices. */
export const invoicePictures = (ids: Record<string, InvoiceId>): Picture[] => [
  pageAt('invoices', invoicesPath),
  pageAt('invoices-pages', `${invoicesPath}?page=5`),
  pageAt('invoices-past-the-end', `${invoicesPath}?page=99`),
  loading('invoices-loading', invoicesPath, listInvoices),
  failed('invoices-failed', invoicesPath, listInvoices),
  ...['paid', 'failed', 'fresh', 'waiting'].map((name) =>
    pageAt(`invoice-${name}`, invoicePath(ids[name] ?? '')),
  ),
  pageAt('invoice-missing', invoicePath('no-such-invoice')),
  loading('invoice-loading', invoicePath(ids.paid ?? ''), viewInvoice),
  failed('invoice-not-loaded', invoicePath(ids.paid ?? ''), viewInvoice),
  {
    name: 'invoice-printed',
    show: async (page) => {
      await page.emulateMedia({ media: 'print' })
      await page.goto(invoicePath(ids.paid ?? ''), { waitUntil: 'networkidle' })
    },
  },
  loading('pay-loading', payPath, listUnpaidInvoices),
  failed('pay-failed', payPath, listUnpaidInvoices),
  {
    name: 'pay',
    show: async (page) => {
      await page.goto(`${payPath}?invoice=${ids.fresh}`, { waitUntil: 'networkidle' })
    },
  },
  {
    name: 'pay-declined',
    show: async (page) => {
      await reject(page, payInvoices, 402, 'payment_failed', 'card_declined')
      await page.locator('main form button[type=submit]').click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'pay-nothing-chosen',
    show: async (page, t) => {
      await page.goto(payPath, { waitUntil: 'networkidle' })
      const all = page.getByRole('checkbox', { name: t(m.payments_screen_select_all) })
      await all.check()
      await all.uncheck()
      await page.getByRole('button', { name: t(m.payments_screen_pay_nothing) }).click()
      await page.getByText(t(m.form_select_invoice)).waitFor()
    },
  },
  {
    name: 'pay-slow',
    delaysMutation: true,
    show: async (page) => {
      await page.goto(`${payPath}?invoice=${ids.fresh}`, { waitUntil: 'networkidle' })
      await delayCalls(page, payInvoices)
      await page.locator('main form button[type=submit]').click()
      await page.waitForTimeout(600)
    },
  },
]

/** For a user without invoices. */
export const noInvoicePictures: Picture[] = [
  pageAt('invoices-empty', invoicesPath),
  pageAt('pay-empty', payPath),
]
