import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../db/ids.ts'
import { until } from '../../testing/until.ts'
import type { Card, Charge, PaymentGateway } from './gateway.ts'

/** A gateway to be tried out. Its cards are of the numbers of the sandbox. */
export type TestedGateway = {
  gateway: PaymentGateway
  /** How often the cards were charged under that key, by the gateway's own record. */
  charges(idempotencyKey: string): Promise<number>
  close(): Promise<void>
}

export const card = (number = '4242424242424242'): Card => ({
  holderName: 'Ayse Caglar',
  number,
  expireMonth: 3,
  expireYear: 2030,
})

export const customer = {
  id: '019a0000-0000-7000-8000-000000000001',
  name: 'Ayşe Nur Çağlar',
  email: 'ayse@example.com',
  address: '203.0.113.7',
}

export const billing = {
  billingName: 'Çağlar Ltd.',
  address: 'İstiklal Caddesi 7',
  district: 'Beyoğlu',
  city: 'İstanbul',
  country: 'Turkey',
} as const

export const charge = (token: string, more: Partial<Charge> = {}): Charge => ({
  idempotencyKey: newId(),
  token,
  amount: '12.30',
  customer,
  billing,
  ...more,
})

/** A signal that does not abort. */
export const neverAborted = () => new AbortController().signal

export async function tokenOf(gateway: PaymentGateway, number?: string) {
  const of = { customer, billing, association: 'visa' } as const
  const given = await gateway.tokenise(card(number), of, neverAborted())
  if ('failure' in given) throw new Error(`the card was refused: ${given.failure}`)
  return given.token
}

/** What every payment gateway promises. */
export function describePaymentGateway(name: string, start: () => Promise<TestedGateway>) {
  describe(`${name}, as a payment gateway`, () => {
    let tested: TestedGateway
    let gateway: PaymentGateway
    beforeAll(async () => {
      tested = await start()
      gateway = tested.gateway
    })
    afterAll(() => tested.close())

    it('gives each card a token of its own, in which its number is not', async () => {
      const tokens = [await tokenOf(gateway), await tokenOf(gateway)]
      expect(new Set(tokens).size).toBe(2)
      for (const token of tokens) expect(token).not.toMatch(/4242/)
    })

    it('charges a card and finds the charge again', async () => {
      const asked = charge(await tokenOf(gateway))
      const made = await gateway.charge(asked, neverAborted())
      expect(made).toEqual({ state: 'charged', chargeId: expect.stringMatching(/./) })
      expect(await gateway.find(asked.idempotencyKey, neverAborted())).toEqual(made)
      expect(await tested.charges(asked.idempotencyKey)).toBe(1)
    })

    it('gives the first outcome for a key that it has heard of, and charges once', async () => {
      const asked = charge(await tokenOf(gateway))
      const first = await gateway.charge(asked, neverAborted())
      expect(await gateway.charge(asked, neverAborted())).toEqual(first)
      expect(await tested.charges(asked.idempotencyKey)).toBe(1)
    })

    it('declines a card that its bank refuses, and says so whenever it is asked', async () => {
      const asked = charge(await tokenOf(gateway, '4000000000000002'))
      const declined = { state: 'declined', failure: 'card_declined' }
      expect(await gateway.charge(asked, neverAborted())).toEqual(declined)
      expect(await gateway.find(asked.idempotencyKey, neverAborted())).toEqual(declined)
      expect(await gateway.charge(asked, neverAborted())).toEqual(declined)
      expect(await tested.charges(asked.idempotencyKey)).toBe(0)
    })

    it('rejects by the signal when no answer comes, and knows afterwards that it charged', async () => {
      const asked = charge(await tokenOf(gateway, '4000000000000341'))
      const leaving = new AbortController()
      const answer = gateway.charge(asked, leaving.signal)
      const rejected = expect(answer).rejects.toThrow('the caller timed out')
      await until(async () => (await tested.charges(asked.idempotencyKey)) === 1)
      leaving.abort(new Error('the caller timed out'))
      await rejected
      expect(await gateway.find(asked.idempotencyKey, neverAborted())).toMatchObject({
        state: 'charged',
      })
    })

    it('does nothing for a caller who has left already', async () => {
      const token = await tokenOf(gateway)
      const asked = charge(token)
      const gone = AbortSignal.abort(new Error('the caller timed out'))
      const of = { customer, billing, association: 'visa' } as const
      await expect(gateway.charge(asked, gone)).rejects.toThrow('the caller timed out')
      await expect(gateway.find(asked.idempotencyKey, gone)).rejects.toThrow('the caller timed out')
      await expect(gateway.remove(token, gone)).rejects.toThrow('the caller timed out')
      await expect(gateway.tokenise(card(), of, gone)).rejects.toThrow('the caller timed out')
      expect(await tested.charges(asked.idempotencyKey)).toBe(0)
      expect(await gateway.find(asked.idempotencyKey, neverAborted())).toBeUndefined()
    })

    it('has never heard of a key that nothing was charged under', async () => {
      expect(await gateway.find(newId(), neverAborted())).toBeUndefined()
    })

    it('forgets a card, again too, and does not charge it any more', async () => {
      const [token, other] = [await tokenOf(gateway), await tokenOf(gateway)]
      await gateway.remove(token, neverAborted())
      await gateway.remove(token, neverAborted())
      const asked = charge(token)
      expect(await gateway.charge(asked, neverAborted())).toEqual({
        state: 'declined',
        failure: 'card_not_usable',
      })
      expect(await tested.charges(asked.idempotencyKey)).toBe(0)
      expect(await gateway.charge(charge(other), neverAborted())).toMatchObject({
        state: 'charged',
      })
    })

    it('declines a token that no card has', async () => {
      expect(await gateway.charge(charge('unknown:unknown'), neverAborted())).toEqual({
        state: 'declined',
        failure: 'card_not_usable',
      })
    })
  })
}
