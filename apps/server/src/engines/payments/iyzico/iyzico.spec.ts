import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loggedError } from '../../../log.ts'
import {
  billing,
  card,
  charge,
  customer,
  describePaymentGateway,
  neverAborted,
  tokenOf,
} from '../gateway.fixture.ts'
import type { PaymentGateway } from '../gateway.ts'
import { startIyzicoStandIn } from './iyzico.fixture.ts'
import { createIyzicoGateway } from './iyzico.gateway.ts'

describePaymentGateway('iyzico', async () => {
  const iyzico = await startIyzicoStandIn()
  return {
    gateway: createIyzicoGateway(iyzico.config),
    charges: async (key) =>
      iyzico.payments.filter((payment) => payment.key === key && payment.paymentStatus === 1)
        .length,
    close: () => iyzico.close(),
  }
})

const cardOwner = { customer, billing, association: 'visa' } as const
const endpoints = {
  storeCard: 'POST /cardstorage/card',
  pay: 'POST /payment/auth',
  report: 'GET /v2/reporting/payment/details',
  removeCard: 'DELETE /cardstorage/card',
} as const

describe('iyzico', () => {
  let iyzico: Awaited<ReturnType<typeof startIyzicoStandIn>>
  let gateway: PaymentGateway
  let token: string
  beforeAll(async () => {
    iyzico = await startIyzicoStandIn()
    gateway = createIyzicoGateway(iyzico.config)
    token = await tokenOf(gateway)
  })
  beforeEach(() => iyzico.received.splice(0))
  afterAll(() => iyzico.close())

  const sent = (path: string) => iyzico.received.filter((call) => call.path === path)

  it('receives a card with all required fields', async () => {
    await gateway.tokenise(card(), cardOwner, neverAborted())
    expect(sent('/cardstorage/card')).toMatchObject([
      {
        method: 'POST',
        body: {
          locale: 'en',
          externalId: customer.id,
          email: customer.email,
          card: {
            cardHolderName: 'Ayse Caglar',
            cardNumber: '4242424242424242',
            expireMonth: '03',
            expireYear: '2030',
          },
        },
      },
    ])
  })

  it('receives a charge in dollars with the payment’s id, the stored card and all required fields', async () => {
    const request = charge(token)
    await gateway.charge(request, neverAborted())
    const cityAndCountry = { city: 'Beyoğlu, İstanbul', country: 'Turkey' }
    const address = { contactName: 'Çağlar Ltd.', address: 'İstiklal Caddesi 7', ...cityAndCountry }
    const [cardUserKey, cardToken] = token.split(':')
    expect(sent('/payment/auth').map(({ body }) => body)).toEqual([
      {
        locale: 'en',
        conversationId: request.idempotencyKey,
        basketId: request.idempotencyKey,
        price: '12.3',
        paidPrice: '12.3',
        currency: 'USD',
        installment: 1,
        paymentChannel: 'WEB',
        paymentGroup: 'PRODUCT',
        paymentCard: { cardUserKey, cardToken },
        buyer: {
          id: customer.id,
          name: 'Ayşe Nur',
          surname: 'Çağlar',
          identityNumber: '11111111111',
          email: customer.email,
          registrationAddress: 'İstiklal Caddesi 7',
          ...cityAndCountry,
          ip: '203.0.113.7',
        },
        shippingAddress: address,
        billingAddress: address,
        basketItems: [
          {
            id: request.idempotencyKey,
            price: '12.3',
            name: 'Website hosting',
            category1: 'Hosting',
            itemType: 'VIRTUAL',
          },
        ],
      },
    ])
  })

  it('receives two names and an IP address for a customer with one name and no address', async () => {
    const incomplete = { ...customer, name: 'Ayşe', address: undefined }
    await gateway.charge(charge(token, { customer: incomplete }), neverAborted())
    expect(sent('/payment/auth')[0]?.body.buyer).toMatchObject({
      name: 'Ayşe',
      surname: 'Ayşe',
      ip: '127.0.0.1',
    })
  })

  it('receives the exact amount, although the package parses it as a number', async () => {
    // Up to 100 million dollars. A double is exact to the cent up to 90 trillion dollars.
    const cents = fc.integer({ min: 1, max: 10_000_000_000 })
    const amounts = fc.sample(cents, 30).map((each) => `${BigInt(each) / 100n}.${pad(each)}`)
    for (const amount of amounts) {
      iyzico.received.splice(0)
      await gateway.charge(charge(token, { amount }), neverAborted())
      const [units, decimals = ''] = String(sent('/payment/auth')[0]?.body.price).split('.')
      expect(`${units}.${decimals.padEnd(2, '0')}`).toBe(amount)
    }
  })
  const pad = (cents: number) => String(BigInt(cents) % 100n).padStart(2, '0')

  it('receives the card number only when the card is stored', async () => {
    const token = await tokenOf(gateway)
    const request = charge(token)
    await gateway.charge(request, neverAborted())
    await gateway.find(request.idempotencyKey, neverAborted())
    await gateway.remove(token, neverAborted())
    const matching = iyzico.received.filter(({ text }) => text.includes('4242424242424242'))
    expect(matching.map(({ method, path }) => `${method} ${path}`)).toEqual([endpoints.storeCard])
    expect(iyzico.received).toHaveLength(5)
  })

  it.each([
    ['10051', 'NOT_SUFFICIENT_FUNDS', 'insufficient_funds'],
    ['10054', 'EXPIRED_CARD', 'card_expired'],
    ['10005', 'DO_NOT_HONOUR', 'card_declined'],
    ['10034', 'FRAUD_SUSPECT', 'card_declined'],
    ['10041', 'LOST_CARD', 'card_not_usable'],
    ['10057', 'NOT_PERMITTED_TO_CARDHOLDER', 'card_not_usable'],
    ['10093', 'RESTRICTED_BY_LAW', 'card_not_usable'],
    // A bank's code that we do not list, in a group that we do.
    ['10999', 'NOT_SUFFICIENT_FUNDS', 'insufficient_funds'],
    ['17', undefined, 'card_expired'],
    ['3005', undefined, 'card_not_usable'],
  ])('maps %s %s to the failure %s', async (code, group, failure) => {
    iyzico.respondWith(endpoints.pay, iyzico.failure(code, group))
    expect(await gateway.charge(charge(token), neverAborted())).toEqual({
      state: 'declined',
      failure,
    })
  })

  it.each([
    ['1', undefined],
    ['1001', undefined],
    ['10204', 'UNKNOWN'],
    ['10214', 'COMMUNICATION_OR_SYSTEM_ERROR'],
  ])('leaves the outcome unknown with %s %s', async (code, group) => {
    iyzico.respondWith(endpoints.pay, iyzico.failure(code, group))
    await expect(gateway.charge(charge(token), neverAborted())).rejects.toThrow(
      `iyzico rejected the call (${code}`,
    )
  })

  it.each([
    ['12', 'card_not_usable'],
    ['17', 'card_expired'],
  ])('rejects a card with %s: %s', async (code, failure) => {
    iyzico.respondWith(endpoints.storeCard, iyzico.failure(code))
    expect(await gateway.tokenise(card(), cardOwner, neverAborted())).toEqual({ failure })
  })

  it('leaves the outcome unknown during a fraud review, and declines a rejected payment', async () => {
    const pending = { status: 'success', paymentId: '1', fraudStatus: 0 }
    iyzico.respondWith(endpoints.pay, pending)
    await expect(gateway.charge(charge(token), neverAborted())).rejects.toThrow('still reviewing')
    iyzico.respondWith(endpoints.pay, { ...pending, fraudStatus: -1 })
    expect(await gateway.charge(charge(token), neverAborted())).toMatchObject({ state: 'declined' })

    const report = (...payments: object[]) =>
      iyzico.respondWith(endpoints.report, { status: 'success', payments })
    report({ paymentId: 1, paymentStatus: 1, fraudStatus: 0 })
    await expect(gateway.find('key', neverAborted())).rejects.toThrow('still reviewing')
    report({ paymentId: 1, paymentStatus: 2 })
    await expect(gateway.find('key', neverAborted())).rejects.toThrow('has not finished')
    report({ paymentId: 1, paymentStatus: 0 }, { paymentId: 2, paymentStatus: 1, fraudStatus: 1 })
    expect(await gateway.find('key', neverAborted())).toEqual({ state: 'charged', chargeId: '2' })
  })

  it('does not charge when the status check before it fails, and reports not_charged', async () => {
    const request = charge(token)
    const notCharged = { state: 'declined', failure: 'not_charged', cause: expect.any(Error) }
    iyzico.respondWith(endpoints.report, iyzico.failure('1'))
    expect(await gateway.charge(request, neverAborted())).toEqual(notCharged)
    iyzico.handleNext(endpoints.report, (response) => response.socket?.resetAndDestroy())
    expect(await gateway.charge(request, neverAborted())).toEqual(notCharged)
    // No response until the caller's timeout.
    const controller = new AbortController()
    iyzico.handleNext(endpoints.report, () => controller.abort(new Error('the caller timed out')))
    expect(await gateway.charge(request, controller.signal)).toEqual(notCharged)
    expect(sent('/payment/auth')).toEqual([])
  })

  it('leaves the outcome unknown when the key has a payment in review', async () => {
    const payments = [{ paymentId: 1, paymentStatus: 1, fraudStatus: 0 }]
    iyzico.respondWith(endpoints.report, { status: 'success', payments })
    await expect(gateway.charge(charge(token), neverAborted())).rejects.toThrow('still reviewing')
    expect(sent('/payment/auth')).toEqual([])
  })

  it('rejects a wrong secret key', async () => {
    const foreign = createIyzicoGateway({ ...iyzico.config, secretKey: 'another' })
    await expect(foreign.tokenise(card(), cardOwner, neverAborted())).rejects.toThrow(
      'rejected the call (1001)',
    )
  })

  const calls = {
    [endpoints.storeCard]: () => gateway.tokenise(card(), cardOwner, neverAborted()),
    [endpoints.pay]: () => gateway.charge(charge(token), neverAborted()),
    [endpoints.report]: () => gateway.find('key', neverAborted()),
    [endpoints.removeCard]: () => gateway.remove(token, neverAborted()),
  }
  describe.each(Object.entries(calls))('a failed call of %s', (name, call) => {
    /** Expects an error without card data, as it may be logged and shown. */
    async function rejection() {
      const error = await call().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(Error)
      for (const text of [inspect(error, { depth: 9 }), JSON.stringify(loggedError(error))])
        expect(text).not.toMatch(/4242424242424242|Ayse Caglar/)
      return String(error)
    }

    it('rejects when the connection is reset', async () => {
      iyzico.handleNext(name, (response) => response.socket?.resetAndDestroy())
      expect(await rejection()).toContain('iyzico did not respond (ECONNRESET)')
    })

    it.each([
      ['an HTML page', '<html>502 Bad Gateway 4242424242424242</html>'],
      ['empty', ''],
      ['truncated', '{"status":"succ'],
      ['not an object', '[]'],
      ['without a status', '{"cardNumber":"4242424242424242"}'],
    ])('rejects when the body is %s', async (_what, body) => {
      iyzico.handleNext(name, (response) => void response.writeHead(502).end(body))
      expect(await rejection()).toContain('iyzico sent an unreadable response')
    })

    it('rejects on an API error', async () => {
      iyzico.respondWith(name, iyzico.failure('1001'))
      expect(await rejection()).toContain('iyzico rejected the call (1001)')
    })
  })

  it('rejects when the server is down', async () => {
    const closed = await startIyzicoStandIn()
    await closed.close()
    const unreachable = createIyzicoGateway(closed.config)
    await expect(unreachable.tokenise(card(), cardOwner, neverAborted())).rejects.toThrow(
      'iyzico did not respond (ECONNREFUSED)',
    )
  })

  it('rejects an unexpected response', async () => {
    iyzico.respondWith(endpoints.storeCard, { status: 'success', cardToken: 'token' })
    await expect(gateway.tokenise(card(), cardOwner, neverAborted())).rejects.toThrow(
      'unexpected response',
    )
  })
})
