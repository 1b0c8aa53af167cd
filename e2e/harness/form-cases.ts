import type { Locator, Page } from '@playwright/test'
import { updateProfileName } from '@slipway/contract/account'
import { forgotPassword, resetPassword, signUp, verifyEmail } from '@slipway/contract/auth'
import { createDomain } from '@slipway/contract/domains'
import { payInvoices } from '@slipway/contract/invoices'
import { createPaymentMethod, updatePaymentMethod } from '@slipway/contract/payment-method-forms'
import { changeProjectDomain, createProject, renameProject } from '@slipway/contract/projects'
import { login } from '@slipway/contract/sessions'
import { createTicket, sendTicketMessage } from '@slipway/contract/support'
import { inviteToTeam, updateTeam } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { fillSignUp, solveCaptcha, storeSession } from './auth-screens.ts'
import { addCard, cardName, cardNumbers, menuButton } from './billing-screens.ts'
import type { TestDatabase } from './database.ts'
import { insertInvoice, payPath } from './invoice-screens.ts'
import { mailedToken } from './mailbox.ts'
import { edit, openOwnProject, selectRegion } from './project-screens.ts'
import { openTicket, replyField, ticketPath } from './support-screens.ts'
import { inviteButton } from './team-screens.ts'
import type { Translate } from './texts.ts'
import { newEmail, ownTeam, password, type TestUser } from './user.ts'

type FormContext = {
  page: Page
  t: Translate
  url: string
  database: TestDatabase
  newUser: (overrides?: { verified?: boolean }) => Promise<TestUser>
}

export type FormCase = {
  name: string
  call: { path: string }
  /** Opens the form and returns the field that gets the first error. */
  open: (context: FormContext) => Promise<Locator>
  /** Makes the input invalid; without it, the empty form is invalid. */
  makeInvalid?: (first: Locator, context: FormContext) => Promise<unknown>
  fill: (context: FormContext) => Promise<unknown>
  /** A selector of the fields that keep their input after a failure; every field by default. */
  retainedFields?: string
  /** Returns the confirm button of the form's dialog, if it opens one. */
  confirm?: (context: FormContext) => Locator
  /** The label in the dialog about unsaved changes; without it, the form has no such dialog. */
  unsavedLabel?: (t: Translate) => string
  /** Navigates to the teams; by default through the link in the navigation. */
  leave?: (page: Page) => Promise<unknown>
}

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

async function openSignedIn(
  { page, newUser }: FormContext,
  path: string | ((user: TestUser) => unknown),
) {
  const user = await newUser()
  await storeSession(page, user)
  await page.goto(typeof path === 'string' ? path : String(await path(user)))
}

async function fillAddress({ page, t }: FormContext) {
  await field(page, t(m.cards_address)).fill('Rıhtım Caddesi 5')
  await field(page, t(m.cards_district)).fill('Kadıköy')
  await field(page, t(m.cards_city)).fill('İzmir')
  await field(page, t(m.cards_country)).selectOption('Turkey')
}

const visitorForms: FormCase[] = [
  {
    name: 'the login',
    call: login,
    async open({ page, t }) {
      await page.goto('/auth/login')
      return field(page, t(m.auth_email))
    },
    async fill({ page, t }) {
      await field(page, t(m.auth_email)).fill(newEmail())
      await field(page, t(m.auth_password)).fill(password)
    },
  },
  {
    name: 'the sign-up',
    call: signUp,
    async open({ page, t }) {
      await page.goto('/auth/sign-up')
      return field(page, t(m.auth_name))
    },
    async fill({ page, t }) {
      await fillSignUp(page, t, { name: 'Ada Example', email: newEmail(), password })
      await solveCaptcha(page, t)
    },
    // A captcha solution is valid for one call.
    retainedFields: 'input:not([type=checkbox])',
  },
  {
    name: 'the forgotten password',
    call: forgotPassword,
    async open({ page, t }) {
      await page.goto('/auth/forgot-password')
      return field(page, t(m.auth_email))
    },
    fill: ({ page, t }) => field(page, t(m.auth_email)).fill(newEmail()),
  },
  {
    name: 'the new password',
    call: resetPassword,
    async open({ page, t }) {
      await page.goto('/auth/reset-password?token=any')
      return field(page, t(m.auth_new_password))
    },
    async fill({ page, t }) {
      await field(page, t(m.auth_new_password)).fill(password)
      await field(page, t(m.auth_confirm_password)).fill(password)
    },
  },
  {
    name: 'the password to a mailed link',
    call: verifyEmail,
    async open({ page, t, url, newUser }) {
      const { email } = await newUser({ verified: false })
      await page.goto(`/auth/verify?token=${await mailedToken(url, email, 'verify')}`)
      const first = field(page, t(m.auth_password))
      // The form appears once the link was tried without a password.
      await first.waitFor()
      return first
    },
    fill: ({ page, t }) => field(page, t(m.auth_password)).fill(password),
  },
]

