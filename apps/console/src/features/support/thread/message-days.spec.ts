import type { UserId } from '@slipway/contract/account'
import type { TicketMessage, TicketMessageId } from '@slipway/contract/support'
import { describe, expect, it } from 'vitest'
import { groupByDay } from './message-days.ts'

const message = (id: string, createdAt: Date): TicketMessage => ({
  id: id as TicketMessageId,
  userId: 'user' as UserId,
  text: 'Example text',
  createdAt: createdAt.toISOString(),
  updatedAt: createdAt.toISOString(),
})

// In the reader's time zone.
const timeOn = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute)

describe('groupByDay', () => {
  it('groups messages by day in their order', () => {
    const days = groupByDay([
      message('a', timeOn(19, 0)),
      message('b', timeOn(19, 23, 59)),
      message('c', timeOn(20, 0)),
      message('d', timeOn(20, 9)),
    ])
    expect(days.map(({ messages }) => messages.map(({ id }) => id))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(days.map(({ date }) => date.getDate())).toEqual([19, 20])
  })

  it('separates the same day of different years', () => {
    const lastYear = new Date(2025, 10, 20)
    expect(groupByDay([message('a', lastYear), message('b', timeOn(20, 0))])).toHaveLength(2)
  })

  it('is empty without messages', () => {
    expect(groupByDay([])).toEqual([])
  })
})
