import type { UserId } from '@slipway/contract/account'
import type { TicketDetail, TicketMessage, TicketMessageId } from '@slipway/contract/support'
import { describe, expect, it } from 'vitest'
import { countOlder, mergeNewest, prependOlder } from './thread.ts'

const messages = (from: number, to: number): TicketMessage[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    id: `message ${from + index}` as TicketMessageId,
    userId: 'user' as UserId,
    text: `Message ${from + index}`,
    createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
  }))

describe('mergeNewest', () => {
  it('keeps older messages and contains each message once', () => {
    expect(mergeNewest(messages(1, 8), messages(5, 9))).toEqual(messages(1, 9))
    expect(mergeNewest(messages(5, 8), messages(5, 8))).toEqual(messages(5, 8))
    expect(mergeNewest([], messages(1, 2))).toEqual(messages(1, 2))
  })

  it('drops older messages if there would be a gap', () => {
    expect(mergeNewest(messages(1, 4), messages(6, 9))).toEqual(messages(6, 9))
  })
})

describe('prependOlder and countOlder', () => {
  it('prepend older messages', () => {
    expect(prependOlder(messages(4, 6), messages(1, 3), 'message 4' as TicketMessageId)).toEqual(
      messages(1, 6),
    )
  })

  it('ignore older messages if the thread now begins with another message', () => {
    expect(prependOlder(messages(6, 9), messages(1, 3), 'message 4' as TicketMessageId)).toEqual(
      messages(6, 9),
    )
  })

  it('count the messages that are not loaded', () => {
    const ticket = { messages: messages(6, 9), olderMessages: 5 } as TicketDetail
    expect(countOlder(messages(6, 9), ticket)).toBe(5)
    expect(countOlder(messages(2, 9), ticket)).toBe(1)
    expect(countOlder(messages(1, 9), ticket)).toBe(0)
  })
})
