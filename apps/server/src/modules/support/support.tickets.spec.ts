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
import { refusal, refused } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { announcements, ticketOf, updated } from './support.fixture.ts'

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

describe('POST /support/ticket/create', () => {
  it('gives the open ticket with its message', async () => {
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

  it('keeps markup, blanks and Turkish letters as they were typed', async () => {
    const { call } = await world.user()
    const message = '<script>alert(1)</script> & "İstanbul"\n\n    indented\tçağrı 👩‍💻'
    const subject = "Ahmet'in sitesi <b>açılmıyor</b>"
    const created = await call(createTicket, { body: { subject, message } })
    expect(created.subject).toBe(subject)
    expect(created.messages[0]?.text).toBe(message)
  })

  it('takes a message of ten thousand characters and none that is longer', async () => {
    const { call } = await world.user()
    const create = (message: string) => call(createTicket, { body: { subject: 'Long', message } })
    const longest = 'ş'.repeat(10_000)
    expect((await create(longest)).messages[0]?.text).toBe(longest)
    expect((await refused(create(`${longest}!`))).fields).toEqual({ message: 'This is too long' })
  })

  it('asks for a subject and a message, in the caller’s language', async () => {
    const { token } = await world.user()
    const body = { subject: ' a ', message: ' b ' }
    expect((await refused(world.client(token)(createTicket, { body }))).fields).toEqual({
      subject: 'Please specify subject of your issue',
      message: 'Please describe your issue',
    })
    const inTurkish = await refused(world.client(token, 'tr')(createTicket, { body }))
    expect(inTurkish.fields.subject).not.toBe('Please specify subject of your issue')
  })

  it('opens one ticket for a request that is sent twice', async () => {
    const { call } = await world.user()
    const body = { subject: 'Only once', message: 'Sent twice', idempotencyKey: randomUUID() }
    const first = await call(createTicket, { body })
    expect(await call(createTicket, { body })).toEqual(first)
    expect(await call(listTickets)).toHaveLength(1)
    const mails = await world.mailsTo('operator@example.com')
    expect(mails.filter(({ subject }) => subject.includes('Only once'))).toHaveLength(1)
  })

  it('opens one ticket for ten equal requests at once on two servers', async () => {
    const { token } = await world.user()
    const other = await world.anotherApp()
    const body = { subject: 'At once', message: 'Pressed twice', idempotencyKey: randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        world.client(token, 'en', i % 2 ? other : world.app)(createTicket, { body }),
      ),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await world.client(token)(listTickets)).toHaveLength(1)
  })

  it('lets two people use the same key', async () => {
    const body = { subject: 'Same key', message: 'Another person', idempotencyKey: randomUUID() }
    const [one, two] = [await world.user(), await world.user()]
    const ids = [await one.call(createTicket, { body }), await two.call(createTicket, { body })]
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2)
  })
})

describe('GET /support/ticket/all', () => {
  it('lists the user’s own tickets, last changed first', async () => {
    const user = await world.user()
    const stranger = await world.user()
    const first = await ticketOf(user, 'First')
    world.clock.forward(minute)
    await ticketOf(user, 'Second')
    world.clock.forward(minute)
    await ticketOf(stranger, 'Somebody else’s')
    await user.call(sendTicketMessage, { params: { id: first.id }, body: { text: 'One more' } })
    expect((await user.call(listTickets)).map(({ subject }) => subject)).toEqual([
      'First',
      'Second',
    ])
  })
})

describe('GET /support/ticket/view/{id}', () => {
  it('shows the thread, oldest first, whoever’s clock is behind', async () => {
    const user = await world.user()
    const { id } = await ticketOf(user)
    await reply(id, 'First answer')
    world.clock.forward(-hour)
    await user.call(sendTicketMessage, { params: { id }, body: { text: 'Thank you' } })
    world.clock.forward(hour)
    await reply(id, 'You are welcome')
    const { messages } = await user.call(viewTicket, { params: { id } })
    expect(messages.map(({ text, userId }) => [text, userId === user.id])).toEqual([
      ['It answers with an error since this morning.', true],
      ['First answer', false],
      ['Thank you', true],
      ['You are welcome', false],
    ])
  })

  it('does not find an id that is none', async () => {
    const { call } = await world.user()
    expect(await refusal(call(viewTicket, { params: { id: 'none' } }))).toBe('ticket_not_found')
  })
})

describe('unread replies', () => {
  it('mark the ticket until the reply was seen, and count', async () => {
    const user = await world.user()
    const [{ id }, other] = [await ticketOf(user), await ticketOf(user)]
    expect(await user.call(countUnreadTickets)).toEqual({ count: 0 })
    const { id: messageId } = await reply(id)
    await reply(other.id)
    expect(await user.call(countUnreadTickets)).toEqual({ count: 2 })
    expect((await user.call(viewTicket, { params: { id } })).unread).toBe(true)

    await user.call(markTicketRead, { params: { id }, body: { messageId } })
    expect(await user.call(countUnreadTickets)).toEqual({ count: 1 })
    const listed = await user.call(listTickets)
    expect(listed.filter(({ unread }) => unread).map((ticket) => ticket.id)).toEqual([other.id])
  })

  it('stay seen when a tab says later that it has shown less', async () => {
    const user = await world.user()
    const { id, messages } = await ticketOf(user)
    const { id: messageId } = await reply(id)
    const read = (message = '') =>
      user.call(markTicketRead, { params: { id }, body: { messageId: message } })
    await read(messageId)
    await read(messages[0]?.id)
    expect(await user.call(countUnreadTickets)).toEqual({ count: 0 })
  })

  it('are not seen by what was shown before they came, be it in the same millisecond', async () => {
    const user = await world.user()
    const { id } = await ticketOf(user)
    const { id: seen } = await reply(id)
    await reply(id, 'One thing more.')
    await user.call(markTicketRead, { params: { id }, body: { messageId: seen } })
    expect(await user.call(countUnreadTickets)).toEqual({ count: 1 })
  })
})

describe('PUT /support/ticket/read/{id}', () => {
  it('does not find a message of another ticket', async () => {
    const user = await world.user()
    const [{ id }, other] = [await ticketOf(user), await ticketOf(user)]
    const { id: messageId } = await reply(other.id)
    expect(await refusal(user.call(markTicketRead, { params: { id }, body: { messageId } }))).toBe(
      'item_not_found',
    )
  })

  it('tells the user’s other tabs once, when the mark goes', async () => {
    const events = await announcements(world)
    const user = await world.user()
    const { id, messages } = await ticketOf(user)
    const { id: messageId } = await reply(id)
    await events.take()
    const read = (message = '') =>
      user.call(markTicketRead, { params: { id }, body: { messageId: message } })
    await read(messages[0]?.id)
    expect(await events.take()).toEqual([])
    await read(messageId)
    expect(await events.take()).toEqual([updated(id)])
    await read(messageId)
    expect(await events.take()).toEqual([])
  })
})

describe('a ticket’s change', () => {
  it('is heard by its user and by nobody else', async () => {
    const port = await world.listen()
    const user = await world.user()
    const mine = await openSocket(port, user.token)
    const theirs = await openSocket(port, (await world.user()).token)
    const operators = await openSocket(port, operator.token)
    const { id } = await ticketOf(user)
    expect(await mine.next()).toEqual(updated(id))
    await reply(id)
    expect(await mine.next()).toEqual(updated(id))
    expect([theirs.heard, operators.heard]).toEqual([[], []])
  })
})
