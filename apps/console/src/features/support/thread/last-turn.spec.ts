import type { UserId } from '@slipway/contract/account'
import type { TicketMessage, TicketMessageId } from '@slipway/contract/support'
import { describe, expect, it } from 'vitest'
import { firstOfLastTurn } from './last-turn.ts'

const createdAt = '2026-11-20T10:00:00.000Z'
const message = (id: string, userId: string): TicketMessage => ({
  id: id as TicketMessageId,
  userId: userId as UserId,
  text: 'Example text',
  createdAt,
  updatedAt: createdAt,
})

describe('firstOfLastTurn', () => {
  it('is the first of the last consecutive messages by one writer', () => {
    const messages = [
      message('a', 'user'),
      message('b', 'operator'),
      message('c', 'user'),
      message('d', 'operator'),
      message('e', 'operator'),
    ]
    expect(firstOfLastTurn(messages)?.id).toBe('d')
    expect(firstOfLastTurn(messages.slice(0, 3))?.id).toBe('c')
    expect(firstOfLastTurn(messages.slice(0, 1))?.id).toBe('a')
    expect(firstOfLastTurn([])).toBeUndefined()
  })
})
