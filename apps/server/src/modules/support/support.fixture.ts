import { createTicket } from '@slipway/contract/support'
import type { Person } from '../../testing/world.ts'

/** A new ticket of that person. */
export const ticketOf = ({ call }: Pick<Person, 'call'>, subject = 'My site is down') =>
  call(createTicket, { body: { subject, message: 'It answers with an error since this morning.' } })

/** The event that a ticket changed. */
export const updated = (ticketId: string) => ({
  kind: 'Ticket',
  data: { type: 'Updated', ticketId },
})
