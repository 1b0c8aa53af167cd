import { randomUUID } from 'node:crypto'
import { hour, minute } from '@slipway/contract/limits'
import { replyToTicket } from '@slipway/contract/operator'
import {
  countUnreadTickets,
  createTicket,
  listTickets,
  markTicketRead,
  sendTicketMessage,
  viewTicket,
} from '@slipway/contract/support'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeSockets, openSocket } from '../../http/socket.fixture.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { collectEvents, openTicket, ticketUpdated } from './support.fixture.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: ['operator@example.com'] })
  operator = await world.user({ email: 'operator@example.com', name: 'Olivia Operator' })
})
afterAll(() => world.close())
afterEach(closeSockets)

const reply = (id: string, text = 'It is up again.') =>
  operator.call(replyToTicket, { params: { id }, body: { text } })

describe(title(createTicket), () => {
  it('returns the open ticket with its message', async () => {
    const { call, id } = await world.user()
    const now = world.clock.now().toISOString()
    const created = await call(createTicket, {
      body: { subject: '  My site is down ', message: ' It says 500.\r\nWhy? ' },
    })
    expect(created).toEqual({
      id: expect.any(String),
      subject: 'My site is down',
      state: 'open',
      resolvedAt: null,
      closed: false,
      unread: false,
      createdAt: now,
      updatedAt: now,
      messages: [
        {
          id: expect.any(String),
          userId: id,
          text: 'It says 500.\nWhy?',
          createdAt: now,
          updatedAt: now,
        },
      ],
      olderMessages: 0,
    })
    expect(await call(viewTicket, { params: { id: created.id } })).toEqual(created)
  })

  it('stores markup, spaces and Turkish letters unchanged', async () => {
    const { call } = await world.user()
    const message = '<script>alert(1)</script> & "İstanbul"\n\n    indented\tçağrı 👩‍💻'
    const subject = "Ahmet'in sitesi <b>açılmıyor</b>"
    const created = await call(createTicket, { body: { subject, message } })
    expect(created.subject).toBe(subject)
    expect(created.messages[0]?.text).toBe(message)
  })

  it('accepts a message of 10,000 characters and rejects a longer one', async () => {
    const { call } = await world.user()
    const create = (message: string) => call(createTicket, { body: { subject: 'Long', message } })
    const longest = 'ş'.repeat(10_000)
    expect((await create(longest)).messages[0]?.text).toBe(longest)
    expect((await errorOf(create(`${longest}!`))).fields).toEqual({ message: 'This is too long' })
  })

  it('requires a subject and a message, in the caller’s language', async () => {
    const { token } = await world.user()
    const body = { subject: ' a ', message: ' b ' }
    expect((await errorOf(world.client(token)(createTicket, { body }))).fields).toEqual({
      subject: 'Please specify subject of your issue',
      message: 'Please describe your issue',
    })
    const inTurkish = await errorOf(world.client(token, 'tr')(createTicket, { body }))
    expect(inTurkish.fields.subject).not.toBe('Please specify subject of your issue')
  })

  it('opens one ticket for a repeated request', async () => {
    const { call } = await world.user()
    const body = { subject: 'Only once', message: 'Sent twice', idempotencyKey: randomUUID() }
    const first = await call(createTicket, { body })
    expect(await call(createTicket, { body })).toEqual(first)
    expect(await call(listTickets)).toHaveLength(1)
    const mails = await world.mailsTo('operator@example.com')
    expect(mails.filter(({ subject }) => subject.includes('Only once'))).toHaveLength(1)
  })

  it('opens one ticket for ten concurrent equal requests on two servers', async () => {
    const { token } = await world.user()
    const otherApp = await world.anotherApp()
    const body = { subject: 'At once', message: 'Sent ten times', idempotencyKey: randomUUID() }
    const tickets = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        world.client(token, 'en', i % 2 ? otherApp : world.app)(createTicket, { body }),
      ),
    )
    expect(new Set(tickets.map((ticket) => JSON.stringify(ticket))).size).toBe(1)
    expect(await world.client(token)(listTickets)).toHaveLength(1)
  })

  it('accepts the same key from two users', async () => {
    const body = { subject: 'Same key', message: 'Another person', idempotencyKey: randomUUID() }
    const [firstUser, secondUser] = [await world.user(), await world.user()]
    const ids = [
      await firstUser.call(createTicket, { body }),
      await secondUser.call(createTicket, { body }),
    ]
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2)
  })
})

