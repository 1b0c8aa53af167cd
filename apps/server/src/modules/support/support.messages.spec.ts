import { randomUUID } from 'node:crypto'
import { day } from '@slipway/contract/limits'
import {
  listOlderOperatorMessages,
  replyToTicket,
  viewOperatorTicket,
} from '@slipway/contract/operator'
import { serviceLimits } from '@slipway/contract/service-limits'
import {
  createTicket,
  listOlderMessages,
  resolveTicket,
  sendTicketMessage,
  viewTicket,
} from '@slipway/contract/support'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { addOldMessages, collectEvents, openTicket, ticketUpdated } from './support.fixture.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({
    OPERATOR_EMAILS: [
      'operator@example.com',
      'english@example.com',
      'unverified@example.com',
      'nobody.yet@example.com',
    ],
  })
  operator = await world.user({ email: 'operator@example.com', locale: 'tr', name: 'Olcay Usta' })
  await world.user({ email: 'english@example.com', name: 'Erin Example' })
})
afterAll(() => world.close())

const send = (
  { call }: Pick<TestUser, 'call'>,
  id: string,
  text: string,
  idempotencyKey?: string,
) => call(sendTicketMessage, { params: { id }, body: { text, idempotencyKey } })

const resolve = ({ call }: Pick<TestUser, 'call'>, id: string) =>
  call(resolveTicket, { params: { id }, body: { state: 'resolved' } })

describe(title(sendTicketMessage), () => {
  it('returns the message and appends it to the thread', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    const sent = await send(user, id, ' Still\r\n<b>down</b> ')
    expect(sent).toMatchObject({ userId: user.id, text: 'Still\n<b>down</b>' })
    expect((await user.call(viewTicket, { params: { id } })).messages.at(-1)).toEqual(sent)
  })

  it('requires three visible characters', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    for (const text of ['', ' a ', '\u200b\u200b\u200b', '\u0007\u0007\u0007'])
      expect((await errorOf(send(user, id, text))).fields).toEqual({
        text: 'Please enter your message',
      })
  })

  it('stores a repeated message once and returns it both times', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    const events = await collectEvents(world)
    const key = randomUUID()
    const first = await send(user, id, 'Sent twice', key)
    expect(await send(user, id, 'Sent twice', key)).toEqual(first)
    expect(await events.take()).toEqual([ticketUpdated(id)])
    expect((await user.call(viewTicket, { params: { id } })).messages).toHaveLength(2)
  })

  it('stores one of ten concurrent equal requests on two servers', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    const otherApp = await world.anotherApp()
    const key = randomUUID()
    const messages = await Promise.all(
      Array.from({ length: 10 }, (_, i) => {
        const call = world.client(user.token, 'en', i % 2 ? otherApp : world.app)
        return send({ call }, id, 'Sent ten times', key)
      }),
    )
    expect(new Set(messages.map((message) => message.id)).size).toBe(1)
    expect((await user.call(viewTicket, { params: { id } })).messages).toHaveLength(2)
  })

  it('returns a stored message again after the ticket has closed', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    const key = randomUUID()
    const first = await send(user, id, 'The response was lost', key)
    await resolve(user, id)
    world.clock.forward(2 * day)
    expect(await send(user, id, 'The response was lost', key)).toEqual(first)
  })

  it('limits a user’s messages over all their tickets', async () => {
    const user = await world.user()
    const [{ id }, otherTicket] = [await openTicket(user), await openTicket(user)]
    const remaining = serviceLimits.ticketMessagesPerUser - 2
    const results = await Promise.allSettled(
      Array.from({ length: remaining + 5 }, (_, i) =>
        send(user, i % 2 ? id : otherTicket.id, `Message ${i}`),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(remaining)
    expect(await errorCodeOf(send(user, id, 'One more'))).toBe('message_limit_reached')
    expect(await errorCodeOf(openTicket(user))).toBe('message_limit_reached')
    await operator.call(replyToTicket, { params: { id }, body: { text: 'We are on it' } })
    world.clock.forward(serviceLimits.attemptWindow)
    await send(user, id, 'Now again')
  })
})

