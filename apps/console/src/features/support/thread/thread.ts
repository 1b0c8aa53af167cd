import type { TicketDetail, TicketMessage } from '@slipway/contract/support'

/** What a page holds of a thread: messages without a gap up to the newest, oldest first. */
type Messages = readonly TicketMessage[]

/**
 * The thread with the newest messages as they are now. What was held of the time before them stays; where
 * so much came that messages between the two are missing, only the newest are left.
 */
export function withNewest(held: Messages, newest: Messages): Messages {
  const [first] = newest
  const place = held.findIndex(({ id }) => id === first?.id)
  return place > 0 ? [...held.slice(0, place), ...newest] : newest
}

/** The thread with the messages before its first one, unless that is another one by now. */
export const withOlder = (held: Messages, older: Messages, before: string): Messages =>
  held[0]?.id === before ? [...older, ...held] : held

/** How many messages of the ticket came before those that are held. */
export const countOlder = (held: Messages, { messages, olderMessages }: TicketDetail) =>
  Math.max(0, messages.length + olderMessages - held.length)