describe(title(listTickets), () => {
  it('lists the user’s own tickets, last changed first', async () => {
    const user = await world.user()
    const stranger = await world.user()
    const first = await openTicket(user, 'First')
    world.clock.forward(minute)
    await openTicket(user, 'Second')
    world.clock.forward(minute)
    await openTicket(stranger, 'A stranger’s')
    await user.call(sendTicketMessage, { params: { id: first.id }, body: { text: 'One more' } })
    expect((await user.call(listTickets)).map(({ subject }) => subject)).toEqual([
      'First',
      'Second',
    ])
  })
})

describe(title(viewTicket), () => {
  it('returns the thread in order, even when a server’s clock is behind', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    await reply(id, 'First answer')
    world.clock.forward(-hour)
    await user.call(sendTicketMessage, { params: { id }, body: { text: 'Thank you' } })
    world.clock.forward(hour)
    await reply(id, 'You are welcome')
    const { messages } = await user.call(viewTicket, { params: { id } })
    expect(messages.map(({ text, userId }) => [text, userId === user.id])).toEqual([
      ['It has shown an error since this morning.', true],
      ['First answer', false],
      ['Thank you', true],
      ['You are welcome', false],
    ])
  })

  it('returns ticket_not_found for a malformed id', async () => {
    const { call } = await world.user()
    expect(await errorCodeOf(call(viewTicket, { params: { id: 'none' } }))).toBe('ticket_not_found')
  })
})

describe(title(countUnreadTickets), () => {
  it('counts the tickets with a reply until the user reads it', async () => {
    const user = await world.user()
    const [{ id }, otherTicket] = [await openTicket(user), await openTicket(user)]
    expect(await user.call(countUnreadTickets)).toEqual({ count: 0 })
    const { id: messageId } = await reply(id)
    await reply(otherTicket.id)
    expect(await user.call(countUnreadTickets)).toEqual({ count: 2 })
    expect((await user.call(viewTicket, { params: { id } })).unread).toBe(true)

    await user.call(markTicketRead, { params: { id }, body: { messageId } })
    expect(await user.call(countUnreadTickets)).toEqual({ count: 1 })
    const listed = await user.call(listTickets)
    expect(listed.filter(({ unread }) => unread).map((ticket) => ticket.id)).toEqual([
      otherTicket.id,
    ])
  })
})

describe(title(markTicketRead), () => {
  it('keeps a reply read when another tab reports an earlier message', async () => {
    const user = await world.user()
    const { id, messages } = await openTicket(user)
    const { id: messageId } = await reply(id)
    const read = (message = '') =>
      user.call(markTicketRead, { params: { id }, body: { messageId: message } })
    await read(messageId)
    await read(messages[0]?.id)
    expect(await user.call(countUnreadTickets)).toEqual({ count: 0 })
  })

  it('keeps a reply unread when the message before it is read, even in the same millisecond', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    const { id: firstReply } = await reply(id)
    await reply(id, 'One thing more.')
    await user.call(markTicketRead, { params: { id }, body: { messageId: firstReply } })
    expect(await user.call(countUnreadTickets)).toEqual({ count: 1 })
  })

  it('returns item_not_found for a message of another ticket', async () => {
    const user = await world.user()
    const [{ id }, otherTicket] = [await openTicket(user), await openTicket(user)]
    const { id: messageId } = await reply(otherTicket.id)
    expect(
      await errorCodeOf(user.call(markTicketRead, { params: { id }, body: { messageId } })),
    ).toBe('item_not_found')
  })

  it('publishes one event, when the ticket becomes read', async () => {
    const events = await collectEvents(world)
    const user = await world.user()
    const { id, messages } = await openTicket(user)
    const { id: messageId } = await reply(id)
    await events.take()
    const read = (message = '') =>
      user.call(markTicketRead, { params: { id }, body: { messageId: message } })
    await read(messages[0]?.id)
    expect(await events.take()).toEqual([])
    await read(messageId)
    expect(await events.take()).toEqual([ticketUpdated(id)])
    await read(messageId)
    expect(await events.take()).toEqual([])
  })
})

describe('the event of a changed ticket', () => {
  it('is sent to the ticket’s user only', async () => {
    const port = await world.listen()
    const user = await world.user()
    const ownSocket = await openSocket(port, user.token)
    const strangersSocket = await openSocket(port, (await world.user()).token)
    const operatorsSocket = await openSocket(port, operator.token)
    const { id } = await openTicket(user)
    expect(await ownSocket.next()).toEqual(ticketUpdated(id))
    await reply(id)
    expect(await ownSocket.next()).toEqual(ticketUpdated(id))
    expect([strangersSocket.messages, operatorsSocket.messages]).toEqual([[], []])
  })
})
