import { getActiveInvoice } from '@slipway/contract/invoices'
import { day, hour } from '@slipway/contract/limits'
import { listPaymentMethods } from '@slipway/contract/payment-methods'
import type { ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import {
  addCard,
  cardNumbers,
  insertUsage,
  insertUsageOf,
  overviewPath,
} from '../harness/billing-screens.ts'
import type { TestDatabase } from '../harness/database.ts'
import type { TestUser } from '../harness/user.ts'
import { insertExampleInvoice } from './invoice-pictures.ts'
import { failed, loading, type Picture, pageAt } from './picture.ts'

const addPath = '/account/billing/payment-methods/add'

/**
 * Bills two example projects and creates two more that run in this month, an overdue invoice and
 * two cards.
 */
export async function createExampleUsage(
  database: TestDatabase,
  user: TestUser,
  idOf: (name: string) => ProjectId,
) {
  const start = new Date()
  start.setUTCHours(0, 0, 0, 0)
  start.setUTCDate(1)
  const ago = (milliseconds: number) =>
    new Date(Math.max(start.getTime(), Date.now() - milliseconds))
  await insertUsageOf(database, user, idOf('Harbour Cafe'), { since: start })
  await insertUsageOf(database, user, idOf('Old Mill Museum'), { since: ago(12 * day) })
  await insertUsage(database, user, { name: 'Iğdır Şubesi: çığ, öğüt ve üzüm', since: ago(hour) })
  await insertUsage(database, user, {
    name: 'Volkswirtschaftlichegesellschaftsinformation'.repeat(2),
    since: ago(9 * day),
    hours: 50,
  })
  await insertExampleInvoice(database, user, 2)
  await addCard(user)
  await addCard(user, cardNumbers.troy)
}

/** For a user with usage, unpaid invoices and cards. */
export const billingPictures: Picture[] = [
  pageAt('billing', overviewPath),
  {
    name: 'billing-chart',
    show: async (page, t) => {
      await page.getByRole('slider', { name: t(m.invoices_active_chart_read) }).focus()
      await page.keyboard.press('End')
    },
  },
  {
    name: 'billing-card-menu',
    show: async (page, t) => {
      const cards = page.getByRole('list', { name: t(m.cards_list) })
      await cards.getByRole('button').first().click()
      await page.getByRole('menu').waitFor()
    },
  },
  {
    name: 'billing-card-edit',
    inWindow: true,
    show: async (page) => {
      await page.getByRole('menuitem').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'billing-card-delete',
    inWindow: true,
    show: async (page, t) => {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      const cards = page.getByRole('list', { name: t(m.cards_list) })
      await cards.getByRole('button').last().click()
      await page.getByRole('menuitem', { name: t(m.cards_delete) }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  loading('billing-loading', overviewPath, getActiveInvoice),
  failed('billing-failed', overviewPath, getActiveInvoice),
  failed('billing-cards-failed', overviewPath, listPaymentMethods),
  pageAt('card-add', addPath),
  {
    name: 'card-add-typed',
    show: async (page, t) => {
      await page.getByLabel(t(m.cards_number)).fill(cardNumbers.troy)
      await page.getByLabel(t(m.cards_expire_month)).selectOption('12')
    },
  },
  {
    name: 'card-add-errors',
    show: async (page, t) => {
      await page.getByRole('button', { name: t(m.cards_add_action), exact: true }).click()
      await page.getByText(t(m.form_enter_billing_address)).waitFor()
    },
  },
]

/** For a user without usage and cards. */
export const noBillingPictures: Picture[] = [pageAt('billing-empty', overviewPath)]
