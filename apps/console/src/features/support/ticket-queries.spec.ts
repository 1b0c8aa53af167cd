import type { UserId } from '@slipway/contract/account'
import type {
  Ticket,
  TicketDetail,
  TicketId,
  TicketMessage,
  TicketMessageId,
} from '@slipway/contract/support'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { ticketQuery, ticketsQuery, unreadTicketsQuery } from '../../api/queries.ts'
import {
  cacheCreatedTicket,
  cacheSentMessage,
  cacheTicket,
  cacheTicketRead,
} from './ticket-queries.ts'

const id = 'ticket' as TicketId
const other = 'other' as TicketId

const ticket = (changes: Partial<Ticket> = {}): Ticket => ({
  id,
  subject: 'Example subject',
  state: 'open',
  resolvedAt: null,
  closed: false,
  unread: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  ...changes,
})

const message = (name: string): TicketMessage => ({
  id: name as TicketMessageId,
  userId: 'user' as UserId,
  text: name,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
})

function world() {
  const client = new QueryClient()
  const detail: TicketDetail = { ...ticket(), messages: [message('first')], olderMessages: 0 }
  client.setQueryData(ticketsQuery.queryKey, [ticket(), ticket({ id: other })])
  client.setQueryData(ticketQuery(id).queryKey, detail)
  client.setQueryData(unreadTicketsQuery.queryKey, { count: 2 })
  return {
    client,
    list: () => client.getQueryData(ticketsQuery.queryKey),
    detail: () => client.getQueryData(ticketQuery(id).queryKey),
    isStale: (queryKey: readonly string[]) => client.getQueryState(queryKey)?.isInvalidated,
  }
}

describe('cacheTicket', () => {
  it('updates the ticket in the list and its detail, which keeps its messages', () => {
    const { client, list, detail, isStale } = world()
    const updatedAt = '2026-11-20T11:00:00.000Z'
    cacheTicket(client, ticket({ state: 'resolved', updatedAt }))
    expect(list()?.map(({ state }) => state)).toEqual(['resolved', 'open'])
    expect(detail()).toMatchObject({ state: 'resolved', messages: [message('first')] })
    expect(isStale(ticketsQuery.queryKey)).toBe(true)
  })

  it('does not overwrite a newer version from an event', () => {
    const { client, detail } = world()
    cacheTicket(client, ticket({ subject: 'Older', updatedAt: '2026-11-20T09:00:00.000Z' }))
    expect(detail()?.subject).toBe('Example subject')
  })
})

describe('cacheSentMessage', () => {
  it('appends the message and refetches the ticket', () => {
    const { client, detail, isStale } = world()
    cacheSentMessage(client, id, message('second'))
    expect(detail()?.messages.map(({ text }) => text)).toEqual(['first', 'second'])
    expect(isStale(ticketQuery(id).queryKey)).toBe(true)
  })

  it('does not append a message that an event has brought already', () => {
    const { client, detail } = world()
    cacheSentMessage(client, id, message('first'))
    expect(detail()?.messages.map(({ text }) => text)).toEqual(['first'])
  })
})

describe('cacheTicketRead', () => {
  it('marks only that ticket as read and refetches the count', () => {
    const { client, list, detail, isStale } = world()
    cacheTicketRead(client, id)
    expect(list()?.map(({ unread }) => unread)).toEqual([false, true])
    expect(detail()?.unread).toBe(false)
    expect(isStale(unreadTicketsQuery.queryKey)).toBe(true)
  })
})

describe('cacheCreatedTicket', () => {
  it('stores the ticket without a request', () => {
    const { client, isStale } = world()
    const created: TicketDetail = {
      ...ticket({ id: 'new' as TicketId }),
      messages: [message('first')],
      olderMessages: 0,
    }
    cacheCreatedTicket(client, created)
    expect(client.getQueryData(ticketQuery('new' as TicketId).queryKey)).toEqual(created)
    expect(isStale(ticketsQuery.queryKey)).toBe(true)
  })
})
