import type { Page } from '@playwright/test'
import { countUnreadTickets } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { addCard, cardName, cardNumbers, overviewPath } from '../harness/billing-screens.ts'
import type { TestDatabase } from '../harness/database.ts'
import { insertInvoice, invoicePath, invoicesPath, payPath } from '../harness/invoice-screens.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { openTicket, ticketPath } from '../harness/support-screens.ts'
import { invite } from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

test.use({ expectedErrors: [/Failed to load resource|net::ERR_|WebSocket/] })

type PageCase = {
  path: string
  /** Changes the data while the page is offline. */
  change: () => Promise<unknown>
  /** The text that shows the change. */
  shows: string | RegExp
}

/** Changes a text in the database without an event. */
const updateText =
  ({ pool }: TestDatabase, table: string, column: string, id: string) =>
  (text: string) =>
    pool.query(`update ${table} set ${column} = $1 where id = $2`, [text, id])

/** Every page with data, for a user who has one of each resource. */
async function pagesOf(user: TestUser, otherUser: TestUser, database: TestDatabase, t: Translate) {
  const team = await ownTeam(user)
  const project = await insertOwnProject(database, user)
  const ticket = await openTicket(user)
  const invoice = await insertInvoice(database, user, { items: [{ name: 'Old Mill' }] })
  const item = await database.pool.query('select id from invoice_items where invoice_id = $1', [
    invoice,
  ])
  const renameProject = updateText(database, 'projects', 'name', project.id)
  const renameTeam = updateText(database, 'teams', 'name', team.id)
  const renameTicket = updateText(database, 'support_tickets', 'subject', ticket.id)
  const renameItem = updateText(database, 'invoice_items', 'project_name', item.rows[0].id)
  const renameUser = updateText(database, 'users', 'name', team.userId)
  const insertInvoiceOf = (name: string, monthsAgo: number) => () =>
    insertInvoice(database, user, { monthsAgo, items: [{ name, price: '0.12345' }] })
  const pages: PageCase[] = [
    { path: '/projects', change: () => renameProject('Second name'), shows: 'Second name' },
    {
      path: `/projects/view/${project.key}`,
      change: () => renameProject('Third name'),
      shows: 'Third name',
    },
    { path: '/teams', change: () => renameTeam('Second team'), shows: 'Second team' },
    {
      path: `/teams/view/${team.id}`,
      change: () => renameTeam('Third team'),
      shows: 'Third team',
    },
    { path: '/teams/invitations', change: () => invite(otherUser, user), shows: otherUser.name },
    {
      path: '/support/tickets',
      change: () => renameTicket('Second subject'),
      shows: 'Second subject',
    },
    {
      path: ticketPath(ticket.id),
      change: () => renameTicket('Third subject'),
      shows: 'Third subject',
    },
    {
      path: overviewPath,
      change: () => addCard(user),
      shows: cardName(t, m.cards_visa, cardNumbers.visa),
    },
    // 672 hours (the default of `insertInvoice`) at $0.12345 are $82.96.
    { path: invoicesPath, change: insertInvoiceOf('Harbour Cafe', 2), shows: /82\.9/ },
    {
      path: invoicePath(invoice),
      change: () => renameItem('New Mill'),
      shows: 'New Mill',
    },
    {
      path: payPath,
      change: () => addCard(user, cardNumbers.troy),
      shows: cardName(t, m.cards_troy, cardNumbers.troy),
    },
    {
      path: '/account/profile',
      change: () => renameUser('Grace Example'),
      shows: 'Grace Example',
    },
  ]
  return pages
}

/** Records the GET requests that a page sends to the API for its data. */
function recordRequests(page: Page) {
  let requests = new Set<string>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET' && /^\/api\/(?!common\/(?:ws|links))/.test(pathname))
      requests.add(pathname + search)
  })
  return {
    requests: () => requests,
    reset() {
      requests = new Set()
    },
  }
}

test('every page with data reports stale data while offline, and refetches all of it once online', async ({
  page,
  context,
  t,
  newUser,
  database,
}) => {
  // One browser for a dozen pages is far faster than one for each.
  test.slow()
  const user = await newUser()
  const otherUser = await newUser({ name: 'Another Owner' })
  const calls = recordRequests(page)
  await storeSession(page, user)
  // The text before the time.
  const [offline = ''] = t(m.connection_offline, { time: '@' }).split('@')
  const bar = page.getByRole('banner').getByRole('status').filter({ hasText: offline })
  const connected = page.getByRole('button', { name: t(m.shell_connected) })

  for (const { path, change, shows } of await pagesOf(user, otherUser, database, t)) {
    calls.reset()
    // The last call that a page sends automatically.
    const last = page.waitForResponse(`**/api${countUnreadTickets.path}`)
    await page.goto(path)
    await last
    await expect(connected).toBeVisible()
    await expect(heading(page, /./)).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expect(bar).toHaveCount(0)
    const requests = [...calls.requests()]
    const changedText = page.getByRole('main').getByText(shows).first()
    await expect(changedText, path).toHaveCount(0)

    await context.setOffline(true)
    await expect(bar, path).toBeVisible()
    await change()
    calls.reset()
    await context.setOffline(false)
    await expect(changedText, path).toBeVisible()
    await expect(bar, path).toHaveCount(0)
    await expect
      .poll(() => requests.filter((call) => !calls.requests().has(call)), { message: path })
      .toEqual([])
  }
})