describe(title(resolveTicket), () => {
  it('resolves the ticket once', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    const resolved = await resolve(user, id)
    expect(resolved).toMatchObject({ state: 'resolved', resolvedAt: resolved.updatedAt })
    expect(await errorCodeOf(resolve(user, id))).toBe('ticket_already_resolved')
    expect((await user.call(viewTicket, { params: { id } })).resolvedAt).toBe(resolved.resolvedAt)
  })

  it('does not reopen a ticket', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    const body = { state: 'open' as 'resolved' }
    expect(await errorCodeOf(user.call(resolveTicket, { params: { id }, body }))).toBe(
      'validation_error',
    )
  })

  it('accepts messages of both sides for 24 hours and leaves the ticket resolved', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    const { resolvedAt } = await resolve(user, id)
    world.clock.forward(Date.parse(resolvedAt ?? '') + day - world.clock.now().getTime())
    await send(user, id, 'Thank you all')
    const body = { text: 'You are welcome' }
    await operator.call(replyToTicket, { params: { id }, body })
    const view = () => user.call(viewTicket, { params: { id } })
    expect(await view()).toMatchObject({ state: 'resolved', closed: false })

    world.clock.forward(1)
    expect(await view()).toMatchObject({ state: 'resolved', closed: true })
    expect(await errorCodeOf(send(user, id, 'One more thing'))).toBe('ticket_closed')
    expect(await errorCodeOf(operator.call(replyToTicket, { params: { id }, body }))).toBe(
      'ticket_closed',
    )
    expect((await view()).messages).toHaveLength(3)
  })
})

describe('a thread of more than 1,000 messages', () => {
  it('shows the user and the operator the newest 1,000 and the number of older ones', async () => {
    const user = await world.user()
    const { id, olderMessages } = await openTicket(user)
    expect(olderMessages).toBe(0)
    await addOldMessages(world, user, id, 999)
    const views = () =>
      Promise.all([
        user.call(viewTicket, { params: { id } }),
        operator.call(viewOperatorTicket, { params: { id } }),
      ])
    for (const viewed of await views())
      expect([viewed.messages.length, viewed.olderMessages]).toEqual([1000, 0])
    const last = await send(user, id, 'And one more')
    for (const viewed of await views()) {
      expect([viewed.messages.length, viewed.olderMessages]).toEqual([1000, 1])
      expect([viewed.messages[0]?.text, viewed.messages.at(-1)?.id]).toEqual(['Message 2', last.id])
    }
  })
})

describe(title(listOlderMessages), () => {
  it('pages back to the first message, without gaps or repetitions', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    // Some messages share a time across the end of a page.
    await addOldMessages(world, user, id, 2499, (index) => Math.floor(index / 7))
    const params = { id }
    const newest = await user.call(viewTicket, { params })
    expect(newest.olderMessages).toBe(1500)
    const pages = [newest.messages]
    for (const olderMessages of [500, 0]) {
      const query = { before: pages[0]?.[0]?.id ?? '' }
      const page = await user.call(listOlderMessages, { params, query })
      expect(page.olderMessages).toBe(olderMessages)
      pages.unshift(page.messages)
    }
    const all = pages.flat()
    expect(
      all
        .map(({ text }) => text)
        .slice(0, -1)
        .sort(),
    ).toEqual(Array.from({ length: 2499 }, (_, index) => `Message ${index + 1}`).sort())
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all.map(({ createdAt }) => createdAt).sort(),
    )
    const query = { before: all[0]?.id ?? '' }
    expect(await user.call(listOlderMessages, { params, query })).toEqual({
      messages: [],
      olderMessages: 0,
    })
  })

  it('returns item_not_found for a message of another ticket and a malformed id', async () => {
    const user = await world.user()
    const [{ id }, { messages }] = [await openTicket(user), await openTicket(user)]
    for (const before of [messages[0]?.id ?? '', 'none']) {
      const request = { params: { id }, query: { before } }
      expect(await errorCodeOf(user.call(listOlderMessages, request))).toBe('item_not_found')
    }
  })
})

