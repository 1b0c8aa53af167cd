import type { TicketMessage } from '@slipway/contract/support'

export type Day = { date: Date; messages: TicketMessage[] }

/** The messages under the days they were written on, as the reader's calendar has them. */
export function daysOf(messages: readonly TicketMessage[]): Day[] {
  const days: Day[] = []
  for (const message of messages) {
    const date = new Date(message.createdAt)
    const last = days.at(-1)
    if (last?.date.toDateString() === date.toDateString()) last.messages.push(message)
    else days.push({ date, messages: [message] })
  }
  return days
}

/** The first message of the turn that ends the thread: where whoever comes back goes on reading. */
export function lastTurn(messages: readonly TicketMessage[]): TicketMessage | undefined {
  const writer = messages.at(-1)?.userId
  const before = messages.findLastIndex(({ userId }) => userId !== writer)
  return messages[before + 1]
}
