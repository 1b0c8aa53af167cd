import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idOutput } from './id.ts'

/** A message of the socket: which resource changed, without its data. The console refetches it. */
export const event = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('Project'),
    data: z.object({ type: z.literal('Updated'), projectId: idOutput<'Project'>() }),
  }),
  z.object({
    kind: z.literal('Team'),
    data: z.object({ type: z.literal('Updated'), teamId: idOutput<'Team'>() }),
  }),
  // Only for that user. `Updated`: their profile, cards or memberships changed.
  z.object({
    kind: z.literal('User'),
    data: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('Invited'),
        userId: idOutput<'User'>(),
        teamId: idOutput<'Team'>(),
      }),
      z.object({ type: z.literal('Updated'), userId: idOutput<'User'>() }),
    ]),
  }),
  z.object({
    kind: z.literal('Ticket'),
    data: z.object({ type: z.literal('Updated'), ticketId: idOutput<'Ticket'>() }),
  }),
  z.object({
    kind: z.literal('Invoice'),
    data: z.object({ type: z.literal('Updated'), invoiceId: idOutput<'Invoice'>() }),
  }),
])
export type Event = z.output<typeof event>
export type EventOf<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>

/** The socket's path below the API's base; a ticket is its `token` query parameter. */
export const socketPath = '/common/ws'

/** URLs are stored in histories and logs, so the socket's URL has a ticket, not the session. */
export const createSocketTicket = endpoint('POST /common/ws/ticket', {
  summary: 'Create a ticket that opens a socket once, within 30 seconds',
  response: z.object({ ticket: z.string() }),
})
