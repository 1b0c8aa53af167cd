import type { Client } from '@slipway/contract/client'
import { limits } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import { m } from '@slipway/phrases'
import { needsSession } from '../../apps/console/src/screens/screen-facts.ts'
import { screenFiles } from '../../apps/console/src/screens/screen-files.ts'
import type { TestDatabase } from './database.ts'
import { insertInvoice } from './invoice-screens.ts'
import { insertOwnProject } from './project-screens.ts'
import { openTicket, resolveWithoutEvent } from './support-screens.ts'
import { invite } from './team-screens.ts'
import type { Translate } from './texts.ts'
import { newEmail, ownTeam, type TestUser } from './user.ts'

export type Screen = {
  path: string
  /** The heading. */
  shows: (t: Translate) => string | RegExp
  /** The start of the tab's title. */
  title: (t: Translate) => string | RegExp
  /** The titles of the screens above it, the innermost first. */
  within: ((t: Translate) => string)[]
}

const longName = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverwaltung'

/** Returns a new address each time, because emails to one address are limited. */
const newLongEmail = () => `${'somebody.'.repeat(4)}${newEmail()}`

/**
 * A user with badges in the navigation, and resources with the longest names by default. A settled
 * scene has no project that the server works on.
 */
export async function createScene(
  {
    newUser,
    operator,
    database,
  }: {
    newUser: (overrides?: { name?: string; verified?: boolean }) => Promise<TestUser>
    operator: Client
    database: TestDatabase
  },
  name = longName,
  { isSettled = false }: { isSettled?: boolean } = {},
) {
  const user = await newUser({ name })
  const team = await ownTeam(user)
  const email = newLongEmail()
  await invite(user, { email })
  await invite(await newUser({ name }), user)
  const failed = await insertOwnProject(database, user, {
    failure: 'engine_failed',
    name,
    domain: `${'long-'.repeat(10)}${team.id}.example.org`,
  })
  // A link to the site gives the list its greatest width.
  if (!isSettled)
    await insertOwnProject(database, user, { state: 'modifying', name: 'Community Garden' })
  const deleted = await insertOwnProject(database, user, { state: 'deleted' })
  const subject = name === longName ? 'w'.repeat(limits.subjectMax) : name
  const ticket = await openTicket(user, { subject, message: subject })
  await operator(replyToTicket, { params: { id: ticket.id }, body: { text: name } })
  const resolved = await openTicket(user, { subject: name })
  await resolveWithoutEvent(database, resolved.id)
  const closed = await openTicket(user)
  await resolveWithoutEvent(database, closed.id, 2 * limits.ticketClosesAfter)
  const invoice = await insertInvoice(database, user, {
    items: [{ name, discount: '0.00250' }, { name: 'Community Garden' }],
  })
  return { user, team, email, failed, deleted, ticket, resolved, closed, invoice }
}
export type Scene = Awaited<ReturnType<typeof createScene>>

/** A URL of a screen. The title of the tab is `name`, or else the screen's. */
type Example = {
  param?: string
  search?: string
  name?: string | RegExp
  /** The name of the resource that the page belongs to: its heading. */
  resource?: string
}

/** The URLs of each screen with a parameter, or whose look depends on the query string. */
const examples: Record<string, (scene: Scene) => Example[]> = {
  '/projects/view/$projectKey': ({ failed, deleted }) => [
    { param: failed.key, name: failed.name },
    { param: deleted.key, name: deleted.name },
    { param: 'none' },
  ],
  '/projects/view/$projectKey/releases': ({ failed }) => [
    { param: failed.key, resource: failed.name },
    { param: 'none' },
  ],
  '/projects/view/$projectKey/domains': ({ failed }) => [
    { param: failed.key, resource: failed.name },
    { param: 'none' },
  ],
  '/projects/view/$projectKey/backups': ({ failed }) => [
    { param: failed.key, resource: failed.name },
    { param: 'none' },
  ],
  '/projects/view/$projectKey/activity': ({ failed }) => [
    { param: failed.key, resource: failed.name },
    { param: 'none' },
  ],
  '/projects/view/$projectKey/settings': ({ failed }) => [
    { param: failed.key, resource: failed.name },
    { param: 'none' },
  ],
  '/projects/view/$projectKey/logs': ({ failed }) => [
    { param: failed.key, resource: failed.name },
    { param: 'none' },
  ],
  '/projects/view/$projectKey/traffic': ({ failed }) => [
    { param: failed.key, resource: failed.name },
    { param: 'none' },
  ],
  '/support/tickets/view/$ticketId': ({ ticket, resolved, closed }) => [
    ...[ticket, resolved, closed].map(({ id, subject }) => ({ param: id, name: subject })),
    { param: 'none' },
  ],
  '/teams/view/$teamId': ({ team: { id, name } }) => [{ param: id, name }, { param: 'none' }],
  '/teams/invitations': ({ email }) => [{}, { search: `?email=${email}` }],
  '/account/billing/invoices/view/$invoiceId': ({ invoice }) => [
    { param: invoice, name: /./ },
    { param: 'none' },
  ],
}
const guestExamples: Record<string, Example[]> = {
  '/auth/reset-password': [{}, { search: '?token=any' }],
  '/auth/verify': [{ search: '?token=wrong' }],
}

const screens = await screenFiles()
type ScreenFile = (typeof screens)[number]

function titlesAbove({ parent }: ScreenFile): Screen['within'] {
  const above = screens.find(({ path }) => path === parent)
  return above ? [(t) => t(above.title), ...titlesAbove(above)] : []
}

const toScreens = (screen: ScreenFile, addresses: Example[] = [{}]) =>
  addresses.map(({ param, search = '', name, resource }): Screen => {
    if (screen.path.includes('$') && param === undefined)
      throw new Error(`${screen.path} needs an example in e2e/harness/screen-list.ts.`)
    return {
      path: screen.path.replace(/\$\w+/, () => param ?? '') + search,
      shows: (t) => name ?? resource ?? t(screen.title),
      title: (t) => name ?? t(screen.title),
      within: [...(resource === undefined ? [] : [() => resource]), ...titlesAbove(screen)],
    }
  })

const openScreens = screens.filter(({ layout }) => !needsSession(layout))

export const forGuests: Screen[] = [
  ...openScreens
    .filter(({ isForUnverified }) => !isForUnverified)
    .flatMap((screen) => toScreens(screen, guestExamples[screen.path])),
  {
    path: '/no/such/page',
    shows: (t) => t(m.shell_page_not_found),
    title: (t) => t(m.shell_page_not_found),
    within: [],
  },
]

/** The screens of a user whose address is not verified. */
export const forUnverified: Screen[] = openScreens
  .filter(({ isForUnverified }) => isForUnverified)
  .flatMap((screen) => toScreens(screen))

const withSession = screens.filter(({ layout }) => needsSession(layout))

/** The screens of a verified user, by area. */
export const signedInScreens: Record<string, (scene: Scene) => Screen[]> = Object.fromEntries(
  [...new Set(withSession.map(({ area }) => area))].map((area) => [
    area,
    (scene: Scene) =>
      withSession
        .filter((screen) => screen.area === area)
        .flatMap((screen) => toScreens(screen, examples[screen.path]?.(scene))),
  ]),
)
