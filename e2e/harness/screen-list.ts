import type { Client } from '@slipway/contract/client'
import { limits } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import { m } from '@slipway/phrases'
import type { TestDatabase } from './database.ts'
import { insertInvoice, invoicePath } from './invoice-screens.ts'
import { insertOwnProject } from './project-screens.ts'
import { openTicket, resolveWithoutEvent, ticketPath } from './support-screens.ts'
import { invite } from './team-screens.ts'
import type { Translate } from './texts.ts'
import { newEmail, ownTeam, type TestUser } from './user.ts'

export type Screen = {
  path: string
  /** The heading. */
  shows: (t: Translate) => string | RegExp
  /** The pages that it lies in, from the inside out. */
  within?: ((t: Translate) => string)[]
}

/** The screens of whoever is not signed in. */
export const forGuests: Screen[] = [
  { path: '/auth/login', shows: (t) => t(m.auth_login_title) },
  { path: '/auth/sign-up', shows: (t) => t(m.auth_sign_up_title) },
  { path: '/auth/forgot-password', shows: (t) => t(m.auth_forgot_title) },
  { path: '/auth/reset-password', shows: (t) => t(m.auth_reset_title) },
  { path: '/auth/reset-password?token=any', shows: (t) => t(m.auth_reset_title) },
  { path: '/auth/verify?token=wrong', shows: (t) => t(m.auth_verify_title) },
  { path: '/auth/login/oauth', shows: (t) => t(m.oauth_return_title) },
  { path: '/auth/code', shows: (t) => t(m.oauth_code_title) },
  { path: '/terms', shows: (t) => t(m.legal_terms_title) },
  { path: '/privacy', shows: (t) => t(m.legal_privacy_title) },
  { path: '/no/such/page', shows: (t) => t(m.shell_page_not_found) },
]

const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverwaltung'

/** Another one each time: only so much is mailed to an address. */
const newLongEmail = () => `${'somebody.'.repeat(4)}${newEmail()}`

/** Somebody with badges in the navigation, and things whose names are as long as names get. */
export async function createScene({
  newUser,
  operator,
  database,
}: {
  newUser: (given?: { name?: string; verified?: boolean }) => Promise<TestUser>
  operator: Client
  database: TestDatabase
}) {
  const user = await newUser({ name: longName })
  const team = await ownTeam(user)
  const email = newLongEmail()
  await invite(user, { email })
  await invite(await newUser({ name: longName }), user)
  const failed = await insertOwnProject(database, user, {
    failure: 'engine_failed',
    name: longName,
    domain: `${'long-'.repeat(10)}${team.id}.example.org`,
  })
  // One with a link to its site: the list is as wide as it gets.
  await insertOwnProject(database, user, { state: 'modifying', name: 'Community Garden' })
  const deleted = await insertOwnProject(database, user, { state: 'deleted' })
  const subject = 'w'.repeat(limits.subjectMax)
  const ticket = await openTicket(user, { subject, message: subject })
  await operator(replyToTicket, { params: { id: ticket.id }, body: { text: longName } })
  const resolved = await openTicket(user, { subject: longName })
  await resolveWithoutEvent(database, resolved.id)
  const closed = await openTicket(user)
  await resolveWithoutEvent(database, closed.id, 2 * limits.ticketClosesAfter)
  const invoice = await insertInvoice(database, user, {
    items: [{ name: longName, discount: '0.00250' }, { name: 'Community Garden' }],
  })
  return { user, team, email, failed, deleted, ticket, resolved, closed, invoice }
}
export type Scene = Awaited<ReturnType<typeof createScene>>

/** The screens of an area: the first one, and those that lie in it. */
const area = (first: Screen, ...others: Screen[]) => [
  first,
  ...others.map((screen) => ({
    ...screen,
    within: [...(screen.within ?? []), (t: Translate) => `${first.shows(t)}`],
  })),
]

/** The screens of whoever is signed in, by area. */
export const forSignedIn: Record<string, (scene: Scene) => Screen[]> = {
  projects: ({ failed, deleted }) =>
    area(
      { path: '/projects', shows: (t) => t(m.projects_title) },
      { path: '/projects/create', shows: (t) => t(m.projects_create) },
      { path: `/projects/view/${failed.key}`, shows: () => failed.name },
      { path: `/projects/view/${deleted.key}`, shows: () => deleted.name },
      { path: '/projects/view/none', shows: (t) => t(m.projects_project) },
    ),
  support: ({ ticket, resolved, closed }) =>
    area(
      { path: '/support/tickets', shows: (t) => t(m.support_title) },
      { path: '/support/tickets/create', shows: (t) => t(m.support_create) },
      ...[ticket, resolved, closed].map(({ id, subject }) => ({
        path: ticketPath(id),
        shows: () => subject,
      })),
      { path: ticketPath('none'), shows: (t) => t(m.support_ticket) },
    ),
  teams: ({ team: { id, name }, email }) =>
    area(
      { path: '/teams', shows: (t) => t(m.teams_title) },
      { path: `/teams/view/${id}`, shows: () => name },
      { path: '/teams/view/none', shows: (t) => t(m.teams_team) },
      { path: '/teams/invitations', shows: (t) => t(m.teams_invitations) },
      { path: `/teams/invitations?email=${email}`, shows: (t) => t(m.teams_invitations) },
    ),
  'the account': ({ invoice }) => {
    const within = [(t: Translate) => t(m.invoices_title)]
    return [
      { path: '/account/profile', shows: (t) => t(m.account_profile) },
      ...area(
        { path: '/account/billing/overview', shows: (t) => t(m.invoices_overview_title) },
        { path: '/account/billing/invoices', shows: (t) => t(m.invoices_title) },
        { path: invoicePath(invoice), shows: () => /./ },
        {
          path: '/account/billing/invoices/view/none',
          shows: (t) => t(m.invoices_invoice),
          within,
        },
        {
          path: '/account/billing/invoices/pay',
          shows: (t) => t(m.payments_screen_title),
          within,
        },
        { path: '/account/billing/payment-methods/add', shows: (t) => t(m.cards_add) },
      ),
    ]
  },
}
