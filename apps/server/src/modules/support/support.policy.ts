import type { UserId } from '@slipway/contract/account'
import { limits } from '@slipway/contract/limits'
import type { TicketState } from '@slipway/contract/support'

type Resolvable = { state: TicketState; resolvedAt: Date | null }

export const isResolved = (ticket: Pick<Resolvable, 'state'>) => ticket.state === 'resolved'

/** Tickets that were resolved before this moment are closed: they take no more messages. */
export const closedBefore = (now: Date) => new Date(now.getTime() - limits.ticketClosesAfter)

export const isClosed = ({ resolvedAt }: Pick<Resolvable, 'resolvedAt'>, now: Date) =>
  resolvedAt !== null && resolvedAt < closedBefore(now)

/** Whoever writes in a ticket and is not its user is the support team, whatever call they use. */
export const isOwn = (ticket: { userId: UserId }, writer: UserId) => ticket.userId === writer
