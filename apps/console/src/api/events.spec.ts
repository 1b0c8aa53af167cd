import type { Event } from '@slipway/contract/events'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { collectEvents } from './events.ts'

const held: [key: string[], data: unknown][] = [
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
  [['payment-methods', 'all'], []],
]

const staleIn = (client: QueryClient) =>
  held
    .map(([key]) => key)
    .filter((key) => client.getQueryState(key)?.isInvalidated)
    .map((key) => key.join('/'))

function staleAfter(event: unknown) {
  const client = new QueryClient()
  for (const [key, data] of held) client.setQueryData(key, data)
  const events = collectEvents(client)
  events.add(event as Event)
  vi.advanceTimersByTime(100)
  return staleIn(client)
}

/** A query that is shown: how often it asked, and the way to answer it. */
function observe(queryKey: unknown[]) {
  const client = new QueryClient()
  const answers: ((data: unknown) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: () => new Promise((resolve) => answers.push(resolve)),
  })
  const stop = observer.subscribe(() => undefined)
  return { client, answers, asked: () => answers.length, stop }
}

const project = (projectId: string) =>
  ({ kind: 'Project', data: { type: 'Updated', projectId } }) as Event

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('an event', () => {
  it('fetches the list and that project again when a project changed', () => {
    const event = { kind: 'Project', data: { type: 'Updated', projectId: 'p1' } }
    expect(staleAfter(event)).toEqual(['projects/all', 'projects/view/one'])
  })

  it('fetches only the list again for a project that is not shown', () => {
    const event = { kind: 'Project', data: { type: 'Updated', projectId: 'new' } }
    expect(staleAfter(event)).toEqual(['projects/all'])
  })

  it('fetches the teams, that team and the projects again when a team changed', () => {
    const event = { kind: 'Team', data: { type: 'Updated', teamId: 't2' } }
    expect(staleAfter(event)).toEqual(['projects/all', 'teams/all', 'teams/view/t2'])
  })

  it('fetches the invitations again when the user is invited', () => {
    const event = { kind: 'User', data: { type: 'Invited', userId: 'u1', teamId: 't3' } }
    expect(staleAfter(event)).toEqual(['invitations'])
  })

  it('fetches all that is the user’s, or that membership decides on, when the user changed', () => {
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

  it('fetches the tickets, that ticket and the unread ones again when a ticket changed', () => {
    const event = { kind: 'Ticket', data: { type: 'Updated', ticketId: 's2' } }
    expect(staleAfter(event)).toEqual(['tickets/all', 'tickets/view/s2', 'tickets/unread'])
  })

  it('asks once more when the first answer of a query was under way, for it may be older', async () => {
    const { client, asked, answers, stop } = observe(['projects', 'view', 'new'])
    collectEvents(client).add(project('p1'))
    await vi.advanceTimersByTimeAsync(100)
    expect(asked()).toBe(1)
    answers[0]?.({ id: 'p1', state: 'creating' })
    await vi.advanceTimersByTimeAsync(0)
    expect(asked()).toBe(2)
    answers[1]?.({ id: 'p1', state: 'ready' })
    await vi.advanceTimersByTimeAsync(0)
    expect(client.getQueryData(['projects', 'view', 'new'])).toMatchObject({ state: 'ready' })
    stop()
  })

  it('asks once more, too, when that answer came while events were collected', async () => {
    const { client, asked, answers, stop } = observe(['projects', 'view', 'new'])
    collectEvents(client).add(project('p1'))
    answers[0]?.({ id: 'p1', state: 'creating' })
    await vi.advanceTimersByTimeAsync(99)
    expect(asked()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(asked()).toBe(2)
    stop()
  })
})

describe('many events', () => {
  it('of a payment ask for what is shown once, not for each of them', async () => {
    const { client, asked, answers, stop } = observe(['invoices', 'all', 1])
    answers[0]?.([])
    await vi.advanceTimersByTimeAsync(0)
    const events = collectEvents(client)
    for (let index = 0; index < 200; index++)
      events.add({ kind: 'Invoice', data: { type: 'Updated', invoiceId: `i${index}` } } as Event)
    expect(asked()).toBe(1)
    await vi.advanceTimersByTimeAsync(100)
    expect(asked()).toBe(2)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked()).toBe(2)
    stop()
  })

  it('of several kinds and things lose none', () => {
    const client = new QueryClient()
    for (const [key, data] of held) client.setQueryData(key, data)
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
    ])
  })

  it('without a gap between them are applied all the same, and those after them, too', async () => {
    const { client, asked, answers, stop } = observe(['projects', 'all'])
    answers[0]?.([])
    await vi.advanceTimersByTimeAsync(0)
    const events = collectEvents(client)
    for (let passed = 0; passed < 300; passed += 50) {
      events.add(project('p1'))
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(asked()).toBe(4)
    stop()
  })

  it('are applied at once when nothing is collected any more', () => {
    const client = new QueryClient()
    client.setQueryData(['projects', 'all'], [])
    const events = collectEvents(client)
    events.add(project('p1'))
    events.apply()
    expect(staleIn(client)).toEqual(['projects/all'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
