import type { Audience } from '../../events.ts'
import * as support from './support.service.ts'

export const audience: Audience<'Ticket'> = {
  Ticket: (ctx, { ticketId }) => support.eventRecipients(ctx.db, ticketId),
}
