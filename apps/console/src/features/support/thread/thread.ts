import type { TicketDetail, TicketMessage, TicketMessageId } from '@slipway/contract/support'

/** The loaded messages, oldest first: without gaps, up to the newest. */
type Messages = readonly TicketMessage[]

/**
 * Merges a refetched page of the newest messages. Older messages stay, unless there is a gap before
 * the new page.
 */
export function mergeNewest(loaded: Messages, newest: Messages): Messages {
  const [first] = newest
  const overlap = loaded.findIndex(({ id }) => id === first?.id)
  return overlap > 0 ? [...loaded.slice(0, overlap), ...newest] : newest
}

/** Prepends older messages, unless the thread no longer begins with `before`. */
export const prependOlder = (
  loaded: Messages,
  older: Messages,
  before: TicketMessageId,
): Messages => (loaded[0]?.id === before ? [...older, ...loaded] : loaded)

/** How many older messages are not loaded. */
export const countOlder = (loaded: Messages, { messages, olderMessages }: TicketDetail) =>
  Math.max(0, messages.length + olderMessages - loaded.length)
