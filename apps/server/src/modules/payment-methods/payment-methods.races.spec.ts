import { limits } from '@slipway/contract/limits'
import {
  deletePaymentMethod,
  type PaymentMethodId,
  setDefaultPaymentMethod,
} from '@slipway/contract/payment-methods'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import type { Tx } from '../../context.ts'
import { sandboxCards } from '../../engines/payments/sandbox/sandbox.schema.ts'
import { outcome } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { heldUp } from '../../testing/waiting.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { cardOf, cardsOf } from './payment-methods.fixture.ts'
import { paymentMethods } from './payment-methods.schema.ts'
import { lockForPayment } from './payment-methods.service.ts'
import * as store from './payment-methods.store.ts'

let world: World
let elsewhere: App
let person: TestUser
/** The person at a server each. */
let here: Pick<TestUser, 'call'>
let there: Pick<TestUser, 'call'>
beforeAll(async () => {
  world = await createWorld()
  elsewhere = await world.anotherApp()
})
beforeEach(async () => {
  person = await world.user()
  here = person
  there = { call: world.client(person.token, 'en', elsewhere) }
})
afterAll(() => world.close())

const rounds = 30

type Call = () => Promise<unknown>

/**
 * Both calls at once, and how each ended. In every other round the person's cards are locked until both
 * wait for them, so that neither comes after the other; each begins as often as the other.
 */
async function race(round: number, first: Call, second: Call) {
  const calls = [first, second].map((call) => () => outcome(call()))
  const turned = round % 4 >= 2
  if (turned) calls.reverse()
  const lock = (tx: Tx) => store.lockAll(tx, person.id)
  const ended =
    round % 2 === 0
      ? await heldUp(world, lock, calls)
      : await Promise.allSettled(calls.map((call) => call()))
  const outcomes = ended.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
  return turned ? outcomes.reverse() : outcomes
}

/** Another card of the person's; no limit of tries gets in the way. */
async function another() {
  world.clock.forward(limits.attemptWindow)
  return (await cardOf(person)).id
}

const remove =
  (id: PaymentMethodId, of = here) =>
  () =>
    of.call(deletePaymentMethod, { params: { id } })
const makeDefault =
  (id: PaymentMethodId, of = there) =>
  () =>
    of.call(setDefaultPaymentMethod, { params: { id } })

const defaults = async () => (await cardsOf(person)).filter(({ isDefault }) => isDefault)

describe('adding the first two cards at once', () => {
  it('makes one of them the default', async () => {
    for (let round = 0; round < rounds; round++) {
      person = await world.user()
      here = person
      there = { call: world.client(person.token, 'en', elsewhere) }
      const added = await race(
        round,
        () => cardOf(here),
        () => cardOf(there),
      )
      expect(added).toEqual(['ok', 'ok'])
      expect(await cardsOf(person)).toHaveLength(2)
      expect(await defaults()).toHaveLength(1)
    }
  })
})

describe('deleting a card while it becomes the default', () => {
  it('does one of both and says so to the other', async () => {
    await another()
    for (let round = 0; round < rounds; round++) {
      const id = await another()
      const outcomes = await race(round, remove(id), makeDefault(id))
      expect([
        ['ok', 'payment_method_not_found'],
        ['default_payment_method', 'ok'],
      ]).toContainEqual(outcomes)
      const [first, ...others] = await cardsOf(person)
      expect(first).toMatchObject({ isDefault: true })
      expect(first?.id === id).toBe(outcomes[1] === 'ok')
      for (const other of others) await remove(other.id)()
    }
  })
})

describe('deleting a card twice at once', () => {
  it('takes it away once', async () => {
    await another()
    for (let round = 0; round < rounds; round++) {
      const id = await another()
      const outcomes = await race(round, remove(id), remove(id, there))
      expect(outcomes.sort()).toEqual(['ok', 'payment_method_not_found'])
    }
    expect(await cardsOf(person)).toHaveLength(1)
  })
})

describe('making two cards the default at once', () => {
  it('makes one of them the default', async () => {
    await another()
    const [one, two] = [await another(), await another()]
    for (let round = 0; round < rounds; round++) {
      const outcomes = await race(round, makeDefault(one, here), makeDefault(two, there))
      expect(outcomes).toEqual(['ok', 'ok'])
      const found = await defaults()
      expect(found).toHaveLength(1)
      expect([one, two]).toContain(found[0]?.id)
    }
  })
})

describe('adding two cards at once where there is room for one', () => {
  it('adds one, and has the gateway forget the other', async () => {
    for (let added = 1; added < limits.paymentMethodsPerUser; added++) await another()
    world.clock.forward(limits.attemptWindow)
    const outcomes = await race(
      0,
      () => cardOf(here),
      () => cardOf(there),
    )
    expect(outcomes.sort()).toEqual(['ok', 'payment_method_limit_reached'])
    expect(await cardsOf(person)).toHaveLength(limits.paymentMethodsPerUser)

    const kept = await world.ctx.db.select({ token: paymentMethods.token }).from(paymentMethods)
    const tokens = new Set(kept.map(({ token }) => token))
    await world.work()
    const forgotten = await until(async () => {
      const cards = await world.ctx.db.select().from(sandboxCards)
      const orphans = cards.filter(({ token }) => !tokens.has(token))
      return orphans.length > 0 && orphans.every(({ removedAt }) => removedAt) && orphans
    })
    expect(forgotten).toHaveLength(1)
  })
})

describe('a card that is locked for a payment', () => {
  it('is changed and deleted by nobody until that is stored', async () => {
    const id = await another()
    await world.ctx.write(async (tx) => {
      await lockForPayment(tx, person.id, id)
      const taking = world.ctx.db
        .select()
        .from(paymentMethods)
        .where(eq(paymentMethods.id, id))
        .for('update', { noWait: true })
      // PostgreSQL, appendix A: 55P03 is lock_not_available.
      await expect(taking).rejects.toMatchObject({ cause: { code: '55P03' } })
    })
  })

  it('can be locked for another payment at the same time', async () => {
    const id = await another()
    await world.ctx.write(async (tx) => {
      const card = await lockForPayment(tx, person.id, id)
      const again = await world.ctx.write((other) => lockForPayment(other, person.id, id))
      expect(again).toEqual(card)
    })
  })
})
