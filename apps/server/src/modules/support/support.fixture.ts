import { createTicket, type TicketId } from '@slipway/contract/support'
import { onTestFinished } from 'vitest'
import { newId } from '../../db/ids.ts'
import { hearAnnouncements } from '../../testing/announcements.ts'
import type { TestUser, World } from '../../testing/world.ts'
import { supportMessages } from './support.schema.ts'

/** A new ticket of that person. */
export const ticketOf = ({ call }: Pick<TestUser, 'call'>, subject = 'My site is down') =>
  call(createTicket, { body: { subject, message: 'It answers with an error since this morning.' } })

/** Lets the ticket have that many more messages of the person, as if they had been written long ago: the nth `at` that time. */
export async function longAgo(
  { ctx }: Pick<World, 'ctx'>,
  { id: userId }: Pick<TestUser, 'id'>,
  ticketId: TicketId,
  count: number,
  time = (index: number) => index,
) {
  await ctx.db.insert(supportMessages).values(
    Array.from({ length: count }, (_, index) => {
      const at = new Date(time(index))
      const text = `Message ${index + 1}`
      return { id: newId<'TicketMessage'>(), ticketId, userId, text, createdAt: at, updatedAt: at }
    }),
  )
}

/** Hears what is announced until the test ends. */
export async function announcements(world: World) {
  const heard = await hearAnnouncements(world.database.options)
  onTestFinished(() => heard.close())
  return heard
}

/** The event that a ticket changed. */
export const updated = (ticketId: string) => ({
  kind: 'Ticket',
  data: { type: 'Updated', ticketId },
})
