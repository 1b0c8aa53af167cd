import { updateProfileName } from '@slipway/contract/account'
import {
  type Invoice,
  listInvoices,
  listUnpaidInvoices,
  payInvoices,
  viewInvoice,
} from '@slipway/contract/invoices'
import { day, hour } from '@slipway/contract/limits'
import { money, toAmount } from '@slipway/contract/money'
import { updatePaymentMethod } from '@slipway/contract/payment-method-forms'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closeSockets, openSocket } from '../../http/socket.fixture.ts'
import { Problem } from '../../problem.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { cardOf } from '../payment-methods/payment-methods.fixture.ts'
import { invoiceOf } from './invoices.fixture.ts'
import * as invoices from './invoices.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())
afterEach(closeSockets)

const billedTo = {
  billingName: 'Ayşe Yılmaz',
  address: 'Example Street 1',
  district: 'Kadıköy',
  city: 'İstanbul',
  country: 'Turkey',
  taxNumber: '1234567890',
} as const
const charge = { amount: toAmount(money('37.50000')), chargedAmount: '37.50', invoiceCount: 2 }
const paidWith = { cardAssoc: 'visa', lastDigits: '4242' } as const

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe(title(listInvoices), () => {
  it('returns the user’s own invoices in pages of ten, newest first, and an empty page past the end', async () => {
    const [user, stranger] = [await world.user(), await world.user()]
    await invoiceOf(world, stranger)
    const stored: string[] = []
    for (let number = 0; number < 12; number++) {
      world.clock.forward(hour)
      stored.unshift((await invoiceOf(world, user)).id)
    }
    const page = (number?: number, perPage?: number) =>
      user.call(listInvoices, { query: { page: number, perPage } })
    const first = await page()
    expect(first).toMatchObject({ currentPage: 1, totalPages: 2, perPage: 10 })
    expect(idsOf(first.items)).toEqual(stored.slice(0, 10))
    expect(idsOf((await page(2)).items)).toEqual(stored.slice(10))
    expect(await page(3)).toEqual({ items: [], currentPage: 3, totalPages: 2, perPage: 10 })
    expect((await page(4, 3)).items).toHaveLength(3)
  })

  it('returns zero pages to a user without invoices', async () => {
    const { call } = await world.user()
    const emptyPage = { items: [], currentPage: 1, totalPages: 0, perPage: 10 }
    expect(await call(listInvoices, { query: {} })).toEqual(emptyPage)
  })

  it.each([{ page: 0 }, { page: 1.5 }, { perPage: 101 }, { perPage: 0 }])(
    'rejects %j',
    async (query) => {
      const { call } = await world.user()
      expect(await errorCodeOf(call(listInvoices, { query }))).toBe('validation_error')
    },
  )
})

describe(title(listUnpaidInvoices), () => {
  it('returns the unpaid invoices, oldest first', async () => {
    const user = await world.user()
    const first = await invoiceOf(world, user)
    await invoiceOf(world, user, { paidAt: world.clock.now() })
    world.clock.forward(hour)
    const second = await invoiceOf(world, user)
    await invoiceOf(world, await world.user())
    expect(idsOf(await user.call(listUnpaidInvoices))).toEqual([first.id, second.id])
  })

  it('marks an invoice as overdue when it is unpaid for more than 24 hours', async () => {
    const user = await world.user()
    await invoiceOf(world, user)
    const overdue = async () => (await user.call(listUnpaidInvoices))[0]?.overdue
    world.clock.forward(day)
    expect(await overdue()).toBe(false)
    world.clock.forward(1)
    expect(await overdue()).toBe(true)
  })
})

