import { day, minute } from '@slipway/contract/limits'
import { updatePaymentMethod } from '@slipway/contract/payment-method-forms'
import {
  deletePaymentMethod,
  listPaymentMethods,
  type PaymentMethodId,
  setDefaultPaymentMethod,
} from '@slipway/contract/payment-methods'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { sandboxCards } from '../../engines/payments/sandbox/sandbox.schema.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { recordEvents } from '../../testing/event-recorder.ts'
import { errorCodeOf } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import {
  billingFields,
  cardOf,
  cardsOf,
  replaceGateway,
  tokenOf,
} from './payment-methods.fixture.ts'
import { jobs } from './payment-methods.jobs.ts'
import { paymentMethods } from './payment-methods.schema.ts'
import * as service from './payment-methods.service.ts'
import * as tokens from './payment-methods.tokens.ts'

let world: World
let user: TestUser
beforeAll(async () => {
  world = await createWorld()
})
beforeEach(async () => {
  user = await world.user()
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

const laterCardOf = (of: TestUser) => {
  world.clock.forward(minute)
  return cardOf(of)
}

describe('a change to the cards', () => {
  it('publishes one event, and none when it is rejected', async () => {
    const events = await recordEvents(world.database.options)
    onTestFinished(() => events.close())
    const userUpdated = { kind: 'User', data: { type: 'Updated', userId: user.id } }
    const first = await cardOf(user)
    expect(await events.take()).toEqual([userUpdated])
    const second = await laterCardOf(user)
    await events.take()
    const params = { id: second.id }
    for (const change of [
      () => user.call(updatePaymentMethod, { params, body: billingFields }),
      () => user.call(setDefaultPaymentMethod, { params }),
      () => user.call(deletePaymentMethod, { params: { id: first.id } }),
    ]) {
      await change()
      expect(await events.take()).toEqual([userUpdated])
    }
    await errorCodeOf(user.call(deletePaymentMethod, { params }))
    await errorCodeOf(
      user.call(updatePaymentMethod, { params: { id: first.id }, body: billingFields }),
    )
    expect(await events.take()).toEqual([])
  })
})

describe(title(listPaymentMethods), () => {
  it('lists the default first, then the newest', async () => {
    const added = []
    for (let card = 0; card < 4; card++) added.push((await laterCardOf(user)).id)
    const [first, second, third, fourth] = added
    expect(await idsOf(user)).toEqual([first, fourth, third, second])
    await user.call(setDefaultPaymentMethod, { params: { id: third as PaymentMethodId } })
    expect(await idsOf(user)).toEqual([third, fourth, second, first])
  })

  it('marks a card as expired once its month has ended', async () => {
    const otherWorld = await createWorld({}, new Date('2026-11-15T00:00:00.000Z'))
    const holder = await otherWorld.user()
    await cardOf(holder, { expireMonth: 11, expireYear: 2026 })
    otherWorld.clock.forward(16 * day - 1)
    expect(await holder.call(listPaymentMethods)).toMatchObject([{ expired: false }])
    otherWorld.clock.forward(1)
    expect(await holder.call(listPaymentMethods)).toMatchObject([{ expired: true }])
    await otherWorld.close()
  })

  it('lists no card of another user', async () => {
    await cardOf(user)
    expect(await cardsOf(await world.user())).toEqual([])
  })
})

describe(title(updatePaymentMethod), () => {
  it('changes the billing details and nothing else', async () => {
    const card = await cardOf(user)
    const changed = { ...billingFields, billingName: 'Ada Ltd', city: 'London', country: 'England' }
    const body = { ...changed, holderName: 'Somebody', isDefault: false, token: 'other' } as never
    expect(await user.call(updatePaymentMethod, { params: { id: card.id }, body })).toEqual({
      ...card,
      ...changed,
    })
    expect(await cardsOf(user)).toEqual([{ ...card, ...changed }])
    expect(await rowOf(card.id)).toMatchObject({ holderName: 'Ayse Caglar' })
  })

  it('leaves the tax number if it is missing, and removes it if it is empty', async () => {
    const card = await cardOf(user)
    const params = { id: card.id }
    const { taxNumber, ...address } = billingFields
    expect(card.taxNumber).toBe(taxNumber)
    const unchanged = await user.call(updatePaymentMethod, { params, body: address })
    expect(unchanged.taxNumber).toBe(taxNumber)
    const removed = await user.call(updatePaymentMethod, {
      params,
      body: { ...address, taxNumber: '' },
    })
    expect(removed.taxNumber).toBeNull()
  })

  it('does not find a deleted card or another user’s', async () => {
    const [, card] = [await cardOf(user), await cardOf(user)]
    const change = (of: TestUser) =>
      errorCodeOf(of.call(updatePaymentMethod, { params: { id: card.id }, body: billingFields }))
    expect(await change(await world.user())).toBe('payment_method_not_found')
    await user.call(deletePaymentMethod, { params: { id: card.id } })
    expect(await change(user)).toBe('payment_method_not_found')
  })
})

describe(title(setDefaultPaymentMethod), () => {
  it('makes the card the only default', async () => {
    const [first, second] = [await cardOf(user), await cardOf(user)]
    const params = { id: second.id }
    const changed = await user.call(setDefaultPaymentMethod, { params })
    expect(changed).toEqual({ ...second, isDefault: true })
    expect(await cardsOf(user)).toEqual([changed, { ...first, isDefault: false }])
    // A repeated request changes nothing.
    expect(await user.call(setDefaultPaymentMethod, { params })).toEqual(changed)
  })

  it('does not find a deleted card or another user’s, and keeps the default', async () => {
    const [first, second] = [await cardOf(user), await cardOf(user)]
    await user.call(deletePaymentMethod, { params: { id: second.id } })
    const otherUser = await world.user()
    const foreign = await cardOf(otherUser)
    for (const id of [second.id, foreign.id])
      expect(await errorCodeOf(user.call(setDefaultPaymentMethod, { params: { id } }))).toBe(
        'payment_method_not_found',
      )
    expect(await cardsOf(user)).toEqual([first])
    expect(await cardsOf(otherUser)).toEqual([foreign])
  })
})

describe(title(deletePaymentMethod), () => {
  const remove = (id: PaymentMethodId, of = user) =>
    of.call(deletePaymentMethod, { params: { id } })

  it('deletes the card once, and keeps its row for its payments', async () => {
    const [first, second] = [await cardOf(user), await cardOf(user)]
    await remove(second.id)
    expect(await cardsOf(user)).toEqual([first])
    expect(await errorCodeOf(remove(second.id))).toBe('payment_method_not_found')
    expect(await rowOf(second.id)).toMatchObject({ deletedAt: world.clock.now() })
  })

  it('rejects deleting the default card, even the only one', async () => {
    const card = await cardOf(user)
    expect(await errorCodeOf(remove(card.id))).toBe('default_payment_method')
    expect(await cardsOf(user)).toEqual([card])
    const second = await cardOf(user)
    await user.call(setDefaultPaymentMethod, { params: { id: second.id } })
    await remove(card.id)
    expect(await idsOf(user)).toEqual([second.id])
  })

  it('does not find another user’s card', async () => {
    await cardOf(user)
    const { id } = await cardOf(user)
    expect(await errorCodeOf(remove(id, await world.user()))).toBe('payment_method_not_found')
    expect(await idsOf(user)).toHaveLength(2)
  })
})

describe('a deleted card', () => {
  it('is removed from the gateway, with retries', async () => {
    const otherWorld = await createWorld()
    const holder = await otherWorld.user()
    await cardOf(holder)
    const { id } = await cardOf(holder)
    await holder.call(deletePaymentMethod, { params: { id } })
    const token = await tokenOf(otherWorld, id)
    let failedAttempts = 0
    const gateway = replaceGateway(otherWorld, {
      remove: async () => {
        failedAttempts++
        gateway.restore()
        throw new Error('no response')
      },
    })
    await otherWorld.startWorkers()
    await until(async () => {
      const [card] = await otherWorld.ctx.db
        .select()
        .from(sandboxCards)
        .where(eq(sandboxCards.token, token))
      return card?.removedAt !== null
    })
    expect(failedAttempts).toBe(1)
    await otherWorld.close()
  }, 60_000)

  it('is logged for the operators when every attempt to remove it failed', async () => {
    await cardOf(user)
    const { id } = await cardOf(user)
    await user.call(deletePaymentMethod, { params: { id } })
    const { rows } = await world.ctx.db.execute<{ data: Record<string, string> }>(
      sql`select data from pgboss.job where name = ${tokens.removeCardJob} and data->>'paymentMethodId' = ${id}`,
    )
    const [job] = rows
    if (!job) throw new Error('no job was sent')
    await jobs[0]?.deadLetter?.(world.ctx, job.data)
    const last = world.logged.find((line) => line.includes('did not remove a card'))
    expect(last).toContain(`"paymentMethodId":"${id}"`)
  })

  it('is removed from the gateway by a job of version 0.1.0, which contains the token', async () => {
    const token = await tokenOf(world, (await cardOf(user)).id)
    const job = jobs.find(({ name }) => name === 'payment-methods.forget')
    await job?.handle(world.ctx, { gateway: 'sandbox', token })
    expect(await sandboxCard(token)).toMatchObject({ removedAt: expect.any(Date) })
  })

  it('removal rejects a card of another gateway', async () => {
    const removal = tokens.removeToken(world.ctx, { gateway: 'iyzico', token: 'a-token' })
    await expect(removal).rejects.toThrow('the card is at the gateway iyzico')
  })
})

describe('lockForPayment', () => {
  const lock = (of: TestUser, id: PaymentMethodId) =>
    world.ctx.write((tx) => service.lockForPayment(world.ctx, tx, of.id, id))

  it('returns the card with its token and its billing details', async () => {
    const { id } = await cardOf(user)
    expect(await lock(user, id)).toEqual({
      id,
      gateway: 'sandbox',
      token: await tokenOf(world, id),
      cardAssoc: 'visa',
      lastDigits: '4242',
      holderName: 'Ayse Caglar',
      expiresAt: new Date('2031-01-01T00:00:00.000Z'),
      billing: billingFields,
    })
  })

  it('rejects a deleted card', async () => {
    const [otherCard, deleted] = [await cardOf(user), await cardOf(user)]
    await user.call(deletePaymentMethod, { params: { id: deleted.id } })
    await expect(lock(user, deleted.id)).rejects.toThrow('payment_method_not_found')
    expect(await sandboxCard(await tokenOf(world, otherCard.id))).toMatchObject({ removedAt: null })
  })

  it('rejects another user’s card', async () => {
    const { id } = await cardOf(user)
    await expect(lock(await world.user(), id)).rejects.toThrow('payment_method_not_found')
  })
})
