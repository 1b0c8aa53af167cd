import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../db/ids.ts'
import { until } from '../../testing/until.ts'
import type { Card, Charge, PaymentGateway } from './gateway.ts'

/** A gateway under test, with the sandbox's card numbers. */
export type TestedGateway = {
  gateway: PaymentGateway
  /** The number of charges with this key, by the gateway's own record. */
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

export const charge = (token: string, overrides: Partial<Charge> = {}): Charge => ({
  idempotencyKey: newId(),
  token,
  amount: '12.30',
  customer,
  billing,
  ...overrides,
})

export const neverAborted = () => new AbortController().signal

export async function tokenOf(gateway: PaymentGateway, number?: string) {
  const details = { customer, billing, association: 'visa' } as const
  const result = await gateway.tokenise(card(number), details, neverAborted())
  if ('failure' in result) throw new Error(`the card was declined: ${result.failure}`)
  return result.token
}

/** The tests that every payment gateway must pass. */
export function describePaymentGateway(name: string, start: () => Promise<TestedGateway>) {
  describe(`${name} as a payment gateway`, () => {
    let tested: TestedGateway
    let gateway: PaymentGateway
    beforeAll(async () => {
      tested = await start()
      gateway = tested.gateway
    })
    afterAll(() => tested.close())

    it('returns a different token for each card, without its number', async () => {
      const tokens = [await tokenOf(gateway), await tokenOf(gateway)]
      expect(new Set(tokens).size).toBe(2)
      for (const token of tokens) expect(token).not.toMatch(/4242/)
    })

    it('charges a card and finds the charge', async () => {
      const request = charge(await tokenOf(gateway))
      const outcome = await gateway.charge(request, neverAborted())
      expect(outcome).toEqual({ state: 'charged', chargeId: expect.stringMatching(/./) })
      expect(await gateway.find(request.idempotencyKey, neverAborted())).toEqual(outcome)
      expect(await tested.charges(request.idempotencyKey)).toBe(1)
    })

    it('returns the first outcome for a repeated key, and charges once', async () => {
      const request = charge(await tokenOf(gateway))
      const first = await gateway.charge(request, neverAborted())
      expect(await gateway.charge(request, neverAborted())).toEqual(first)
      expect(await tested.charges(request.idempotencyKey)).toBe(1)
    })

    it('declines a card that its bank declines, and returns the same outcome again', async () => {
      const request = charge(await tokenOf(gateway, '4000000000000002'))
      const declined = { state: 'declined', failure: 'card_declined' }
      expect(await gateway.charge(request, neverAborted())).toEqual(declined)
      expect(await gateway.find(request.idempotencyKey, neverAborted())).toEqual(declined)
      expect(await gateway.charge(request, neverAborted())).toEqual(declined)
      expect(await tested.charges(request.idempotencyKey)).toBe(0)
    })

    it('rejects when the signal aborts without a response, and finds the charge afterwards', async () => {
      const request = charge(await tokenOf(gateway, '4000000000000341'))
      const controller = new AbortController()
      const call = gateway.charge(request, controller.signal)
      const rejected = expect(call).rejects.toThrow('the caller timed out')
      await until(async () => (await tested.charges(request.idempotencyKey)) === 1)
      controller.abort(new Error('the caller timed out'))
      await rejected
      expect(await gateway.find(request.idempotencyKey, neverAborted())).toMatchObject({
        state: 'charged',
      })
    })

    it('does nothing when the signal is already aborted', async () => {
      const token = await tokenOf(gateway)
      const request = charge(token)
      const aborted = AbortSignal.abort(new Error('the caller timed out'))
      const details = { customer, billing, association: 'visa' } as const
      await expect(gateway.charge(request, aborted)).rejects.toThrow('the caller timed out')
      await expect(gateway.find(request.idempotencyKey, aborted)).rejects.toThrow(
        'the caller timed out',
      )
      await expect(gateway.remove(token, aborted)).rejects.toThrow('the caller timed out')
      await expect(gateway.tokenise(card(), details, aborted)).rejects.toThrow(
        'the caller timed out',
      )
      expect(await tested.charges(request.idempotencyKey)).toBe(0)
      expect(await gateway.find(request.idempotencyKey, neverAborted())).toBeUndefined()
    })

    it('finds nothing for an unknown key', async () => {
      expect(await gateway.find(newId(), neverAborted())).toBeUndefined()
    })

    it('removes a card, idempotently, and no longer charges it', async () => {
      const [token, otherToken] = [await tokenOf(gateway), await tokenOf(gateway)]
      await gateway.remove(token, neverAborted())
      await gateway.remove(token, neverAborted())
      const request = charge(token)
      expect(await gateway.charge(request, neverAborted())).toEqual({
        state: 'declined',
        failure: 'card_not_usable',
      })
      expect(await tested.charges(request.idempotencyKey)).toBe(0)
      expect(await gateway.charge(charge(otherToken), neverAborted())).toMatchObject({
        state: 'charged',
      })
    })

    it('declines an unknown token', async () => {
      expect(await gateway.charge(charge('unknown:unknown'), neverAborted())).toEqual({
        state: 'declined',
        failure: 'card_not_usable',
      })
    })
  })
}
