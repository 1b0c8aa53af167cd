import { limits } from '@slipway/contract/limits'
import { listTickets, markTicketRead } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { at, type Picture } from './picture-list.ts'

/** What somebody with support tickets sees; `idOf` gives the id of one. */
export const supportPictures = (
  idOf: (name: 'closed' | 'resolved' | 'open' | 'unread') => string,
): Picture[] => [
  at('tickets', '/support/tickets'),
  {
    name: 'tickets-loading',
    show: async (page, say) => {
      await page.route(`**/api${listTickets.path}`, () => undefined)
      await page.goto('/support/tickets')
      await page.getByRole('table', { name: say(m.support_list_caption) }).waitFor()
    },
  },
  {
    name: 'tickets-failed',
    show: async (page) => {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.route(`**/api${listTickets.path}`, (route) =>
        route.fulfill({ status: 403, json: { code: 403, error: 'forbidden' } }),
      )
      await page.goto('/support/tickets')
      await page.getByRole('alert').waitFor()
      await page.unrouteAll()
    },
  },
  at('ticket-create', '/support/tickets/create'),
  {
    name: 'ticket-create-errors',
    show: async (page, say) => {
      await page.getByRole('button', { name: say(m.support_create) }).click()
      await page.getByText(say(m.form_describe_issue)).waitFor()
    },
  },
  {
    name: 'ticket-create-long',
    show: async (page, say) => {
      await page.getByLabel(say(m.support_subject)).fill('A long story')
      const message = page.getByLabel(say(m.support_message))
      await message.fill('What happened, at length. '.repeat(limits.ticketMessageMax / 26 + 1))
      await page
        .getByText(say(m.support_characters_over, { count: 9 }))
        .first()
        .waitFor()
    },
  },
  ...(['closed', 'resolved', 'open'] as const).map((name) =>
    at(`ticket-${name}`, `/support/tickets/view/${idOf(name)}`),
  ),
  {
    name: 'ticket-resolving',
    show: async (page, say) => {
      await page.getByRole('button', { name: say(m.support_resolve) }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  at('ticket-missing', '/support/tickets/view/no-such-ticket'),
  {
    name: 'ticket-thread',
    show: async (page) => {
      // The mark of the unread reply stays for the pictures to come.
      await page.route(`**/api${markTicketRead.path.replace(':id', '*')}`, () => undefined)
      await page.goto(`/support/tickets/view/${idOf('unread')}`)
      await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
    },
  },
]

/** What somebody sees who has no tickets yet. */
export const noSupportPictures: Picture[] = [at('tickets-empty', '/support/tickets')]