describe(title(listOlderOperatorMessages), () => {
  it('returns the same pages as the user has', async () => {
    const user = await world.user()
    const { id } = await openTicket(user)
    await addOldMessages(world, user, id, 2499)
    const params = { id }
    let { messages } = await operator.call(viewOperatorTicket, { params })
    for (const olderMessages of [500, 0]) {
      const query = { before: messages[0]?.id ?? '' }
      const page = await operator.call(listOlderOperatorMessages, { params, query })
      expect(page.olderMessages).toBe(olderMessages)
      expect(await user.call(listOlderMessages, { params, query })).toEqual(page)
      messages = page.messages
    }
    expect(messages[0]?.text).toBe('Message 1')
  })

  it('returns item_not_found for a message of another ticket and a malformed id', async () => {
    const user = await world.user()
    const [{ id }, { messages }] = [await openTicket(user), await openTicket(user)]
    for (const before of [messages[0]?.id ?? '', 'none']) {
      const request = { params: { id }, query: { before } }
      expect(await errorCodeOf(operator.call(listOlderOperatorMessages, request))).toBe(
        'item_not_found',
      )
    }
  })
})

describe('the emails of a ticket', () => {
  it('notify the operators of a ticket and each message, each in their language', async () => {
    const user = await world.user({ name: "Ayşe O'Hara" })
    const { id } = await user.call(createTicket, {
      body: { subject: 'Fatura <hatası>', message: 'Line one\n  line <two> & more' },
    })
    await send(user, id, 'And one more thing')
    const [opened, message] = (await world.mailsTo('operator@example.com')).slice(-2)
    expect(opened?.subject).toBe('Destek talebi: Fatura <hatası>')
    expect(opened?.text).toContain('Merhaba Olcay Usta,')
    expect(opened?.text).toContain(`Ayşe O'Hara (${user.email})`)
    expect(opened?.text).toContain('Line one\n  line <two> & more')
    expect(opened?.html).toContain('Line one<br>  line &lt;two&gt; &amp; more')
    expect(opened?.html).not.toContain('<hatası>')
    expect(opened?.text).toContain(`npm run operator -- reply ${id}`)
    expect(message?.text).toContain('And one more thing')

    const [english] = (await world.mailsTo('english@example.com')).slice(-2)
    expect(english?.subject).toBe('Ticket: Fatura <hatası>')
    expect(english?.text).toContain('Hello Erin Example,')
  })

  it('are not sent to an unverified operator address', async () => {
    await world.user({ email: 'unverified@example.com', verified: false })
    await openTicket(await world.user(), 'Not for everybody')
    const to = (email: string) => world.mailsTo(email)
    expect(await to('unverified@example.com')).toEqual([])
    expect(await to('nobody.yet@example.com')).toEqual([])
    expect((await to('english@example.com')).at(-1)?.subject).toBe('Ticket: Not for everybody')
  })

  it('contain a reply in the user’s language with a link to the ticket', async () => {
    const user = await world.user({ name: 'Işıl Şen', locale: 'tr' })
    const { id } = await openTicket(user, 'Sitem açılmıyor')
    const key = randomUUID()
    const reply = () =>
      operator.call(replyToTicket, {
        params: { id },
        body: { text: 'Düzelttik.\n<b>İyi</b> günler', idempotencyKey: key },
      })
    await reply()
    await reply()
    const mails = await world.mailsTo(user.email)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ subject: 'Destek talebinize yanıt: Sitem açılmıyor' })
    expect(mails[0]?.text).toContain('Merhaba Işıl Şen,')
    expect(mails[0]?.text).toContain('Düzelttik.\n<b>İyi</b> günler')
    expect(mails[0]?.text).toContain(`${world.env.PUBLIC_URL}/support/tickets/view/${id}`)
    expect(mails[0]?.html).toContain('Düzelttik.<br>&lt;b&gt;İyi&lt;/b&gt; günler')
    expect(mails[0]?.text).not.toContain('Olcay')
  })

  it('do not turn a name into a link', async () => {
    const user = await world.user({ name: 'https://evil.example/win' })
    const { id } = await openTicket(user)
    await operator.call(replyToTicket, { params: { id }, body: { text: 'Solved it' } })
    const [question] = (await world.mailsTo('operator@example.com')).slice(-1)
    const [answer] = await world.mailsTo(user.email)
    for (const mail of [question, answer])
      for (const part of [mail?.text, mail?.html]) {
        expect(part).toMatch(/https:\u200a/)
        expect(part).not.toMatch(/https:\/\/evil|evil\.example/)
      }
  })

  it('are not sent to the author', async () => {
    const before = await world.mailsTo('operator@example.com')
    const { id } = await openTicket(operator)
    await operator.call(replyToTicket, { params: { id }, body: { text: 'Solved it myself' } })
    expect(await world.mailsTo('operator@example.com')).toHaveLength(before.length)
  })
})