describe(title(viewInvoice), () => {
  it('returns the invoice with its items, the product in the caller’s language', async () => {
    const user = await world.user()
    const { id, startsAt, endsAt } = await invoiceOf(world, user, { amount: '3.10000' })
    const now = world.clock.now().toISOString()
    const viewed = await user.call(viewInvoice, { params: { id } })
    expect(viewed).toEqual({
      id,
      number: null,
      amount: '3.10000',
      createdAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      issuedAt: now,
      paidAt: null,
      payment: null,
      overdue: false,
      dueAt: new Date(world.clock.now().getTime() + day).toISOString(),
      billedTo: { name: user.name, email: user.email, taxNumber: null, address: null },
      seller: { name: 'Slipway', address: [], taxNumber: null },
      tax: { rate: '0', amount: '0.00000' },
      paidWith: null,
      charge: null,
      items: [
        {
          id: expect.any(String),
          projectId: expect.any(String),
          projectKey: expect.any(String),
          projectName: 'Example site',
          product: 'Website',
          price: '3.10000',
          discount: null,
          runningHours: 1,
          amount: '3.10000',
          discountAmount: '0.00000',
          totalAmount: '3.10000',
          createdAt: startsAt.toISOString(),
          issuedAt: now,
        },
      ],
    })
    const inTurkish = await world.client(user.token, 'tr')(viewInvoice, { params: { id } })
    expect(inTurkish.items[0]?.product).toBe('Web sitesi')
  })

  it('returns the details of the default card for an unpaid invoice, or the account’s name without a card', async () => {
    const user = await world.user()
    const { id } = await invoiceOf(world, user)
    const recipient = async () => (await user.call(viewInvoice, { params: { id } })).billedTo
    expect(await recipient()).toEqual({
      name: user.name,
      email: user.email,
      taxNumber: null,
      address: null,
    })
    const { id: cardId } = await cardOf(user)
    await cardOf(user)
    await cardOf(await world.user())
    const { billingName: name, taxNumber, ...address } = billedTo
    const body = billedTo
    await user.call(updatePaymentMethod, { params: { id: cardId }, body })
    expect(await recipient()).toEqual({ name, email: user.email, taxNumber, address })
  })

  it('returns the details of the card that paid the invoice, also after card and name change', async () => {
    const user = await world.user()
    const { id } = await invoiceOf(world, user)
    const card = await cardOf(user)
    const body = { invoiceIds: [id], paymentMethodId: card.id }
    await user.call(payInvoices, { body })
    const recipient = async () => (await user.call(viewInvoice, { params: { id } })).billedTo
    const { district, city, country, taxNumber } = card
    const before = {
      name: card.billingName,
      email: user.email,
      taxNumber,
      address: { address: card.address, district, city, country },
    }
    expect(await recipient()).toEqual(before)
    await user.call(updatePaymentMethod, { params: { id: card.id }, body: billedTo })
    await user.call(updateProfileName, { body: { name: 'Grace Example' } })
    expect(await recipient()).toEqual(before)
  })

  it('does not find another user’s invoice, nor a malformed id', async () => {
    const stranger = await world.user()
    const { id } = await invoiceOf(world, await world.user())
    for (const each of [id, 'none'])
      expect(await errorCodeOf(stranger.call(viewInvoice, { params: { id: each } }))).toBe(
        'invoice_not_found',
      )
  })
})

describe('a payment', () => {
  const view = async (user: Awaited<ReturnType<World['user']>>, id: string): Promise<Invoice> =>
    user.call(viewInvoice, { params: { id } })

  it('is stored on its invoices, with events to their user only', async () => {
    const port = await world.listen()
    const [user, stranger] = [await world.user(), await world.user()]
    const [mine, theirs] = [
      await openSocket(port, user.token),
      await openSocket(port, stranger.token),
    ]
    const { id } = await invoiceOf(world, user)
    const updated = { kind: 'Invoice', data: { type: 'Updated', invoiceId: id } }

    await world.ctx.write((tx) => invoices.setPaymentState(tx, [id], { state: 'in_progress' }))
    expect(await mine.next()).toEqual(updated)
    expect(await view(user, id)).toMatchObject({ payment: { state: 'in_progress', failure: null } })

    const failed = { state: 'failed', failure: 'card_declined' } as const
    await world.ctx.write((tx) => invoices.setPaymentState(tx, [id], failed))
    expect(await mine.next()).toEqual(updated)
    expect(await view(user, id)).toMatchObject({ payment: failed, paidAt: null })

    const paidAt = world.clock.now()
    await world.ctx.write((tx) =>
      invoices.markPaid(tx, [id], { paidAt, paidWith, billedTo, charge }),
    )
    expect(await mine.next()).toEqual(updated)
    expect(await view(user, id)).toMatchObject({
      payment: { state: 'succeeded', failure: null },
      paidAt: paidAt.toISOString(),
      paidWith,
      charge,
    })
    expect(theirs.messages).toEqual([])
  })

  it('is stored on all of its invoices or on none', async () => {
    const user = await world.user()
    const unpaid = await invoiceOf(world, user)
    const paid = await invoiceOf(world, user, { paidAt: world.clock.now() })
    const ids = [unpaid.id, paid.id]
    const write = world.ctx.write((tx) =>
      invoices.setPaymentState(tx, ids, { state: 'in_progress' }),
    )
    await expect(write).rejects.toThrow(paid.id)
    expect(await view(user, unpaid.id)).toMatchObject({ payment: null })
  })

  it('locks the user’s own invoices, and fails when one belongs to another user', async () => {
    const [user, stranger] = [await world.user(), await world.user()]
    const [firstInvoice, secondInvoice] = [
      await invoiceOf(world, user),
      await invoiceOf(world, user),
    ]
    const foreign = await invoiceOf(world, stranger)
    const lock = (ids: (typeof firstInvoice.id)[]) =>
      world.ctx.write((tx) => invoices.lockForPayment(tx, user.id, ids))
    expect(idsOf(await lock([secondInvoice.id, firstInvoice.id]))).toEqual(
      [firstInvoice.id, secondInvoice.id].sort(),
    )
    const rejected = lock([firstInvoice.id, foreign.id])
    await expect(rejected).rejects.toThrow(Problem)
    await expect(rejected).rejects.toMatchObject({ code: 'invoice_not_found' })
  })
})
