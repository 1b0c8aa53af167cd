import type { UserId } from '@slipway/contract/account'
import type { TicketMessage, TicketMessageId } from '@slipway/contract/support'
import { describe, expect, it } from 'vitest'
import { groupByDay, lastTurn } from './message-days.ts'

const message = (id: string, timeOn: Date, userId = 'user'): TicketMessage => ({
  id: id as TicketMessageId,
  userId: userId as UserId,
  text: 'Example text',
  createdAt: timeOn.toISOString(),
  updatedAt: timeOn.toISOString(),
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

describe('lastTurn', () => {
  it('is the first of the last consecutive messages by one writer', () => {
    const messages = [
      message('a', timeOn(20, 9)),
      message('b', timeOn(20, 10), 'operator'),
      message('c', timeOn(20, 11)),
      message('d', timeOn(20, 12), 'operator'),
      message('e', timeOn(20, 13), 'operator'),
    ]
    expect(lastTurn(messages)?.id).toBe('d')
    expect(lastTurn(messages.slice(0, 3))?.id).toBe('c')
    expect(lastTurn(messages.slice(0, 1))?.id).toBe('a')
    expect(lastTurn([])).toBeUndefined()
  })
})
