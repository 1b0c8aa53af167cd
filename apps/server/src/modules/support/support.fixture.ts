import { createTicket } from '@slipway/contract/support'
import { onTestFinished } from 'vitest'
import { hearAnnouncements } from '../../testing/announcements.ts'
import type { Person, World } from '../../testing/world.ts'

/** A new ticket of that person. */
export const ticketOf = ({ call }: Pick<Person, 'call'>, subject = 'My site is down') =>
  call(createTicket, { body: { subject, message: 'It answers with an error since this morning.' } })

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