const inlineForms: FormCase[] = [
  {
    name: 'the name of a project',
    call: renameProject,
    async open({ page, t, database, newUser }) {
      await openOwnProject(page, database, await newUser())
      return edit(page, t, t(m.projects_name))
    },
    makeInvalid: (first) => first.fill('ab'),
    fill: ({ page, t }) =>
      page.getByRole('textbox', { name: t(m.projects_name) }).fill('Another name'),
    unsavedLabel: (t) => t(m.projects_name),
  },
  {
    name: 'the domain of a project',
    call: changeProjectDomain,
    async open({ page, t, database, newUser }) {
      await openOwnProject(page, database, await newUser())
      return edit(page, t, t(m.projects_domain))
    },
    makeInvalid: (first) => first.fill('https://example.org'),
    fill: ({ page, t }) =>
      page.getByRole('textbox', { name: t(m.projects_domain) }).fill('www.example.org'),
    unsavedLabel: (t) => t(m.projects_domain),
  },
  {
    name: 'a new domain of a project',
    call: createDomain,
    async open({ page, t, database, newUser }) {
      const { key } = await openOwnProject(page, database, await newUser())
      await page.goto(`/projects/view/${key}/domains`)
      return field(page, t(m.projects_domain))
    },
    makeInvalid: (first) => first.fill('example'),
    fill: ({ page, t }) => field(page, t(m.projects_domain)).fill('www.example.org'),
    unsavedLabel: (t) => t(m.domains_add_title),
  },
  {
    name: 'the name of a team',
    call: updateTeam,
    async open(fixtures) {
      await openSignedIn(fixtures, async (user) => `/teams/view/${(await ownTeam(user)).id}`)
      return edit(fixtures.page, fixtures.t, fixtures.t(m.teams_name))
    },
    makeInvalid: (first) => first.fill('ab'),
    fill: ({ page, t }) =>
      page.getByRole('textbox', { name: t(m.teams_name) }).fill('Another name'),
    unsavedLabel: (t) => t(m.teams_name),
  },
  {
    name: "the user's name",
    call: updateProfileName,
    async open(fixtures) {
      await openSignedIn(fixtures, '/account/profile')
      return edit(fixtures.page, fixtures.t, fixtures.t(m.account_name))
    },
    makeInvalid: (first) => first.fill('ab'),
    fill: ({ page, t }) =>
      page.getByRole('textbox', { name: t(m.account_name) }).fill('Another name'),
    unsavedLabel: (t) => t(m.account_name),
  },
]

