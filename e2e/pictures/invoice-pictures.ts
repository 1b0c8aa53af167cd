import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  downloadInvoice,
  type InvoiceId,
  listInvoices,
  listUnpaidInvoices,
  payInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { hour } from '@slipway/contract/limits'
import { m } from '@slipway/phrases'
import { addCard, cardNumbers } from '../harness/billing-screens.ts'
import type { TestDatabase } from '../harness/database.ts'
import {
  declinedCard,
  expireCard,
  insertInvoice,
  invoicePath,
  invoicesPath,
  issuedAfter,
  paidAfter,
  payPath,
} from '../harness/invoice-screens.ts'
import type { TestUser } from '../harness/user.ts'
import { delayCalls, failed, loading, type Picture, pageAt, reject, untilSlow } from './picture.ts'

/** The settings of the server that issues the example's invoices. */
export const exampleSeller = {
  SELLER_NAME: 'Slipway Example Ltd.',
  SELLER_ADDRESS: '1 Example Quay; 34710 İstanbul',
  SELLER_TAX_NUMBER: 'EX 123 456 789',
  TAX_RATE: '20',
}

const taxRate = exampleSeller.TAX_RATE

/** Numbers the invoices of each year consecutively, as the server does. */
function createNumbers() {
  const last = new Map<number, number>()
  return (issuedAt: Date) => {
    const year = issuedAt.getUTCFullYear()
    const next = (last.get(year) ?? 40) + 1
    last.set(year, next)
    return `SW-${year}-${String(next).padStart(6, '0')}`
  }
}

const numberOf = createNumbers()

/** Inserts an invoice that was issued right after its month, with a number and tax. */
export const insertExampleInvoice = (
  database: TestDatabase,
  user: TestUser,
  monthsAgo: number,
  values: Parameters<typeof insertInvoice>[2] = {},
) =>
  insertInvoice(database, user, {
    monthsAgo,
    number: numberOf(issuedAfter(monthsAgo)),
    taxRate,
    ...values,
  })

const items = [
  { name: 'Harbour Cafe', hours: 216, discount: '0.00250' },
  { name: 'Harbour Cafe', hours: 456 },
  { name: 'Old Mill Museum' },
  { name: 'Iğdır Şubesi: çığ, öğüt ve üzüm', hours: 1 },
  { name: 'Volkswirtschaftlichegesellschaftsinformation'.repeat(2), hours: 50 },
]

/** Two items of an invoice belong to one project, whose discount ended on the tenth day. */
const endDiscount = (database: TestDatabase, id: InvoiceId) =>
  database.pool.query(
    `update invoice_items set starts_at = starts_at + interval '9 days',
       (project_id, project_key) = (select project_id, project_key from invoice_items
         where invoice_id = $1 and discount is not null)
     where invoice_id = $1 and discount is null and project_name = 'Harbour Cafe'`,
    [id],
  )

/** Pays an invoice, as if on this day. The payer gets the receipt by email. */
async function pay(database: TestDatabase, user: TestUser, id: InvoiceId, paidAt: Date) {
  const { id: paymentMethodId } = await addCard(user)
  await user.call(payInvoices, { body: { invoiceIds: [id], paymentMethodId } })
  await database.pool.query('update invoices set paid_at = $2 where id = $1', [id, paidAt])
}

const paidMonth = 4

/** Creates an invoice with several items and pays it; returns its id. */
async function payExampleInvoice(database: TestDatabase, user: TestUser) {
  const paid = await insertExampleInvoice(database, user, paidMonth, { items })
  await endDiscount(database, paid)
  await pay(database, user, paid, paidAfter(paidMonth))
  return paid
}

/** Creates invoices in each state, and cards to pay them with. */
export async function createExampleInvoices(database: TestDatabase, user: TestUser) {
  for (let monthsAgo = 80; monthsAgo > paidMonth; monthsAgo--)
    await insertExampleInvoice(database, user, monthsAgo, { paidAt: paidAfter(monthsAgo) })
  const paid = await payExampleInvoice(database, user)
  const waiting = await insertExampleInvoice(database, user, 3)
  await database.pool.query("update invoices set payment_state = 'in_progress' where id = $1", [
    waiting,
  ])
  const failed = await insertExampleInvoice(database, user, 2, {
    items,
    failure: 'insufficient_funds',
  })
  await endDiscount(database, failed)
  const fresh = await insertExampleInvoice(database, user, 1, { age: hour })
  await addCard(user, declinedCard)
  await expireCard(database, (await addCard(user, cardNumbers.troy)).id)
  return { paid, failed, fresh, waiting }
}

const pdfFiles = new URL('../../node_modules/pdfjs-dist/legacy/build/', import.meta.url)

/** A page that draws the PDF of an invoice: without a window, Chromium has no viewer. */
const pdfPage = (id: InvoiceId) => `<!doctype html>
<body style="margin:0;background:white">
<script type="module">
import { getDocument, GlobalWorkerOptions } from '/pdf-viewer/pdf.min.mjs'
GlobalWorkerOptions.workerSrc = '/pdf-viewer/pdf.worker.min.mjs'
const response = await fetch('/api${downloadInvoice.path.replace(':id', id)}', {
  headers: {
    Authorization: 'Bearer ' + localStorage.getItem('token'),
    'Accept-Language': navigator.language,
  },
})
const pdf = await getDocument({ data: await response.arrayBuffer() }).promise
for (let number = 1; number <= pdf.numPages; number++) {
  const sheet = await pdf.getPage(number)
  const scale = innerWidth / sheet.getViewport({ scale: 1 }).width
  const viewport = sheet.getViewport({ scale: scale * devicePixelRatio })
  const canvas = document.createElement('canvas')
  canvas.width = viewport.width
  canvas.height = viewport.height
  canvas.style.cssText = 'display:block;width:100%'
  await sheet.render({ canvas, viewport }).promise
  document.body.append(canvas)
}
document.title = 'drawn'
</script>`

const pdfPicture = (name: string, id: InvoiceId): Picture => ({
  name,
  show: async (page) => {
    await page.route('**/pdf-viewer/*', (route) => {
      const file = basename(new URL(route.request().url()).pathname)
      return file === 'page'
        ? route.fulfill({ contentType: 'text/html', body: pdfPage(id) })
        : route.fulfill({
            contentType: 'text/javascript',
            path: fileURLToPath(new URL(file, pdfFiles)),
          })
    })
    await page.goto('/pdf-viewer/page')
    await page.waitForFunction(() => document.title === 'drawn')
  },
})

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
  pdfPicture('invoice-pdf', ids.paid ?? ('' as InvoiceId)),
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
      await untilSlow(page)
    },
  },
]

/** For a user without invoices. */
export const noInvoicePictures: Picture[] = [
  pageAt('invoices-empty', invoicesPath),
  pageAt('pay-empty', payPath),
]
