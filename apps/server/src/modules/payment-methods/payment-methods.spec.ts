import { day, limits, minute } from '@slipway/contract/limits'
import {
  createPaymentMethod,
  deletePaymentMethod,
  listPaymentMethods,
  type PaymentMethodId,
  setDefaultPaymentMethod,
  updatePaymentMethod,
} from '@slipway/contract/payment-methods'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { gatewayDeadline } from '../../engines/payments/deadline.ts'
import { sandboxCards } from '../../engines/payments/sandbox/sandbox.schema.ts'
import { refusal, refused } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type Person, type World } from '../../testing/world.ts'
import { billing, cardForm, cardOf, cardsOf, replaceGateway } from './payment-methods.fixture.ts'
import { paymentMethods } from './payment-methods.schema.ts'
import * as service from './payment-methods.service.ts'

let world: World
let person: Person
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  person = await world.user()
})
afterAll(() => world.close())

const rowOf = async (id: PaymentMethodId) => {
  const [row] = await world.ctx.db.select().from(paymentMethods).where(eq(paymentMethods.id, id))
  return row
}
const sandboxCard = async (token: string) => {
  const [row] = await world.ctx.db.select().from(sandboxCards).where(eq(sandboxCards.token, token))
  return row
}
const idsOf = async (of: Person) => (await cardsOf(of)).map(({ id }) => id)

/** A card a minute after what was before it. */
const laterCardOf = (of: Person) => {
  world.clock.forward(minute)
  return cardOf(of)
}

describe('POST /account/payment-method/create', () => {
  it('adds a card and shows what a person knows it by', async () => {
    expect(await cardOf(person, { expireMonth: 2, expireYear: 2028 })).toEqual({
      id: expect.any(String),
      ...billing,
      cardAssoc: 'visa',
      lastDigits: '4242',
      expiresAt: '2028-03-01T00:00:00.000Z',
      expired: false,
      isDefault: true,
      createdAt: world.clock.now().toISOString(),
    })
  })

  it.each([
    ['4242 4242 4242 4242', 'visa', '4242'],
    ['5555-5555-5555-4444', 'master_card', '4444'],
    ['2223003122003222', 'master_card', '3222'],
    ['9792030394440796', 'troy', '0796'],
    ['3530111333300000', 'other', '0000'],
  ])('knows whose card %s is', async (cardNumber, cardAssoc, lastDigits) => {
    expect(await cardOf(person, { cardNumber })).toMatchObject({ cardAssoc, lastDigits })
  })

  it('makes the first card the default, and no other', async () => {
    const added = [await cardOf(person), await cardOf(person), await cardOf(person)]
    expect(added.map(({ isDefault }) => isDefault)).toEqual([true, false, false])
  })

  it('makes the first card of each person the default', async () => {
    await cardOf(person)
    expect((await cardOf(await world.user())).isDefault).toBe(true)
  })

  it('hands the card to the gateway with whose it is, and keeps what that calls it', async () => {
    const tokenise = vi.fn().mockResolvedValue({ token: 'a-token' })
    const gateway = replaceGateway(world, { name: 'tested', tokenise })
    const { id } = await cardOf(person).finally(gateway.restore)
    expect(tokenise).toHaveBeenCalledExactlyOnceWith(
      { holderName: 'Ayse Caglar', number: '4242424242424242', expireMonth: 12, expireYear: 2030 },
      {
        customer: { id: person.id, name: person.name, email: person.email, address: '127.0.0.1' },
        billing,
        association: 'visa',
      },
      expect.any(AbortSignal),
    )
    expect(await rowOf(id)).toMatchObject({ gateway: 'tested', token: 'a-token' })
  })

  it('is taken to the last moment of the month on the card, and not after it', async () => {
    const own = await createWorld({}, new Date('2026-11-30T23:59:59.999Z'))
    const form = cardForm({ expireMonth: 11, expireYear: 2026 })
    const { call } = await own.user()
    const { expiresAt } = await call(createPaymentMethod, { body: form })
    expect(expiresAt).toBe('2026-12-01T00:00:00.000Z')
    own.clock.forward(1)
    expect(await refused(call(createPaymentMethod, { body: form }))).toMatchObject({
      code: 'validation_error',
      fields: { expireMonth: 'This card has expired', expireYear: 'This card has expired' },
    })
    await own.close()
  })

  it('says why the gateway does not take a card, and keeps nothing', async () => {
    const tokenise = async () => ({ failure: 'card_not_usable' }) as const
    const gateway = replaceGateway(world, { tokenise })
    const error = await refused(cardOf(person)).finally(gateway.restore)
    expect(error).toMatchObject({ code: 'payment_failed', context: 'card_not_usable' })
    expect(await cardsOf(person)).toEqual([])
  })

  it('is unavailable while the gateway is, and keeps nothing', async () => {
    const tokenise = async () => {
      throw new Error('no answer')
    }
    const gateway = replaceGateway(world, { tokenise })
    expect(await refusal(cardOf(person)).finally(gateway.restore)).toBe('unavailable')
    expect(await cardsOf(person)).toEqual([])
  })

  it('waits for the gateway to its deadline, and keeps nothing', async () => {
    const deadline = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal)
    const gateway = replaceGateway(world, {
      tokenise: (_card, _of, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          deadline.abort(new Error('too late'))
        }),
    })
    const code = await refusal(cardOf(person)).finally(gateway.restore)
    expect(timeout).toHaveBeenCalledExactlyOnceWith(gatewayDeadline)
    timeout.mockRestore()
    expect(code).toBe('unavailable')
    expect(await cardsOf(person)).toEqual([])
  })

  it('takes ten cards in 15 minutes, also when they are refused', async () => {
    const tokenise = vi.fn().mockResolvedValue({ failure: 'card_declined' })
    const gateway = replaceGateway(world, { tokenise })
    for (let tried = 0; tried < limits.cardsAddedPerPerson; tried++)
      expect(await refusal(cardOf(person))).toBe('payment_failed')
    expect(await refused(cardOf(person))).toMatchObject({ code: 'too_many_requests' })
    gateway.restore()
    expect(tokenise).toHaveBeenCalledTimes(limits.cardsAddedPerPerson)
    await cardOf(await world.user())
    world.clock.forward(limits.attemptWindow)
    await cardOf(person)
  })

  it('takes 20 cards of one person, and those that were deleted do not count', async () => {
    for (let added = 0; added < limits.paymentMethodsPerPerson; added++) {
      world.clock.forward(limits.attemptWindow)
      await cardOf(person)
    }
    world.clock.forward(limits.attemptWindow)
    const tokenise = vi.fn()
    const gateway = replaceGateway(world, { tokenise })
    expect(await refusal(cardOf(person)).finally(gateway.restore)).toBe(
      'payment_method_limit_reached',
    )
    expect(tokenise).not.toHaveBeenCalled()
    const last = (await idsOf(person)).at(-1) as PaymentMethodId
    await person.call(deletePaymentMethod, { params: { id: last } })
    await cardOf(person)
  })
})

