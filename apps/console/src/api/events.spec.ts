import type { Event } from '@slipway/contract/events'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { collectEvents, liveQueriesFilter } from './events.ts'

const loadedQueries: [key: string[], data: unknown][] = [
  [['profile'], { id: 'u1' }],
  [['regions'], []],
  [['projects', 'all'], [{ id: 'p1' }]],
  [['projects', 'view', 'one'], { id: 'p1' }],
  [['projects', 'view', 'two'], { id: 'p2' }],
  [['teams', 'all'], [{ id: 't1' }]],
  [['teams', 'view', 't1'], { id: 't1' }],
  [['teams', 'view', 't2'], { id: 't2' }],
  [['invitations'], []],
  [['tickets', 'all'], [{ id: 's1' }]],
  [['tickets', 'view', 's1'], { id: 's1' }],
  [['tickets', 'view', 's2'], { id: 's2' }],
  [['tickets', 'unread'], { count: 0 }],
  [['invoices', 'active'], {}],
  [['invoices', 'unpaid'], []],
  [['payment-methods', 'all'], []],
]

const staleIn = (client: QueryClient) =>
  loadedQueries
    .map(([key]) => key)
    .filter((key) => client.getQueryState(key)?.isInvalidated)
    .map((key) => key.join('/'))

function staleAfter(event: unknown) {
  const client = new QueryClient()
  for (const [key, data] of loadedQueries) client.setQueryData(key, data)
  const events = collectEvents(client)
  events.add(event as Event)
  vi.advanceTimersByTime(100)
  return staleIn(client)
}

/** A visible query; `responses` resolve its requests one by one. */
function observe(queryKey: unknown[]) {
  const client = new QueryClient()
  const responses: ((data: unknown) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: () => new Promise((resolve) => responses.push(resolve)),
  })
  const stop = observer.subscribe(() => undefined)
  return { client, responses, requestCount: () => responses.length, stop }
}

const project = (projectId: string) =>
  ({ kind: 'Project', data: { type: 'Updated', projectId } }) as Event

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('collectEvents, after one event', () => {
  it('refetches the list, the project and its cost when a project changed', () => {
    const event = { kind: 'Project', data: { type: 'Updated', projectId: 'p1' } }
    expect(staleAfter(event)).toEqual(['projects/all', 'projects/view/one', 'invoices/active'])
  })

  it('refetches no detail of a project whose page was not loaded', () => {
    const event = { kind: 'Project', data: { type: 'Updated', projectId: 'new' } }
    expect(staleAfter(event)).toEqual(['projects/all', 'invoices/active'])
  })

  it('refetches the teams, the team and the projects when a team changed', () => {
    const event = { kind: 'Team', data: { type: 'Updated', teamId: 't2' } }
    expect(staleAfter(event)).toEqual(['projects/all', 'teams/all', 'teams/view/t2'])
  })

  it('refetches the invitations when the user is invited', () => {
    const event = { kind: 'User', data: { type: 'Invited', userId: 'u1', teamId: 't3' } }
    expect(staleAfter(event)).toEqual(['invitations'])
  })

  it('refetches the profile, cards, invitations, teams and projects when the user changed', () => {
    const event = { kind: 'User', data: { type: 'Updated', userId: 'u1' } }
    expect(staleAfter(event)).toEqual([
      'profile',
      'projects/all',
      'projects/view/one',
      'projects/view/two',
      'teams/all',
      'teams/view/t1',
      'teams/view/t2',
      'invitations',
      'payment-methods/all',
    ])
  })

  it('refetches the tickets, the ticket and the unread count when a ticket changed', () => {
    const event = { kind: 'Ticket', data: { type: 'Updated', ticketId: 's2' } }
    expect(staleAfter(event)).toEqual(['tickets/all', 'tickets/view/s2', 'tickets/unread'])
  })

  it('refetches a query whose first response was in flight, as that may be older than the event', async () => {
    const { client, requestCount, responses, stop } = observe(['projects', 'view', 'new'])
    collectEvents(client).add(project('p1'))
    await vi.advanceTimersByTimeAsync(100)
    expect(requestCount()).toBe(1)
    responses[0]?.({ id: 'p1', state: 'creating' })
    await vi.advanceTimersByTimeAsync(0)
    expect(requestCount()).toBe(2)
    responses[1]?.({ id: 'p1', state: 'ready' })
    await vi.advanceTimersByTimeAsync(0)
    expect(client.getQueryData(['projects', 'view', 'new'])).toMatchObject({ state: 'ready' })
    stop()
  })

  it('refetches a query whose first response arrived while events were collected', async () => {
    const { client, requestCount, responses, stop } = observe(['projects', 'view', 'new'])
    collectEvents(client).add(project('p1'))
    responses[0]?.({ id: 'p1', state: 'creating' })
    await vi.advanceTimersByTimeAsync(99)
    expect(requestCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(requestCount()).toBe(2)
    stop()
  })
})

it('every query that an event makes stale is refetched when the socket opens, but the profile', () => {
  const client = new QueryClient()
  for (const [key, data] of loadedQueries) client.setQueryData(key, data)
  void client.invalidateQueries(liveQueriesFilter)
  const others = ['profile', 'regions']
  expect(staleIn(client)).toEqual(
    loadedQueries.map(([key]) => key.join('/')).filter((key) => !others.includes(key)),
  )
})

describe('collectEvents, after many events', () => {
  it('refetches a query once for all events of a payment', async () => {
    const { client, requestCount, responses, stop } = observe(['invoices', 'all', 1])
    responses[0]?.([])
    await vi.advanceTimersByTimeAsync(0)
    const events = collectEvents(client)
    for (let index = 0; index < 200; index++)
      events.add({ kind: 'Invoice', data: { type: 'Updated', invoiceId: `i${index}` } } as Event)
    expect(requestCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(requestCount()).toBe(2)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(requestCount()).toBe(2)
    stop()
  })

  it('applies events of several kinds and resources', () => {
    const client = new QueryClient()
    for (const [key, data] of loadedQueries) client.setQueryData(key, data)
    const events = collectEvents(client)
    events.add(project('p1'))
    events.add({ kind: 'Ticket', data: { type: 'Updated', ticketId: 's2' } } as Event)
    events.add(project('p2'))
    expect(staleIn(client)).toEqual([])
    vi.advanceTimersByTime(100)
    expect(staleIn(client)).toEqual([
      'projects/all',
      'projects/view/one',
      'projects/view/two',
      'tickets/all',
      'tickets/view/s2',
      'tickets/unread',
      'invoices/active',
    ])
  })

  it('applies events of a steady stream', async () => {
    const { client, requestCount, responses, stop } = observe(['projects', 'all'])
    responses[0]?.([])
    await vi.advanceTimersByTimeAsync(0)
    const events = collectEvents(client)
    for (let passed = 0; passed < 300; passed += 50) {
      events.add(project('p1'))
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(requestCount()).toBe(4)
    stop()
  })

  it('applies collected events at once on request', () => {
    const client = new QueryClient()
    client.setQueryData(['projects', 'all'], [])
    const events = collectEvents(client)
    events.add(project('p1'))
    events.apply()
    expect(staleIn(client)).toEqual(['projects/all'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
