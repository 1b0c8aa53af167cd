import type { TicketMessage } from '@slipway/contract/support'

export type Day = { date: Date; messages: TicketMessage[] }

/** Groups messages by the day they were created, in the reader's time zone. */
export function groupByDay(messages: readonly TicketMessage[]): Day[] {
  const days: Day[] = []
  for (const message of messages) {
    const date = new Date(message.createdAt)
    const last = days.at(-1)
    if (last?.date.toDateString() === date.toDateString()) last.messages.push(message)
    else days.push({ date, messages: [message] })
  }
  return days
}

/**
 * The first of the consecutive messages by one writer that end the thread: where a returning
 * reader starts.
 */
export function lastTurn(messages: readonly TicketMessage[]): TicketMessage | undefined {
  const writer = messages.at(-1)?.userId
  const before = messages.findLastIndex(({ userId }) => userId !== writer)
  return messages[before + 1]
}
