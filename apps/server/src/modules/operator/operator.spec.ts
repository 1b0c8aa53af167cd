import { day, minute } from '@slipway/contract/limits'
import { listOperatorTickets, replyToTicket, viewOperatorTicket } from '@slipway/contract/operator'
import { createTicket, resolveTicket, sendTicketMessage } from '@slipway/contract/support'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { supportTickets } from '../support/support.schema.ts'

let world: World
let operator: TestUser
beforeAll(async () => {
  world = await createWorld({
    OPERATOR_EMAILS: ['operator@example.com', 'unverified@example.com'],
  })
  operator = await world.user({ email: 'operator@example.com' })
})
beforeEach(() => world.ctx.db.delete(supportTickets))
afterAll(() => world.close())

type Query = NonNullable<Parameters<typeof list>[0]>
const list = (
  query: { page?: number; perPage?: number; state?: 'open' | 'resolved'; search?: string } = {},
) => operator.call(listOperatorTickets, { query })
const subjects = async (query?: Query) => (await list(query)).items.map(({ subject }) => subject)

/** Opens a ticket, a minute after the previous action. */
async function open(subject: string, user?: TestUser) {
  world.clock.forward(minute)
  const owner = user ?? (await world.user())
  const { id } = await owner.call(createTicket, { body: { subject, message: 'It is urgent.' } })
  return {
    id,
    async write() {
      world.clock.forward(minute)
      await owner.call(sendTicketMessage, { params: { id }, body: { text: 'Hello again?' } })
    },
    async resolve() {
      world.clock.forward(minute)
      await owner.call(resolveTicket, { params: { id }, body: { state: 'resolved' } })
    },
    async reply() {
      world.clock.forward(minute)
      return operator.call(replyToTicket, { params: { id }, body: { text: 'Looking at it.' } })
    },
  }
}

describe('operator access', () => {
  it('requires a verified account whose address is in OPERATOR_EMAILS', async () => {
    await open('Anything')
    const query = {}
    const unverified = await world.user({ email: 'unverified@example.com', verified: false })
    expect(await errorCodeOf(unverified.call(listOperatorTickets, { query }))).toBe(
      'user_not_verified',
    )
    const member = await world.user()
    expect(await errorCodeOf(member.call(listOperatorTickets, { query }))).toBe('forbidden')
    const params = { id: 'none' }
    expect(await errorCodeOf(member.call(viewOperatorTicket, { params }))).toBe('forbidden')
    expect(
      await errorCodeOf(member.call(replyToTicket, { params, body: { text: 'I am not' } })),
    ).toBe('forbidden')
  })
})

describe(title(listOperatorTickets), () => {
  it('lists the longest wait first; another message keeps the position', async () => {
    const repliedTicket = await open('Answered')
    const first = await open('First')
    await open('Second')
    await repliedTicket.reply()
    await first.write()
    expect(await subjects()).toEqual(['First', 'Second', 'Answered'])
    expect((await list()).items.map(({ waiting }) => waiting)).toEqual([true, true, false])
    await repliedTicket.write()
    expect(await subjects()).toEqual(['First', 'Second', 'Answered'])
    expect((await list()).items.every(({ waiting }) => waiting)).toBe(true)
  })

  it('lists the other tickets by last change', async () => {
    const [firstTicket, secondTicket] = [await open('One'), await open('Two')]
    await secondTicket.reply()
    await firstTicket.reply()
    expect(await subjects()).toEqual(['One', 'Two'])
  })

  it('counts a resolved ticket as waiting if its user wrote afterwards, until it closes', async () => {
    const ticket = await open('Resolved')
    await ticket.resolve()
    const waits = async () => (await list()).items[0]?.waiting
    expect(await waits()).toBe(false)
    await ticket.write()
    expect(await waits()).toBe(true)
    world.clock.forward(day)
    expect(await waits()).toBe(false)
  })

  it('filters by state', async () => {
    await open('Open')
    await (await open('Resolved')).resolve()
    expect(await subjects({ state: 'open' })).toEqual(['Open'])
    expect(await subjects({ state: 'resolved' })).toEqual(['Resolved'])
  })

  it('returns the ticket’s user and no internal field', async () => {
    const user = await world.user({ name: "Ayşe O'Hara" })
    const { id } = await open('Whose', user)
    const now = world.clock.now().toISOString()
    expect((await list()).items).toEqual([
      {
        id,
        subject: 'Whose',
        state: 'open',
        resolvedAt: null,
        closed: false,
        waiting: true,
        user: { id: user.id, name: user.name, email: user.email },
        createdAt: now,
        updatedAt: now,
      },
    ])
  })

  it('returns pages of ten, and an empty page past the end', async () => {
    const user = await world.user()
    for (let i = 1; i <= 12; i++) await open(`Ticket ${i}`, user)
    const first = await list()
    expect(first).toMatchObject({ currentPage: 1, totalPages: 2, perPage: 10 })
    const second = await list({ page: 2 })
    expect([...first.items, ...second.items].map(({ subject }) => subject)).toEqual(
      Array.from({ length: 12 }, (_, i) => `Ticket ${i + 1}`),
    )
    expect(await list({ page: 3 })).toMatchObject({ items: [], currentPage: 3, totalPages: 2 })
    expect(await list({ page: 4, perPage: 3 })).toMatchObject({ totalPages: 4, perPage: 3 })
  })

  it('returns zero pages without tickets', async () => {
    expect(await list()).toEqual({ items: [], currentPage: 1, totalPages: 0, perPage: 10 })
  })

  it.each([
    { page: 0 },
    { page: 1.5 },
    { perPage: 101 },
    { perPage: 0 },
    { search: 'x'.repeat(201) },
  ])('rejects %j', async (query) => {
    expect(await errorCodeOf(list(query))).toBe('validation_error')
  })
})

