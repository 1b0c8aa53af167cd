import type { UserId } from '@slipway/contract/account'
import { limits } from '@slipway/contract/limits'
import type { TicketState } from '@slipway/contract/support'

type Resolvable = { state: TicketState; resolvedAt: Date | null }

export const isResolved = (ticket: Pick<Resolvable, 'state'>) => ticket.state === 'resolved'

/** Tickets resolved before this time are closed: they accept no more messages. */
export const resolvedAtCutoff = (now: Date) => new Date(now.getTime() - limits.ticketClosesAfter)

export const isClosed = ({ resolvedAt }: Pick<Resolvable, 'resolvedAt'>, now: Date) =>
  resolvedAt !== null && resolvedAt < resolvedAtCutoff(now)

/** True for the ticket's own user; any other writer is the support team. */
export const isOwn = (ticket: { userId: UserId }, writer: UserId) => ticket.userId === writer
