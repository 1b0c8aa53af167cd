import { limits } from '@slipway/contract/limits'
import {
  listTickets,
  markTicketRead,
  sendTicketMessage,
  viewTicket,
} from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { replyField } from '../harness/support-screens.ts'
import { failed, loading, type Picture, pageAt, reject } from './picture.ts'

/** For a user with tickets; `idOf` gives the id of a ticket. */
export const supportPictures = (
  idOf: (name: 'closed' | 'resolved' | 'open' | 'unread') => string,
): Picture[] => [
  pageAt('tickets', '/support/tickets'),
  loading('tickets-loading', '/support/tickets', listTickets),
  failed('tickets-failed', '/support/tickets', listTickets),
  pageAt('ticket-create', '/support/tickets/create'),
  {
    name: 'ticket-create-errors',
    show: async (page, t) => {
      await page.getByRole('button', { name: t(m.support_create) }).click()
      await page.getByText(t(m.form_describe_issue)).waitFor()
    },
  },
  {
    name: 'ticket-create-long',
    show: async (page, t) => {
      await page.getByLabel(t(m.support_subject)).fill('A long story')
      const message = page.getByLabel(t(m.support_message))
      const sentence = 'What happened, at length. '
      const text = sentence.repeat(Math.ceil(limits.ticketMessageMax / sentence.length)).trimEnd()
      await message.fill(text)
      const over = text.length - limits.ticketMessageMax
      await page
        .getByText(t(m.support_characters_over, { count: over }))
        .first()
        .waitFor()
    },
  },
  ...(['closed', 'resolved', 'open'] as const).map((name) =>
    pageAt(`ticket-${name}`, `/support/tickets/view/${idOf(name)}`),
  ),
  {
    name: 'ticket-resolving',
    inWindow: true,
    show: async (page, t) => {
      await page.getByRole('button', { name: t(m.support_resolve) }).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  loading('ticket-loading', `/support/tickets/view/${idOf('open')}`, viewTicket),
  failed('ticket-failed', `/support/tickets/view/${idOf('open')}`, viewTicket),
  {
    name: 'ticket-message-rejected',
    show: async (page, t) => {
      await page.goto(`/support/tickets/view/${idOf('open')}`, { waitUntil: 'networkidle' })
      await reject(page, sendTicketMessage, 503, 'unavailable')
      await replyField(page, t).fill('Is there any news?')
      await page.getByRole('button', { name: t(m.support_send), exact: true }).click()
      await page.getByText('Is there any news?').first().waitFor()
      await page.getByRole('alert').first().waitFor()
    },
  },
  pageAt('ticket-missing', '/support/tickets/view/no-such-ticket'),
  {
    name: 'ticket-thread',
    show: async (page) => {
      // The unread mark stays for the next pictures.
      await page.route(`**/api${markTicketRead.path.replace(':id', '*')}`, () => undefined)
      await page.goto(`/support/tickets/view/${idOf('unread')}`)
      await page.getByRole('link', { name: 'ada@example.com' }).waitFor()
    },
  },
]

/** For a user without tickets. */
export const noSupportPictures: Picture[] = [pageAt('tickets-empty', '/support/tickets')]
