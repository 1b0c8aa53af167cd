import { createTicket, type TicketId } from '@slipway/contract/support'
import { onTestFinished } from 'vitest'
import { newId } from '../../db/ids.ts'
import { recordEvents } from '../../testing/event-recorder.ts'
import type { TestUser, World } from '../../testing/world.ts'
import { supportMessages } from './support.schema.ts'

export const openTicket = ({ call }: Pick<TestUser, 'call'>, subject = 'My site is down') =>
  call(createTicket, { body: { subject, message: 'It has shown an error since this morning.' } })

/**
 * Adds old messages of the user to the ticket. `time` returns the time of the message with this
 * index, in milliseconds.
 */
export async function addOldMessages(
  { ctx }: Pick<World, 'ctx'>,
  { id: userId }: Pick<TestUser, 'id'>,
  ticketId: TicketId,
  count: number,
  time = (index: number) => index,
) {
  await ctx.db.insert(supportMessages).values(
    Array.from({ length: count }, (_, index) => {
      const createdAt = new Date(time(index))
      const text = `Message ${index + 1}`
      return {
        id: newId<'TicketMessage'>(),
        ticketId,
        userId,
        text,
        createdAt,
        updatedAt: createdAt,
      }
    }),
  )
}

/** Collects the published events until the test ends. */
export async function collectEvents(world: World) {
  const events = await recordEvents(world.database.options)
  onTestFinished(() => events.close())
  return events
}

export const ticketUpdated = (ticketId: string) => ({
  kind: 'Ticket',
  data: { type: 'Updated', ticketId },
})
