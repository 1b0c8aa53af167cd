import { day, minute } from '@slipway/contract/limits'
import {
  deletePaymentMethod,
  listPaymentMethods,
  type PaymentMethodId,
  setDefaultPaymentMethod,
  updatePaymentMethod,
} from '@slipway/contract/payment-methods'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sandboxCards } from '../../engines/payments/sandbox/sandbox.schema.ts'
import { hearAnnouncements } from '../../testing/announcements.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { refusal } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { billing, cardOf, cardsOf, replaceGateway } from './payment-methods.fixture.ts'
import { jobs } from './payment-methods.jobs.ts'
import { paymentMethods } from './payment-methods.schema.ts'
import * as service from './payment-methods.service.ts'
import * as tokens from './payment-methods.tokens.ts'

let world: World
let person: TestUser
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
const idsOf = async (of: TestUser) => (await cardsOf(of)).map(({ id }) => id)

/** A card a minute after what was before it. */
const laterCardOf = (of: TestUser) => {
  world.clock.forward(minute)
  return cardOf(of)
}

describe('a change of the cards', () => {
  it('is told to the user’s other pages once, and not where it was refused', async () => {
    const announced = await hearAnnouncements(world.database.options)
    onTestFinished(() => announced.close())
    const told = { kind: 'User', data: { type: 'Updated', userId: person.id } }
    const first = await cardOf(person)
    expect(await announced.take()).toEqual([told])
    const second = await laterCardOf(person)
    await announced.take()
    const params = { id: second.id }
    for (const change of [
      () => person.call(updatePaymentMethod, { params, body: billing }),
      () => person.call(setDefaultPaymentMethod, { params }),
      () => person.call(deletePaymentMethod, { params: { id: first.id } }),
    ]) {
      await change()
      expect(await announced.take()).toEqual([told])
    }
    await refusal(person.call(deletePaymentMethod, { params }))
    await refusal(person.call(updatePaymentMethod, { params: { id: first.id }, body: billing }))
    expect(await announced.take()).toEqual([])
  })
})

describe(title(listPaymentMethods), () => {
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

describe(title(updatePaymentMethod), () => {
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
    const change = (of: TestUser) =>
      refusal(of.call(updatePaymentMethod, { params: { id: card.id }, body: billing }))
    expect(await change(await world.user())).toBe('payment_method_not_found')
    await person.call(deletePaymentMethod, { params: { id: card.id } })
    expect(await change(person)).toBe('payment_method_not_found')
  })
})

describe(title(setDefaultPaymentMethod), () => {
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

describe(title(deletePaymentMethod), () => {
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

  it('that no attempt could have forgotten is named to the operators', async () => {
    await cardOf(person)
    const { id } = await cardOf(person)
    await person.call(deletePaymentMethod, { params: { id } })
    const { rows } = await world.ctx.db.execute<{ data: Record<string, string> }>(
      sql`select data from pgboss.job where name = ${tokens.removeTokenJob} and data->>'token' = ${(await rowOf(id))?.token}`,
    )
    const [job] = rows
    if (!job) throw new Error('no job was sent')
    await jobs[0]?.deadLetter?.(world.ctx, job.data)
    const last = world.logged.find((line) => line.includes('did not forget a card'))
    expect(last).toContain(`"paymentMethodId":"${id}"`)
    expect(last).not.toContain(job.data.token)
  })

  it('is not said to be forgotten by a gateway that never had it', async () => {
    const asked = tokens.removeToken(world.ctx, { gateway: 'iyzico', token: 'a-token' })
    await expect(asked).rejects.toThrow('the card is at the gateway iyzico')
  })

  it('is nothing to pay with, and neither is somebody else’s', async () => {
    const [first, second] = [await cardOf(person), await cardOf(person)]
    const lock = (of: TestUser, id: PaymentMethodId) =>
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
