import { ApiError } from '@slipway/contract/client'
import { minute } from '@slipway/contract/limits'
import { viewOperatorTicket } from '@slipway/contract/operator'
import { changeTicketState, sendTicketMessage, viewTicket } from '@slipway/contract/support'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { announcements, ticketOf, updated } from './support.fixture.ts'

let world: World
let other: App
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  other = await world.anotherApp()
})
afterAll(() => world.close())

describe('resolving against a message, on two servers at once', () => {
  it('happens in one order, which everything agrees on, 50 times in 50', async () => {
    const operator = await world.user({ email: 'operator@example.com' })
    const events = await announcements(world)
    for (let race = 0; race < 50; race++) {
      const user = await world.user()
      const { id } = await ticketOf(user)
      world.clock.forward(minute)
      await events.take()
      const [here, there] = [world.app, other].map((app) => world.client(user.token, 'en', app))
      if (!here || !there) throw new Error('two servers are needed')
      const params = { id }
      const resolve = () => here(changeTicketState, { params, body: { state: 'resolved' } })
      const send = () => there(sendTicketMessage, { params, body: { text: 'And another thing' } })
      // What begins first has a small lead: each does in turn.
      const sending = race % 2 ? send() : undefined
      const [resolved, message] = await Promise.all([resolve(), sending ?? send()])

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
    for (let race = 0; race < 50; race++) {
      const user = await world.user()
      const { id } = await ticketOf(user)
      await events.take()
      const answers = await Promise.allSettled(
        [world.app, other].map((app) =>
          world.client(
            user.token,
            'en',
            app,
          )(changeTicketState, {
            params: { id },
            body: { state: 'resolved' },
          }),
        ),
      )
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
