import type { Page } from '@playwright/test'
import { hour } from '@slipway/contract/limits'
import { createPaymentMethod, type NewPaymentMethod } from '@slipway/contract/payment-method-forms'
import type { ProjectId } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { newId } from '../../apps/server/src/db/ids.ts'
import {
  billingAccounts,
  usageIntervals,
} from '../../apps/server/src/modules/usage/usage.schema.ts'
import { findUserId, insertProject, type TestDatabase } from './database.ts'
import type { Translate } from './texts.ts'
import { ownTeam, type TestUser } from './user.ts'

export const overviewPath = '/account/billing/overview'

/** Test numbers that the card associations publish. */
export const cardNumbers = {
  visa: '4242424242424242',
  masterCard: '5555555555554444',
  troy: '9792030394440796',
} as const

const billing = {
  billingName: 'Ada Example',
  address: 'Old Harbour 1',
  district: 'Kadıköy',
  city: 'İstanbul',
  country: 'Turkey',
} as const

export const addCard = (
  user: TestUser,
  cardNumber: string = cardNumbers.visa,
  more: Partial<NewPaymentMethod> = {},
) =>
  user.call(createPaymentMethod, {
    body: {
      ...billing,
      holderName: 'Ada Example',
      cardNumber,
      expireMonth: 12,
      expireYear: new Date().getUTCFullYear() + 2,
      ...more,
    },
  })

export const monthStart = (now: Date) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/**
 * Inserts a project with usage since a time, for some hours or until now. The project itself is
 * deleted, so no reconciler touches it.
 */
export async function insertUsage(
  database: TestDatabase,
  user: TestUser,
  { name = 'Example site', since, hours }: { name?: string; since: Date; hours?: number },
) {
  const { id: teamId } = await ownTeam(user)
  const project = await insertProject(database, { teamId, state: 'deleted', name })
  await insertUsageOf(database, user, project.id, { since, hours })
  return project
}

/** Bills a project since a time, and until now or for some hours. */
export async function insertUsageOf(
  database: TestDatabase,
  user: TestUser,
  projectId: ProjectId,
  { since, hours }: { since: Date; hours?: number | undefined },
) {
  const userId = await findUserId(database, user.email)
  await database.db
    .insert(billingAccounts)
    .values({ userId, billedUntil: monthStart(since), createdAt: since })
    .onConflictDoNothing()
  await database.db.insert(usageIntervals).values({
    id: newId<'UsageInterval'>(),
    projectId,
    userId,
    productId: 'website',
    startedAt: since,
    endedAt: hours === undefined ? null : new Date(since.getTime() + hours * hour),
    createdAt: since,
  })
}

/** Next year as the form shows it: no card of that year has expired. */
export const nextYear = () => String(new Date().getUTCFullYear() + 1)

/** Fills the card form, except for the number. */
export async function fillCardForm(page: Page, t: Translate) {
  const field = (label: string) => page.getByLabel(label, { exact: true })
  await field(t(m.cards_holder)).fill('Ada Example')
  await field(t(m.cards_expire_month)).selectOption('01')
  await field(t(m.cards_expire_year)).selectOption(nextYear())
  await field(t(m.cards_address)).fill('Rıhtım Caddesi 5')
  await field(t(m.cards_district)).fill('Kadıköy')
  await field(t(m.cards_city)).fill('İstanbul')
  await field(t(m.cards_country)).selectOption({ label: t(m.cards_country_turkey) })
}

export const cards = (page: Page, t: Translate) =>
  page.getByRole('list', { name: t(m.cards_list) }).getByRole('listitem')

export const cardName = (
  t: Translate,
  brand: typeof m.cards_visa | typeof m.cards_troy,
  number: string,
) => t(m.cards_name, { brand: t(brand), digits: number.slice(-4) })

export const menuButton = (page: Page, t: Translate, card: string) =>
  page.getByRole('button', { name: t(m.cards_menu, { card }) })
