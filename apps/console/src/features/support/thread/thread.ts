import type { TicketDetail, TicketMessage } from '@slipway/contract/support'

/** The loaded messages: without gaps up to the newest, oldest first. */
type Messages = readonly TicketMessage[]

/**
 * Merges a refetched page of newest messages. Older messages stay, unless messages between the two
 * are missing.
 */
export function withNewest(held: Messages, newest: Messages): Messages {
  const [first] = newest
  const place = held.findIndex(({ id }) => id === first?.id)
  return place > 0 ? [...held.slice(0, place), ...newest] : newest
}

/** Prepends older messages, unless the thread no longer begins with `before`. */
export const withOlder = (held: Messages, older: Messages, before: string): Messages =>
  held[0]?.id === before ? [...older, ...held] : held

/** How many older messages are not loaded. */
export const countOlder = (held: Messages, { messages, olderMessages }: TicketDetail) =>
  Math.max(0, messages.length + olderMessages - held.length)
