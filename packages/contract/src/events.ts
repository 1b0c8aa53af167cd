import * as z from 'zod/mini'
import { idOf } from './id.ts'

/** What the socket says: which thing changed, never its data. Whoever hears it asks again. */
export const event = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('Project'),
    data: z.object({ type: z.literal('Updated'), projectId: idOf<'Project'>() }),
  }),
  z.object({
    kind: z.literal('Team'),
    data: z.object({ type: z.literal('Updated'), teamId: idOf<'Team'>() }),
  }),
  z.object({
    kind: z.literal('User'),
    data: z.object({ type: z.literal('Invited'), teamId: idOf<'Team'>() }),
  }),
])
export type Event = z.output<typeof event>
export type EventOf<Kind extends Event['kind']> = Extract<Event, { kind: Kind }>

/** The socket's path below the API's base; the bearer token is its `token` query parameter. */
export const socketPath = '/common/ws'
