import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { multilineText, singleLineText } from './field-schemas.ts'
import { type Id, idInput, idOutput } from './id.ts'
import { limits } from './limits.ts'

export type TicketId = Id<'Ticket'>
export type TicketMessageId = Id<'TicketMessage'>

export const ticketStates = ['open', 'resolved'] as const
export type TicketState = (typeof ticketStates)[number]

/** A support ticket. */
export const ticket = z.object({
  id: idOutput<'Ticket'>(),
  subject: z.string(),
  state: z.enum(ticketStates),
  /** When it was marked as resolved: 24 hours later it takes no more messages. */
  resolvedAt: z.nullable(z.iso.datetime()),
  /** True once it takes no more messages, by the service's clock. */
  closed: z.boolean(),
  /** True while the support team has written something that the user has not seen. */
  unread: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Ticket = z.output<typeof ticket>

/** A message of a ticket; whoever is not the ticket's user is the support team. */
export const ticketMessage = z.object({
  id: idOutput<'TicketMessage'>(),
  userId: idOutput<'User'>(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type TicketMessage = z.output<typeof ticketMessage>

/** What was written in a ticket: the newest messages, oldest first, and how many came before them. */
export const ticketThread = { messages: z.array(ticketMessage), olderMessages: z.number() }

/** Which messages of a thread: those that came before one of it. */
export const olderMessagesQuery = z.object({ before: idInput<'TicketMessage'>() })

/** A ticket with its messages. */
export const ticketDetail = z.extend(ticket, ticketThread)
export type TicketDetail = z.output<typeof ticketDetail>

const id = idInput<'Ticket'>()

/** Made by the client: a request that is sent twice, by a double press or a lost answer, counts once. */
const idempotencyKey = z.optional(z.uuid())

export const listTickets = endpoint('GET /support/ticket/all', {
  summary: 'The tickets of the user, last changed first',
  response: z.array(ticket),
})

export const countUnreadTickets = endpoint('GET /support/ticket/unread', {
  summary: 'How many tickets of the user have a reply that was not seen',
  response: z.object({ count: z.number() }),
})

export const viewTicket = endpoint('GET /support/ticket/view/:id', {
  summary: 'A ticket with its messages',
  params: { id },
  response: ticketDetail,
  errors: ['ticket_not_found'],
})

export const listOlderMessages = endpoint('GET /support/ticket/view/:id/older', {
  summary: 'The newest messages of a ticket that came before one of them',
  params: { id },
  query: olderMessagesQuery,
  response: z.object(ticketThread),
  errors: ['ticket_not_found', 'item_not_found'],
})

/** What somebody fills in to open a ticket. */
export const newTicket = z.object({
  subject: singleLineText('form_enter_subject', limits.textMin, limits.subjectMax),
  message: multilineText('form_describe_issue', limits.ticketMessageMax),
})

export const createTicket = endpoint('POST /support/ticket/create', {
  summary: 'Open a ticket',
  body: z.extend(newTicket, { idempotencyKey }),
  response: ticketDetail,
  errors: ['message_limit_reached'],
})

export const changeTicketState = endpoint('PUT /support/ticket/state/:id/update', {
  summary: 'Mark a ticket as resolved',
  params: { id },
  // There is no way back to open.
  body: z.object({ state: z.literal('resolved', 'form_invalid') }),
  response: ticket,
  errors: ['ticket_not_found', 'ticket_already_resolved'],
})

export const markTicketRead = endpoint('PUT /support/ticket/read/:id', {
  summary: 'Say that the user has seen a ticket up to a message',
  params: { id },
  body: z.object({ messageId: idInput<'TicketMessage'>() }),
  errors: ['ticket_not_found', 'item_not_found'],
})

/** What somebody fills in to write in a ticket. */
export const newTicketMessage = z.object({
  text: multilineText('form_enter_message', limits.ticketMessageMax),
})

export const sendTicketMessage = endpoint('POST /support/ticket/message/:id/create', {
  summary: 'Write a message in a ticket',
  params: { id },
  body: z.extend(newTicketMessage, { idempotencyKey }),
  response: ticketMessage,
  errors: ['ticket_not_found', 'ticket_closed', 'message_limit_reached'],
})