describe('GET /account/payment-method/all', () => {
  it('shows the default first, and then the newest', async () => {
    const added = []
    for (let card = 0; card < 4; card++) added.push((await laterCardOf(person)).id)
    const [first, second, third, fourth] = added
    expect(await idsOf(person)).toEqual([first, fourth, third, second])
    await person.call(setDefaultPaymentMethod, { params: { id: third as PaymentMethodId } })
    expect(await idsOf(person)).toEqual([third, fourth, second, first])
  })

  it('says of a card that it has expired once its month is over', async () => {
    const own = await createWorld({}, new Date('2026-11-15T00:00:00.000Z'))
    const holder = await own.user()
    await cardOf(holder, { expireMonth: 11, expireYear: 2026 })
    own.clock.forward(16 * day - 1)
    expect(await holder.call(listPaymentMethods)).toMatchObject([{ expired: false }])
    own.clock.forward(1)
    expect(await holder.call(listPaymentMethods)).toMatchObject([{ expired: true }])
    await own.close()
  })

  it('shows nobody’s card to anybody else', async () => {
    await cardOf(person)
    expect(await cardsOf(await world.user())).toEqual([])
  })
})

describe('PUT /account/payment-method/update/:id', () => {
  it('changes whom and where the bills are for, and nothing else', async () => {
    const card = await cardOf(person)
    const changed = { ...billing, billingName: 'Ada Ltd', city: 'London', country: 'England' }
    const body = { ...changed, holderName: 'Somebody', isDefault: false, token: 'other' } as never
    expect(await person.call(updatePaymentMethod, { params: { id: card.id }, body })).toEqual({
      ...card,
      ...changed,
    })
    expect(await cardsOf(person)).toEqual([{ ...card, ...changed }])
    expect(await rowOf(card.id)).toMatchObject({ holderName: 'Ayse Caglar' })
  })

  it('finds no card that is deleted or somebody else’s', async () => {
    const [, card] = [await cardOf(person), await cardOf(person)]
    const change = (of: Person) =>
      refusal(of.call(updatePaymentMethod, { params: { id: card.id }, body: billing }))
    expect(await change(await world.user())).toBe('payment_method_not_found')
    await person.call(deletePaymentMethod, { params: { id: card.id } })
    expect(await change(person)).toBe('payment_method_not_found')
  })
})

