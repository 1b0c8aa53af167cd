import { expect, type Page } from '@playwright/test'
import { createTicket, type TicketId } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import type { TestDatabase } from './database.ts'
import type { Translate } from './texts.ts'
import type { TestUser } from './user.ts'

export const openTicket = (
  user: TestUser,
  { subject = 'Example subject', message = 'Example message' } = {},
) => user.call(createTicket, { body: { subject, message } })

export const ticketPath = (id: string) => `/support/tickets/view/${id}`

/** The link to the tickets in the navigation, with the count of unread replies. */
export const supportLink = (page: Page, t: Translate, count = 0) =>
  page.getByRole('navigation', { name: t(m.shell_navigation) }).getByRole('link', {
    name: count
      ? `${t(m.shell_support)} (${t(m.shell_replies_waiting, { count })})`
      : t(m.shell_support),
    exact: true,
  })

export const messages = (page: Page, t: Translate) =>
  page.getByRole('region', { name: t(m.support_messages) }).getByRole('listitem')

export const replyField = (page: Page, t: Translate) =>
  page.getByRole('textbox', { name: t(m.support_reply) })

export const sendButton = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.support_send), exact: true })

/** Expects a message to be visible without scrolling. */
export const expectInView = (page: Page, text: string) =>
  expect(page.getByText(text, { exact: true })).toBeInViewport({ ratio: 0.5 })

/** Marks a ticket as resolved some milliseconds ago, without an event. */
export async function resolveWithoutEvent({ pool }: TestDatabase, id: TicketId, age = 0) {
  await pool.query(
    "update support_tickets set state = 'resolved', resolved_at = now() - $1 * interval '1 millisecond' where id = $2",
    [age, id],
  )
}

/** Inserts older messages of the ticket's user, a minute apart: 'Message 1' and so on. */
export async function prependMessages({ pool }: TestDatabase, id: TicketId, count: number) {
  await pool.query(
    `insert into support_messages (id, ticket_id, user_id, text, created_at, updated_at)
     select gen_random_uuid(), id, user_id, 'Message ' || n, sent_at, sent_at
     from support_tickets, generate_series(1, $2::int) n,
       lateral (select created_at - ($2 + 1 - n) * interval '1 minute' as sent_at) time
     where id = $1`,
    [id, count],
  )
}

/** Moves the time of resolution into the past, without an event. */
export async function backdateResolution(
  { pool }: TestDatabase,
  id: TicketId,
  milliseconds: number,
) {
  await pool.query(
    "update support_tickets set resolved_at = resolved_at - $1 * interval '1 millisecond' where id = $2",
    [milliseconds, id],
  )
}

/** A text with a number of lines. */
export const linesOf = (count: number) =>
  Array.from({ length: count }, (_, line) => `Line ${line + 1}`).join('\n')
