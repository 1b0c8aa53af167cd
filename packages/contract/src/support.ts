import * as z from 'zod/mini'
import { type Id, idOf } from './id.ts'

export type TicketId = Id<'Ticket'>
export type TicketMessageId = Id<'TicketMessage'>

export const ticketStates = ['open', 'resolved'] as const
export type TicketState = (typeof ticketStates)[number]

/** A support ticket. */
export const ticket = z.object({
  id: idOf<'Ticket'>(),
  subject: z.string(),
  state: z.enum(ticketStates),
  /** When it was marked as resolved: 24 hours later it takes no more messages. */
  resolvedAt: z.nullable(z.iso.datetime()),
  /** True while the support team has written something that the user has not seen. */
  unread: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Ticket = z.output<typeof ticket>

/** A message of a ticket; whoever is not the ticket's user is the support team. */
export const ticketMessage = z.object({
  id: idOf<'TicketMessage'>(),
  userId: idOf<'User'>(),
  text: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type TicketMessage = z.output<typeof ticketMessage>

/** A ticket with its messages, oldest first. */
export const ticketDetail = z.extend(ticket, { messages: z.array(ticketMessage) })
export type TicketDetail = z.output<typeof ticketDetail>
