import { createPaymentMethod } from '@slipway/contract/payment-method-forms'
import { deletePaymentMethod, type PaymentMethodId } from '@slipway/contract/payment-methods'
import { serviceLimits } from '@slipway/contract/service-limits'
import { eq, isNotNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { gatewayDeadline } from '../../engines/payments/deadline.ts'
import { sandboxCards } from '../../engines/payments/sandbox/sandbox.schema.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf } from '../../testing/matchers.ts'
import { createWorld, type TestUser, type World } from '../../testing/world.ts'
import {
  billingFields,
  cardForm,
  cardOf,
  cardsOf,
  replaceGateway,
  tokenOf,
} from './payment-methods.fixture.ts'
import { paymentMethods } from './payment-methods.schema.ts'

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

describe(title(createPaymentMethod), () => {
  it('adds a card and returns its recognizable details', async () => {
    expect(await cardOf(user, { expireMonth: 2, expireYear: 2028 })).toEqual({
      id: expect.any(String),
      ...billingFields,
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
  ])('detects the card association of %s', async (cardNumber, cardAssoc, lastDigits) => {
    expect(await cardOf(user, { cardNumber })).toMatchObject({ cardAssoc, lastDigits })
  })

  it('makes only the first card the default', async () => {
    const added = [await cardOf(user), await cardOf(user), await cardOf(user)]
    expect(added.map(({ isDefault }) => isDefault)).toEqual([true, false, false])
  })

  it('removes a card from the gateway that could not be stored', async () => {
    const { db } = world.ctx
    await db.execute(
      sql`alter table payment_methods add constraint nothing_more check (false) not valid`,
    )
    const before = await db.$count(sandboxCards)
    const failed = await errorCodeOf(cardOf(user))
    // The error is the same when the gateway cannot be reached and the card stays there.
    const unreachable = replaceGateway(world, { remove: () => Promise.reject(new Error('down')) })
    const failedToo = await errorCodeOf(cardOf(user))
    unreachable.restore()
    await db.execute(sql`alter table payment_methods drop constraint nothing_more`)
    expect([failed, failedToo]).toEqual(['internal_error', 'internal_error'])
    expect(await db.$count(sandboxCards)).toBe(before + 2)
    expect(await db.$count(sandboxCards, isNotNull(sandboxCards.removedAt))).toBe(1)
    expect(world.logged.join('')).toContain('a card that was not stored stays at its')
  })

  it('keeps a card at the gateway when the commit succeeds but its response is lost', async () => {
    const { write } = world.ctx
    const { removedAt } = sandboxCards
    const removed = () => world.ctx.db.$count(sandboxCards, isNotNull(removedAt))
    const before = await removed()
    world.app.ctx.write = async (work) => {
      const result = await write(work)
      if (await world.ctx.db.$count(paymentMethods, eq(paymentMethods.userId, user.id)))
        throw new Error('the connection is lost')
      return result
    }
    const error = await errorCodeOf(cardOf(user))
    world.app.ctx.write = write
    expect(error).toBe('internal_error')
    expect(await removed()).toBe(before)
    expect(await cardsOf(user)).toHaveLength(1)
  })

  it("makes each user's first card the default", async () => {
    await cardOf(user)
    expect((await cardOf(await world.user())).isDefault).toBe(true)
  })

  it("sends the card and its owner to the gateway, and seals the gateway's token", async () => {
    const tokenise = vi.fn().mockResolvedValue({ token: 'a-token' })
    const gateway = replaceGateway(world, { name: 'tested', tokenise })
    const { id } = await cardOf(user).finally(gateway.restore)
    expect(tokenise).toHaveBeenCalledExactlyOnceWith(
      { holderName: 'Ayse Caglar', number: '4242424242424242', expireMonth: 12, expireYear: 2030 },
      {
        customer: { id: user.id, name: user.name, email: user.email, address: '127.0.0.1' },
        billing: billingFields,
        association: 'visa',
      },
      expect.any(AbortSignal),
    )
    expect(await rowOf(id)).toMatchObject({ gateway: 'tested', token: null })
    expect(JSON.stringify(await rowOf(id))).not.toContain('a-token')
    expect(await tokenOf(world, id)).toBe('a-token')
  })

  it('accepts a card until the end of its last month', async () => {
    const worldAtMonthEnd = await createWorld({}, new Date('2026-11-30T23:59:59.999Z'))
    const form = cardForm({ expireMonth: 11, expireYear: 2026 })
    const { call } = await worldAtMonthEnd.user()
    const { expiresAt } = await call(createPaymentMethod, { body: form })
    expect(expiresAt).toBe('2026-12-01T00:00:00.000Z')
    worldAtMonthEnd.clock.forward(1)
    expect(await errorOf(call(createPaymentMethod, { body: form }))).toMatchObject({
      code: 'validation_error',
      fields: { expireMonth: 'This card has expired', expireYear: 'This card has expired' },
    })
    await worldAtMonthEnd.close()
  })

  it("returns the gateway's reason for declining a card, and stores nothing", async () => {
    const tokenise = async () => ({ failure: 'card_not_usable' }) as const
    const gateway = replaceGateway(world, { tokenise })
    const error = await errorOf(cardOf(user)).finally(gateway.restore)
    expect(error).toMatchObject({ code: 'payment_failed', context: 'card_not_usable' })
    expect(await cardsOf(user)).toEqual([])
  })

  it('is unavailable while the gateway is, and stores nothing', async () => {
    const tokenise = async () => {
      throw new Error('no response')
    }
    const gateway = replaceGateway(world, { tokenise })
    expect(await errorCodeOf(cardOf(user)).finally(gateway.restore)).toBe('unavailable')
    expect(await cardsOf(user)).toEqual([])
  })

  it('waits for the gateway until its deadline, and stores nothing', async () => {
    const deadline = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal)
    const gateway = replaceGateway(world, {
      tokenise: (_card, _of, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          deadline.abort(new Error('too late'))
        }),
    })
    const code = await errorCodeOf(cardOf(user)).finally(gateway.restore)
    expect(timeout).toHaveBeenCalledExactlyOnceWith(gatewayDeadline)
    timeout.mockRestore()
    expect(code).toBe('unavailable')
    expect(await cardsOf(user)).toEqual([])
  })

  it('accepts ten attempts in 15 minutes, including rejected ones', async () => {
    const tokenise = vi.fn().mockResolvedValue({ failure: 'card_declined' })
    const gateway = replaceGateway(world, { tokenise })
    for (let tried = 0; tried < serviceLimits.cardsAddedPerUser; tried++)
      expect(await errorCodeOf(cardOf(user))).toBe('payment_failed')
    expect(await errorOf(cardOf(user))).toMatchObject({ code: 'too_many_requests' })
    gateway.restore()
    expect(tokenise).toHaveBeenCalledTimes(serviceLimits.cardsAddedPerUser)
    await cardOf(await world.user())
    world.clock.forward(serviceLimits.attemptWindow)
    await cardOf(user)
  })

  it('accepts 20 cards per user, without counting deleted ones', async () => {
    for (let added = 0; added < serviceLimits.paymentMethodsPerUser; added++) {
      world.clock.forward(serviceLimits.attemptWindow)
      await cardOf(user)
    }
    world.clock.forward(serviceLimits.attemptWindow)
    const tokenise = vi.fn()
    const gateway = replaceGateway(world, { tokenise })
    expect(await errorCodeOf(cardOf(user)).finally(gateway.restore)).toBe(
      'payment_method_limit_reached',
    )
    expect(tokenise).not.toHaveBeenCalled()
    const last = (await cardsOf(user)).at(-1)?.id as PaymentMethodId
    await user.call(deletePaymentMethod, { params: { id: last } })
    await cardOf(user)
  })
})