describe('PUT /account/payment-method/default/:id', () => {
  it('makes the card the default instead of the other', async () => {
    const [first, second] = [await cardOf(person), await cardOf(person)]
    const params = { id: second.id }
    const changed = await person.call(setDefaultPaymentMethod, { params })
    expect(changed).toEqual({ ...second, isDefault: true })
    expect(await cardsOf(person)).toEqual([changed, { ...first, isDefault: false }])
    // Once more changes nothing.
    expect(await person.call(setDefaultPaymentMethod, { params })).toEqual(changed)
  })

  it('finds no card that is deleted or somebody else’s, and leaves the default', async () => {
    const [first, second] = [await cardOf(person), await cardOf(person)]
    await person.call(deletePaymentMethod, { params: { id: second.id } })
    const other = await world.user()
    const foreign = await cardOf(other)
    for (const id of [second.id, foreign.id])
      expect(await refusal(person.call(setDefaultPaymentMethod, { params: { id } }))).toBe(
        'payment_method_not_found',
      )
    expect(await cardsOf(person)).toEqual([first])
    expect(await cardsOf(other)).toEqual([foreign])
  })
})

describe('DELETE /account/payment-method/delete/:id', () => {
  const remove = (id: PaymentMethodId, of = person) =>
    of.call(deletePaymentMethod, { params: { id } })

  it('takes the card away, once, and keeps its row for what was paid with it', async () => {
    const [first, second] = [await cardOf(person), await cardOf(person)]
    await remove(second.id)
    expect(await cardsOf(person)).toEqual([first])
    expect(await refusal(remove(second.id))).toBe('payment_method_not_found')
    expect(await rowOf(second.id)).toMatchObject({ deletedAt: world.clock.now() })
  })

  it('leaves the default, also when it is the only card', async () => {
    const card = await cardOf(person)
    expect(await refusal(remove(card.id))).toBe('default_payment_method')
    expect(await cardsOf(person)).toEqual([card])
    const second = await cardOf(person)
    await person.call(setDefaultPaymentMethod, { params: { id: second.id } })
    await remove(card.id)
    expect(await idsOf(person)).toEqual([second.id])
  })

  it('finds no card of somebody else’s', async () => {
    await cardOf(person)
    const { id } = await cardOf(person)
    expect(await refusal(remove(id, await world.user()))).toBe('payment_method_not_found')
    expect(await idsOf(person)).toHaveLength(2)
  })
})

describe('a deleted card', () => {
  it('is forgotten by the gateway, which is asked until it does', async () => {
    const own = await createWorld()
    const holder = await own.user()
    await cardOf(holder)
    const { id } = await cardOf(holder)
    await holder.call(deletePaymentMethod, { params: { id } })
    const [row] = await own.ctx.db.select().from(paymentMethods).where(eq(paymentMethods.id, id))
    const token = row?.token ?? ''
    let refusals = 0
    const gateway = replaceGateway(own, {
      remove: async () => {
        refusals++
        gateway.restore()
        throw new Error('no answer')
      },
    })
    await own.work()
    await until(async () => {
      const [card] = await own.ctx.db
        .select()
        .from(sandboxCards)
        .where(eq(sandboxCards.token, token))
      return card?.removedAt !== null
    })
    expect(refusals).toBe(1)
    await own.close()
  }, 60_000)

  it('is nothing to pay with, and neither is somebody else’s', async () => {
    const [first, second] = [await cardOf(person), await cardOf(person)]
    const lock = (of: Person, id: PaymentMethodId) =>
      world.ctx.write((tx) => service.lockForPayment(tx, of.id, id))
    expect(await lock(person, first.id)).toEqual({
      id: first.id,
      gateway: 'sandbox',
      token: (await rowOf(first.id))?.token,
      cardAssoc: 'visa',
      lastDigits: '4242',
      holderName: 'Ayse Caglar',
      expiresAt: new Date('2031-01-01T00:00:00.000Z'),
      billing,
    })
    await person.call(deletePaymentMethod, { params: { id: second.id } })
    await expect(lock(person, second.id)).rejects.toThrow('payment_method_not_found')
    await expect(lock(await world.user(), first.id)).rejects.toThrow('payment_method_not_found')
    expect(await sandboxCard((await rowOf(first.id))?.token ?? '')).toMatchObject({
      removedAt: null,
    })
  })
})
