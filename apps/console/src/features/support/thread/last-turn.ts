import type { TicketMessage } from '@slipway/contract/support'

/**
 * The first of the consecutive messages by one writer that end the thread: where a returning
 * reader starts.
 */
export function firstOfLastTurn(messages: readonly TicketMessage[]): TicketMessage | undefined {
  const writer = messages.at(-1)?.userId
  const endOfPreviousTurn = messages.findLastIndex(({ userId }) => userId !== writer)
  return messages[endOfPreviousTurn + 1]
}
