import {
  deletePaymentMethod,
  type PaymentMethodId,
  setDefaultPaymentMethod,
} from '@slipway/contract/payment-methods'
import { serviceLimits } from '@slipway/contract/service-limits'
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import type { Tx } from '../../context.ts'
import { sandboxCards } from '../../engines/payments/sandbox/sandbox.schema.ts'
import { outcome } from '../../testing/matchers.ts'
import { runBehindLock } from '../../testing/run-behind-lock.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import { cardOf, cardsOf } from './payment-methods.fixture.ts'
import { paymentMethods } from './payment-methods.schema.ts'
import { lockForPayment } from './payment-methods.service.ts'
import * as store from './payment-methods.store.ts'
import { openToken } from './payment-methods.tokens.ts'

let world: World
let elsewhere: App
let user: TestUser
/** The same user at two servers. */
let firstClient: Pick<TestUser, 'call'>
let secondClient: Pick<TestUser, 'call'>
beforeAll(async () => {
  world = await createWorld()
  elsewhere = await world.anotherApp()
})
beforeEach(async () => {
  user = await world.user()
  firstClient = user
  secondClient = { call: world.client(user.token, 'en', elsewhere) }
})
afterAll(() => world.close())

const rounds = 30

type Call = () => Promise<unknown>

/**
 * Runs two calls at once and returns their outcomes. In every other round the user's cards are
 * locked until both calls wait for the lock. The calls take turns in starting first.
 */
async function race(round: number, first: Call, second: Call) {
  const calls = [first, second].map((call) => () => outcome(call()))
  const isReversed = round % 4 >= 2
  if (isReversed) calls.reverse()
  const lock = (tx: Tx) => store.lockCardSet(tx, user.id)
  const results =
    round % 2 === 0
      ? await runBehindLock(world, lock, calls)
      : await Promise.allSettled(calls.map((call) => call()))
  const outcomes = results.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
  return isReversed ? outcomes.reverse() : outcomes
}

/** Adds another card, after the rate limit's window. */
async function addCard() {
  world.clock.forward(serviceLimits.attemptWindow)
  return (await cardOf(user)).id
}

const remove =
  (id: PaymentMethodId, of = firstClient) =>
  () =>
    of.call(deletePaymentMethod, { params: { id } })
const makeDefault =
  (id: PaymentMethodId, of = secondClient) =>
  () =>
    of.call(setDefaultPaymentMethod, { params: { id } })

const defaults = async () => (await cardsOf(user)).filter(({ isDefault }) => isDefault)

describe('adding the first two cards at once', () => {
  it('makes one of them the default', async () => {
    for (let round = 0; round < rounds; round++) {
      user = await world.user()
      firstClient = user
      secondClient = { call: world.client(user.token, 'en', elsewhere) }
      const added = await race(
        round,
        () => cardOf(firstClient),
        () => cardOf(secondClient),
      )
      expect(added).toEqual(['ok', 'ok'])
      expect(await cardsOf(user)).toHaveLength(2)
      expect(await defaults()).toHaveLength(1)
    }
  })
})

describe('deleting a card while it becomes the default', () => {
  it('does one of the two, and rejects the other', async () => {
    await addCard()
    for (let round = 0; round < rounds; round++) {
      const id = await addCard()
      const outcomes = await race(round, remove(id), makeDefault(id))
      expect([
        ['ok', 'payment_method_not_found'],
        ['default_payment_method', 'ok'],
      ]).toContainEqual(outcomes)
      const [first, ...others] = await cardsOf(user)
      expect(first).toMatchObject({ isDefault: true })
      expect(first?.id === id).toBe(outcomes[1] === 'ok')
      for (const other of others) await remove(other.id)()
    }
  })
})

describe('deleting a card twice at once', () => {
  it('deletes it once', async () => {
    await addCard()
    for (let round = 0; round < rounds; round++) {
      const id = await addCard()
      const outcomes = await race(round, remove(id), remove(id, secondClient))
      expect(outcomes.sort()).toEqual(['ok', 'payment_method_not_found'])
    }
    expect(await cardsOf(user)).toHaveLength(1)
  })
})

describe('making two cards the default at once', () => {
  it('makes one of them the default', async () => {
    await addCard()
    const [firstCard, secondCard] = [await addCard(), await addCard()]
    for (let round = 0; round < rounds; round++) {
      const outcomes = await race(
        round,
        makeDefault(firstCard, firstClient),
        makeDefault(secondCard, secondClient),
      )
      expect(outcomes).toEqual(['ok', 'ok'])
      const current = await defaults()
      expect(current).toHaveLength(1)
      expect([firstCard, secondCard]).toContain(current[0]?.id)
    }
  })
})

describe('adding two cards at once below the limit by one', () => {
  it('adds one, and removes the other from the gateway', async () => {
    for (let added = 1; added < serviceLimits.paymentMethodsPerUser; added++) await addCard()
    world.clock.forward(serviceLimits.attemptWindow)
    const outcomes = await race(
      0,
      () => cardOf(firstClient),
      () => cardOf(secondClient),
    )
    expect(outcomes.sort()).toEqual(['ok', 'payment_method_limit_reached'])
    expect(await cardsOf(user)).toHaveLength(serviceLimits.paymentMethodsPerUser)

    const rejected = await world.ctx.db
      .select()
      .from(paymentMethods)
      .where(and(eq(paymentMethods.userId, user.id), isNotNull(paymentMethods.deletedAt)))
    const tokens = rejected.map((card) => openToken(world.ctx, card))
    expect(tokens).toHaveLength(1)
    await world.startWorkers()
    await until(async () => {
      const cards = await world.ctx.db
        .select()
        .from(sandboxCards)
        .where(inArray(sandboxCards.token, tokens))
      return cards.length === 1 && cards.every(({ removedAt }) => removedAt)
    })
  })
})

describe('a card that is locked for a payment', () => {
  it('cannot be changed or deleted until the payment is stored', async () => {
    const id = await addCard()
    await world.ctx.write(async (tx) => {
      await lockForPayment(world.ctx, tx, user.id, id)
      const locking = world.ctx.db
        .select()
        .from(paymentMethods)
        .where(eq(paymentMethods.id, id))
        .for('update', { noWait: true })
      // PostgreSQL, appendix A: 55P03 is lock_not_available.
      await expect(locking).rejects.toMatchObject({ cause: { code: '55P03' } })
    })
  })

  it('can be locked for another payment at the same time', async () => {
    const id = await addCard()
    await world.ctx.write(async (tx) => {
      const card = await lockForPayment(world.ctx, tx, user.id, id)
      const lockedAgain = await world.ctx.write((otherTx) =>
        lockForPayment(world.ctx, otherTx, user.id, id),
      )
      expect(lockedAgain).toEqual(card)
    })
  })
})
