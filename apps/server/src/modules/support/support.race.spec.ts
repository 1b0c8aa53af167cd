import { ApiError } from '@slipway/contract/client'
import { minute } from '@slipway/contract/limits'
import { viewOperatorTicket } from '@slipway/contract/operator'
import {
  changeTicketState,
  sendTicketMessage,
  type TicketId,
  viewTicket,
} from '@slipway/contract/support'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import type { Tx } from '../../context.ts'
import { heldUp } from '../../testing/waiting.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { announcements, ticketOf, updated } from './support.fixture.ts'
import { supportTickets } from './support.schema.ts'

let world: World
let other: App
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  other = await world.anotherApp()
})
afterAll(() => world.close())

/**
 * Both calls at once; gives what each answered. In every other round the ticket is locked until both wait
 * for it, so that each comes after the other has begun; each begins as often as the other.
 */
async function race<First, Second>(
  round: number,
  id: TicketId,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[PromiseSettledResult<First>, PromiseSettledResult<Second>]> {
  const settled: { first?: PromiseSettledResult<First>; second?: PromiseSettledResult<Second> } = {}
  const calls = [
    async () => {
      ;[settled.first] = await Promise.allSettled([first()])
    },
    async () => {
      ;[settled.second] = await Promise.allSettled([second()])
    },
  ]
  if (round % 4 >= 2) calls.reverse()
  const lock = (tx: Tx) =>
    tx.select().from(supportTickets).where(eq(supportTickets.id, id)).for('update')
  if (round % 2 === 0) await heldUp(world, lock, calls)
  else await Promise.all(calls.map((call) => call()))
  if (!settled.first || !settled.second) throw new Error('a call has not ended')
  return [settled.first, settled.second]
}

/** What the call answered; throws what it was refused with. */
function answered<Answer>(result: PromiseSettledResult<Answer>) {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

describe('resolving against a message, on two servers at once', () => {
  it('happens in one order, which everything agrees on, 50 times in 50', async () => {
    const operator = await world.user({ email: 'operator@example.com' })
    const events = await announcements(world)
    for (let round = 0; round < 50; round++) {
      const user = await world.user()
      const { id } = await ticketOf(user)
      world.clock.forward(minute)
      await events.take()
      const [here, there] = [world.app, other].map((app) => world.client(user.token, 'en', app))
      if (!here || !there) throw new Error('two servers are needed')
      const params = { id }
      const resolve = () => here(changeTicketState, { params, body: { state: 'resolved' } })
      const send = () => there(sendTicketMessage, { params, body: { text: 'And another thing' } })
      const [resolving, sending] = await race(round, id, resolve, send)
      const [resolved, message] = [answered(resolving), answered(sending)]

      const seen = await user.call(viewTicket, { params: { id } })
      expect(seen).toMatchObject({ state: 'resolved', resolvedAt: resolved.resolvedAt })
      expect(seen.messages.map((each) => each.id)).toContain(message.id)
      const resolvedFirst = String(resolved.resolvedAt) < message.createdAt
      expect(resolved.resolvedAt).not.toBe(message.createdAt)
      expect(seen.updatedAt).toBe(resolvedFirst ? message.createdAt : resolved.resolvedAt)
      // Whoever writes after having said that it is resolved waits for an answer.
      const { waiting } = await operator.call(viewOperatorTicket, { params: { id } })
      expect(waiting).toBe(resolvedFirst)
      expect(await events.take()).toEqual([updated(id), updated(id)])
    }
  })
})

describe('resolving twice, on two servers at once', () => {
  it('succeeds once, 50 times in 50', async () => {
    const events = await announcements(world)
    for (let round = 0; round < 50; round++) {
      const user = await world.user()
      const { id } = await ticketOf(user)
      await events.take()
      const [one, another] = [world.app, other].map((app) => () => {
        const body = { state: 'resolved' } as const
        return world.client(user.token, 'en', app)(changeTicketState, { params: { id }, body })
      })
      if (!one || !another) throw new Error('two servers are needed')
      const answers = await race(round, id, one, another)
      const refusals = answers.flatMap((answer) =>
        answer.status === 'rejected' ? [answer.reason] : [],
      )
      expect(refusals.map((error) => error instanceof ApiError && error.code)).toEqual([
        'ticket_already_resolved',
      ])
      expect(await events.take()).toEqual([updated(id)])
    }
  })
})