const pageForms: FormCase[] = [
  {
    name: 'a new project',
    call: createProject,
    async open(fixtures) {
      await openSignedIn(fixtures, '/projects/create')
      return field(fixtures.page, fixtures.t(m.projects_name))
    },
    async fill({ page, t }) {
      await field(page, t(m.projects_name)).fill('Harbour Cafe')
      await selectRegion(page)
    },
    unsavedLabel: (t) => t(m.projects_create),
  },
  {
    name: 'an invitation',
    call: inviteToTeam,
    async open(fixtures) {
      await openSignedIn(fixtures, async (user) => `/teams/view/${(await ownTeam(user)).id}`)
      await inviteButton(fixtures.page, fixtures.t).click()
      return field(fixtures.page, fixtures.t(m.auth_email))
    },
    fill: ({ page, t }) => field(page, t(m.auth_email)).fill(newEmail()),
    unsavedLabel: (t) => t(m.teams_invite),
  },
  {
    name: 'a new ticket',
    call: createTicket,
    async open(fixtures) {
      await openSignedIn(fixtures, '/support/tickets/create')
      return field(fixtures.page, fixtures.t(m.support_subject))
    },
    async fill({ page, t }) {
      await field(page, t(m.support_subject)).fill('Example subject')
      await field(page, t(m.support_message)).fill('Example message')
    },
  },
  {
    name: 'a message',
    call: sendTicketMessage,
    async open(fixtures) {
      await openSignedIn(fixtures, async (user) => ticketPath((await openTicket(user)).id))
      return replyField(fixtures.page, fixtures.t)
    },
    fill: ({ page, t }) => replyField(page, t).fill('Another message'),
  },
  {
    name: 'a new card',
    call: createPaymentMethod,
    async open(fixtures) {
      await openSignedIn(fixtures, '/account/billing/payment-methods/add')
      return field(fixtures.page, fixtures.t(m.cards_number))
    },
    async fill(fixtures) {
      const { page, t } = fixtures
      await field(page, t(m.cards_number)).fill(cardNumbers.visa)
      await field(page, t(m.cards_holder)).fill('Ada Example')
      await field(page, t(m.cards_expire_month)).selectOption('12')
      await field(page, t(m.cards_expire_year)).selectOption({ index: 3 })
      await fillAddress(fixtures)
    },
    unsavedLabel: (t) => t(m.cards_add),
  },
  {
    name: 'the address of a card',
    call: updatePaymentMethod,
    async open(fixtures) {
      const { page, t } = fixtures
      await openSignedIn(fixtures, async (user) => {
        await addCard(user)
        return '/teams'
      })
      // Before the bundle runs, a link is a full page load, and so is Back.
      await page.getByRole('rowheader').waitFor()
      await page.getByRole('link', { name: t(m.shell_billing), exact: true }).click()
      const card = cardName(t, m.cards_visa, cardNumbers.visa)
      await menuButton(page, t, card).click()
      await page.getByRole('menuitem', { name: t(m.cards_edit) }).click()
      return field(page, t(m.cards_billing_name))
    },
    makeInvalid: (first) => first.fill('ab'),
    async fill(fixtures) {
      await field(fixtures.page, fixtures.t(m.cards_billing_name)).fill('Example Ltd')
      await fillAddress(fixtures)
    },
    // The dialog covers the navigation.
    leave: (page) => page.goBack(),
    unsavedLabel: (t) =>
      t(m.cards_edit_title, { card: cardName(t, m.cards_visa, cardNumbers.visa) }),
  },
  {
    name: 'a payment',
    call: payInvoices,
    async open(fixtures) {
      const { page, database } = fixtures
      await openSignedIn(fixtures, async (user) => {
        await insertInvoice(database, user)
        await addCard(user)
        return payPath
      })
      return page.getByRole('checkbox').first()
    },
    makeInvalid: (first) => first.uncheck(),
    fill: ({ page }) => page.getByRole('checkbox').first().check(),
  },
]

export const forms = [...visitorForms, ...inlineForms, ...pageForms]

export const formOf = (page: Page, field: Locator) => page.locator('form').filter({ has: field })

export const fieldValues = (form: Locator, retainedFields = 'input, select, textarea') =>
  form
    .locator(retainedFields)
    .evaluateAll((fields) =>
      (fields as unknown as { type: string; value: string; checked: boolean }[]).map(
        ({ type, value, checked }) => (/checkbox|radio/.test(type) ? checked : value),
      ),
    )
