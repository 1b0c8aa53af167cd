import { ApiError } from '@slipway/contract/client'
import { minute } from '@slipway/contract/limits'
import { viewOperatorTicket } from '@slipway/contract/operator'
import {
  resolveTicket,
  sendTicketMessage,
  type TicketId,
  viewTicket,
} from '@slipway/contract/support'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import type { Tx } from '../../context.ts'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { collectEvents, openTicket, ticketUpdated } from './support.fixture.ts'
import { supportTickets } from './support.schema.ts'

let world: World
let otherApp: App
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  otherApp = await world.anotherApp()
})
afterAll(() => world.close())

/**
 * Runs both calls concurrently; returns their results. Every second round locks the ticket until
 * both calls wait for it. Each call starts first in half of the rounds.
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
  if (round % 2 === 0) await runBehindLock(world, lock, calls)
  else await Promise.all(calls.map((call) => call()))
  if (!settled.first || !settled.second) throw new Error('a call did not end')
  return [settled.first, settled.second]
}

function settledValue<Value>(result: PromiseSettledResult<Value>) {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

describe('resolving a ticket while another server stores a message', () => {
  it('happens in one order, on which all data agree, in 50 of 50 rounds', async () => {
    const operator = await world.user({ email: 'operator@example.com' })
    const events = await collectEvents(world)
    for (let round = 0; round < 50; round++) {
      const user = await world.user()
      const { id } = await openTicket(user)
      world.clock.forward(minute)
      await events.take()
      const [first, second] = [world.app, otherApp].map((app) =>
        world.client(user.token, 'en', app),
      )
      if (!first || !second) throw new Error('a server is missing')
      const params = { id }
      const resolve = () => first(resolveTicket, { params, body: { state: 'resolved' } })
      const send = () => second(sendTicketMessage, { params, body: { text: 'And another thing' } })
      const [resolving, sending] = await race(round, id, resolve, send)
      const [resolved, message] = [settledValue(resolving), settledValue(sending)]

      const viewed = await user.call(viewTicket, { params: { id } })
      expect(viewed).toMatchObject({ state: 'resolved', resolvedAt: resolved.resolvedAt })
      expect(viewed.messages.map((each) => each.id)).toContain(message.id)
      const resolvedFirst = String(resolved.resolvedAt) < message.createdAt
      expect(resolved.resolvedAt).not.toBe(message.createdAt)
      expect(viewed.updatedAt).toBe(resolvedFirst ? message.createdAt : resolved.resolvedAt)
      // A user who writes after resolving the ticket waits for a reply.
      const { waiting } = await operator.call(viewOperatorTicket, { params: { id } })
      expect(waiting).toBe(resolvedFirst)
      expect(await events.take()).toEqual([ticketUpdated(id), ticketUpdated(id)])
    }
  })
})

describe('resolving a ticket on two servers at once', () => {
  it('succeeds once, in 50 of 50 rounds', async () => {
    const events = await collectEvents(world)
    for (let round = 0; round < 50; round++) {
      const user = await world.user()
      const { id } = await openTicket(user)
      await events.take()
      const [first, second] = [world.app, otherApp].map((app) => () => {
        const body = { state: 'resolved' } as const
        return world.client(user.token, 'en', app)(resolveTicket, { params: { id }, body })
      })
      if (!first || !second) throw new Error('a server is missing')
      const results = await race(round, id, first, second)
      const errors = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason] : [],
      )
      expect(errors.map((error) => error instanceof ApiError && error.code)).toEqual([
        'ticket_already_resolved',
      ])
      expect(await events.take()).toEqual([ticketUpdated(id)])
    }
  })
})
