import type { Event } from '@slipway/contract/events'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { applyEvent } from './events.ts'

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
]

function staleAfter(event: unknown) {
  const client = new QueryClient()
  for (const [key, data] of held) client.setQueryData(key, data)
  applyEvent(client, event as Event)
  return held
    .map(([key]) => key)
    .filter((key) => client.getQueryState(key)?.isInvalidated)
    .map((key) => key.join('/'))
}

describe('applyEvent', () => {
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

  it('fetches all that membership decides on when that of the user changed', () => {
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
    ])
  })

  it('fetches the tickets, that ticket and the unread ones again when a ticket changed', () => {
    const event = { kind: 'Ticket', data: { type: 'Updated', ticketId: 's2' } }
    expect(staleAfter(event)).toEqual(['tickets/all', 'tickets/view/s2', 'tickets/unread'])
  })

  it('asks once more when the first answer of a query was under way, for it may be older', async () => {
    const client = new QueryClient()
    const answers: ((state: string) => void)[] = []
    const observer = new QueryObserver(client, {
      queryKey: ['projects', 'view', 'new'],
      queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    })
    const stop = observer.subscribe(() => undefined)
    applyEvent(client, { kind: 'Project', data: { type: 'Updated', projectId: 'p1' } } as Event)
    expect(answers).toHaveLength(1)
    answers[0]?.('creating')
    await vi.waitUntil(() => answers.length === 2)
    answers[1]?.('ready')
    await vi.waitUntil(() => observer.getCurrentResult().data === 'ready')
    expect(observer.getCurrentResult().data).toBe('ready')
    stop()
  })
})
