import type { Client } from '@slipway/contract/client'
import { limits } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import { m } from '@slipway/phrases'
import type { TestDatabase } from './database.ts'
import { insertInvoice, invoicePath } from './invoice-screens.ts'
import { insertOwnProject } from './project-screens.ts'
import { openTicket, resolveUnnoticed, ticketPath } from './support-screens.ts'
import { invite } from './team-screens.ts'
import type { Say } from './texts.ts'
import { newEmail, ownTeam, type Person } from './user.ts'

export type Screen = {
  path: string
  /** The heading. */
  shows: (say: Say) => string | RegExp
  /** The pages that it lies in, from the inside out. */
  within?: ((say: Say) => string)[]
}

/** The screens of whoever is not signed in. */
export const forGuests: Screen[] = [
  { path: '/auth/login', shows: (say) => say(m.auth_login_title) },
  { path: '/auth/sign-up', shows: (say) => say(m.auth_sign_up_title) },
  { path: '/auth/forgot-password', shows: (say) => say(m.auth_forgot_title) },
  { path: '/auth/reset-password', shows: (say) => say(m.auth_reset_title) },
  { path: '/auth/reset-password?token=any', shows: (say) => say(m.auth_reset_title) },
  { path: '/auth/verify?token=wrong', shows: (say) => say(m.auth_verify_title) },
  { path: '/auth/login/oauth', shows: (say) => say(m.oauth_return_title) },
  { path: '/auth/code', shows: (say) => say(m.oauth_code_title) },
  { path: '/terms', shows: (say) => say(m.legal_terms_title) },
  { path: '/privacy', shows: (say) => say(m.legal_privacy_title) },
  { path: '/no/such/page', shows: (say) => say(m.shell_page_not_found) },
]

const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverwaltung'

/** Another one each time: only so much is mailed to an address. */
const newLongEmail = () => `${'somebody.'.repeat(4)}${newEmail()}`

/** Somebody with badges in the navigation, and things whose names are as long as names get. */
export async function createScene({
  newPerson,
  operator,
  database,
}: {
  newPerson: (given?: { name?: string; verified?: boolean }) => Promise<Person>
  operator: Client
  database: TestDatabase
}) {
  const person = await newPerson({ name: longName })
  const team = await ownTeam(person)
  const email = newLongEmail()
  await invite(person, { email })
  await invite(await newPerson({ name: longName }), person)
  const failed = await insertOwnProject(database, person, {
    failure: 'engine_failed',
    name: longName,
    domain: `${'long-'.repeat(10)}${team.id}.example.org`,
  })
  // One with a link to its site: the list is as wide as it gets.
  await insertOwnProject(database, person, { state: 'modifying', name: 'Community Garden' })
  const deleted = await insertOwnProject(database, person, { state: 'deleted' })
  const subject = 'w'.repeat(limits.subjectMax)
  const ticket = await openTicket(person, { subject, message: subject })
  await operator(replyToTicket, { params: { id: ticket.id }, body: { text: longName } })
  const resolved = await openTicket(person, { subject: longName })
  await resolveUnnoticed(database, resolved.id)
  const closed = await openTicket(person)
  await resolveUnnoticed(database, closed.id, 2 * limits.ticketClosesAfter)
  const invoice = await insertInvoice(database, person, {
    items: [{ name: longName, discount: '0.00250' }, { name: 'Community Garden' }],
  })
  return { person, team, email, failed, deleted, ticket, resolved, closed, invoice }
}
export type Scene = Awaited<ReturnType<typeof createScene>>

/** The screens of an area: the first one, and those that lie in it. */
const area = (first: Screen, ...others: Screen[]) => [
  first,
  ...others.map((screen) => ({
    ...screen,
    within: [...(screen.within ?? []), (say: Say) => `${first.shows(say)}`],
  })),
]

/** The screens of whoever is signed in, by area. */
export const forSignedIn: Record<string, (scene: Scene) => Screen[]> = {
  projects: ({ failed, deleted }) =>
    area(
      { path: '/projects', shows: (say) => say(m.projects_title) },
      { path: '/projects/create', shows: (say) => say(m.projects_create) },
      { path: `/projects/view/${failed.key}`, shows: () => failed.name },
      { path: `/projects/view/${deleted.key}`, shows: () => deleted.name },
      { path: '/projects/view/none', shows: (say) => say(m.projects_project) },
    ),
  support: ({ ticket, resolved, closed }) =>
    area(
      { path: '/support/tickets', shows: (say) => say(m.support_title) },
      { path: '/support/tickets/create', shows: (say) => say(m.support_create) },
      ...[ticket, resolved, closed].map(({ id, subject }) => ({
        path: ticketPath(id),
        shows: () => subject,
      })),
      { path: ticketPath('none'), shows: (say) => say(m.support_ticket) },
    ),
  teams: ({ team: { id, name }, email }) =>
    area(
      { path: '/teams', shows: (say) => say(m.teams_title) },
      { path: `/teams/view/${id}`, shows: () => name },
      { path: '/teams/view/none', shows: (say) => say(m.teams_team) },
      { path: '/teams/invitations', shows: (say) => say(m.teams_invitations) },
      { path: `/teams/invitations?email=${email}`, shows: (say) => say(m.teams_invitations) },
    ),
  'the account': ({ invoice }) => {
    const within = [(say: Say) => say(m.invoices_title)]
    return [
      { path: '/account/profile', shows: (say) => say(m.account_profile) },
      ...area(
        { path: '/account/billing/overview', shows: (say) => say(m.invoices_overview_title) },
        { path: '/account/billing/invoices', shows: (say) => say(m.invoices_title) },
        { path: invoicePath(invoice), shows: () => /./ },
        {
          path: '/account/billing/invoices/view/none',
          shows: (say) => say(m.invoices_invoice),
          within,
        },
        {
          path: '/account/billing/invoices/pay',
          shows: (say) => say(m.payments_screen_title),
          within,
        },
        { path: '/account/billing/payment-methods/add', shows: (say) => say(m.cards_add) },
      ),
    ]
  },
}