describe(`the search of ${title(listOperatorTickets)}`, () => {
  it.each([
    ['ISPARTA', 'ısparta sunucusu'],
    ['isparta', 'ISPARTA sunucusu'],
    ['İsparta', 'ısparta sunucusu'],
    ['istanbul', 'İSTANBUL'],
    ['I\u0307STANBUL', 'istanbul'],
    ['i\u0307stanbul', 'Istanbul'],
    ['ÇAĞRI ŞÖFÖRÜ', 'çağrı şöförü'],
    ['GRÖSSE', 'grösse'],
  ])('matches %s with the subject %s', async (search, subject) => {
    await open(subject)
    await open('Another')
    expect(await subjects({ search })).toEqual([subject])
  })

  it('treats LIKE patterns as plain text', async () => {
    await open('100% of CPU')
    await open('100 of CPU')
    await open('a_b and a\\b')
    await open('aXb')
    expect(await subjects({ search: '0% ' })).toEqual(['100% of CPU'])
    expect(await subjects({ search: 'a_b' })).toEqual(['a_b and a\\b'])
    expect(await subjects({ search: 'a\\b' })).toEqual(['a_b and a\\b'])
    expect(await subjects({ search: '%' })).toEqual(['100% of CPU'])
    expect(await subjects({ search: "' or true --" })).toEqual([])
  })

  it('matches name, email and part of the id; a blank search matches all', async () => {
    const user = await world.user({ name: 'Işıl Yıldız', email: 'isil.y@example.com' })
    const { id } = await open('By its user', user)
    await open('Another')
    for (const search of [
      'işil YILDIZ',
      'ISIL.Y@',
      id,
      id.slice(-8),
      id.slice(0, 20).toUpperCase(),
    ])
      expect(await subjects({ search }), search).toContain('By its user')
    expect(await subjects({ search: id.slice(-8) })).toEqual(['By its user'])
    expect(await subjects({ search: '  ' })).toEqual(['By its user', 'Another'])
  })

  it('combines with state and pages', async () => {
    for (let i = 0; i < 3; i++) await open(`Invoice ${i}`)
    await (await open('Invoice resolved')).resolve()
    await open('Something else')
    expect(await list({ search: 'INVOICE', state: 'open', perPage: 2 })).toMatchObject({
      items: [{ subject: 'Invoice 0' }, { subject: 'Invoice 1' }],
      totalPages: 2,
    })
  })
})

describe(title(viewOperatorTicket), () => {
  it('returns any user’s ticket with its messages', async () => {
    const user = await world.user()
    const ticket = await open('View me', user)
    const reply = await ticket.reply()
    const { id } = ticket
    const viewed = await operator.call(viewOperatorTicket, { params: { id } })
    expect(viewed).toMatchObject({ id, waiting: false, user: { email: user.email } })
    expect(viewed.messages).toEqual([
      expect.objectContaining({ userId: user.id, text: 'It is urgent.' }),
      reply,
    ])
    expect(reply).toMatchObject({ userId: operator.id, text: 'Looking at it.' })
  })

  it('returns ticket_not_found for a malformed id', async () => {
    const params = { id: 'none' }
    expect(await errorCodeOf(operator.call(viewOperatorTicket, { params }))).toBe(
      'ticket_not_found',
    )
    expect(
      await errorCodeOf(operator.call(replyToTicket, { params, body: { text: 'To whom?' } })),
    ).toBe('ticket_not_found')
  })
})

describe(title(replyToTicket), () => {
  it('counts as a user’s message in the operator’s own ticket', async () => {
    const ticket = await open('My own', operator)
    await ticket.reply()
    expect((await list()).items).toMatchObject([{ subject: 'My own', waiting: true }])
  })
})
