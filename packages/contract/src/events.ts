import * as z from 'zod/mini'
import { idOutput } from './id.ts'

/** What the socket says: which thing changed, never its data. Whoever hears it asks again. */
export const event = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('Project'),
    data: z.object({ type: z.literal('Updated'), projectId: idOutput<'Project'>() }),
  }),
  z.object({
    kind: z.literal('Team'),
    data: z.object({ type: z.literal('Updated'), teamId: idOutput<'Team'>() }),
  }),
  // To one user: they were invited; or they, their cards or what they belong to changed, as when they were
  // removed from a team.
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

/** The socket's path below the API's base; the bearer token is its `token` query parameter. */
export const socketPath = '/common/ws'
