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
