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
import { startIyzico } from './iyzico.fixture.ts'
import { createIyzicoGateway } from './iyzico.gateway.ts'

describePaymentGateway('iyzico', async () => {
  const iyzico = await startIyzico()
  return {
    gateway: createIyzicoGateway(iyzico.config),
    charges: async (key) =>
      iyzico.payments.filter((payment) => payment.key === key && payment.paymentStatus === 1)
        .length,
    close: () => iyzico.close(),
  }
})

const of = { customer, billing, association: 'visa' } as const
const [storing, paying, asking, removing] = [
  'POST /cardstorage/card',
  'POST /payment/auth',
  'GET /v2/reporting/payment/details',
  'DELETE /cardstorage/card',
]

describe('iyzico', () => {
  let iyzico: Awaited<ReturnType<typeof startIyzico>>
  let gateway: PaymentGateway
  let token: string
  beforeAll(async () => {
    iyzico = await startIyzico()
    gateway = createIyzicoGateway(iyzico.config)
    token = await tokenOf(gateway)
  })
  beforeEach(() => iyzico.received.splice(0))
  afterAll(() => iyzico.close())

  const sent = (path: string) => iyzico.received.filter((call) => call.path === path)

  it('gets a card with what its documentation asks for', async () => {
    await gateway.tokenise(card(), of, neverAborted())
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

  it('gets a charge in dollars with the payment’s id, the stored card and all that is mandatory', async () => {
    const asked = charge(token)
    await gateway.charge(asked, neverAborted())
    const place = { city: 'Beyoğlu, İstanbul', country: 'Turkey' }
    const address = { contactName: 'Çağlar Ltd.', address: 'İstiklal Caddesi 7', ...place }
    const [cardUserKey, cardToken] = token.split(':')
    expect(sent('/payment/auth').map(({ body }) => body)).toEqual([
      {
        locale: 'en',
        conversationId: asked.idempotencyKey,
        basketId: asked.idempotencyKey,
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
          ...place,
          ip: '203.0.113.7',
        },
        shippingAddress: address,
        billingAddress: address,
        basketItems: [
          {
            id: asked.idempotencyKey,
            price: '12.3',
            name: 'Website hosting',
            category1: 'Hosting',
            itemType: 'VIRTUAL',
          },
        ],
      },
    ])
  })

  it('gets two names and an address also of whoever has one name and no address', async () => {
    const nobody = { ...customer, name: 'Ayşe', address: undefined }
    await gateway.charge(charge(token, { customer: nobody }), neverAborted())
    expect(sent('/payment/auth')[0]?.body.buyer).toMatchObject({
      name: 'Ayşe',
      surname: 'Ayşe',
      ip: '127.0.0.1',
    })
  })

  it('gets the same amount to the cent, though the package reads it as a number', async () => {
    // A hundred million dollars, in cents: far below where a double loses one.
    const cents = fc.integer({ min: 1, max: 10_000_000_000 })
    const amounts = fc.sample(cents, 30).map((each) => `${BigInt(each) / 100n}.${pad(each)}`)
    for (const amount of amounts) {
      iyzico.received.splice(0)
      await gateway.charge(charge(token, { amount }), neverAborted())
      const [whole, decimals = ''] = String(sent('/payment/auth')[0]?.body.price).split('.')
      expect(`${whole}.${decimals.padEnd(2, '0')}`).toBe(amount)
    }
  })
  const pad = (cents: number) => String(BigInt(cents) % 100n).padStart(2, '0')

  it('gets the number with the card and in no other call', async () => {
    const own = await tokenOf(gateway)
    const asked = charge(own)
    await gateway.charge(asked, neverAborted())
    await gateway.find(asked.idempotencyKey, neverAborted())
    await gateway.remove(own, neverAborted())
    const holding = iyzico.received.filter(({ text }) => text.includes('4242424242424242'))
    expect(holding.map(({ method, path }) => `${method} ${path}`)).toEqual([storing])
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
    // Another bank's code of a group that is known.
    ['10999', 'NOT_SUFFICIENT_FUNDS', 'insufficient_funds'],
    ['17', undefined, 'card_expired'],
    ['3005', undefined, 'card_not_usable'],
  ])('says with %s %s that the charge failed: %s', async (code, group, failure) => {
    iyzico.answerWith(paying, iyzico.failure(code, group))
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
  ])('leaves open with %s %s whether it charged', async (code, group) => {
    iyzico.answerWith(paying, iyzico.failure(code, group))
    await expect(gateway.charge(charge(token), neverAborted())).rejects.toThrow(
      `iyzico refused the call (${code}`,
    )
  })

  it.each([
    ['12', 'card_not_usable'],
    ['17', 'card_expired'],
  ])('says with %s that it does not take a card: %s', async (code, failure) => {
    iyzico.answerWith(storing, iyzico.failure(code))
    expect(await gateway.tokenise(card(), of, neverAborted())).toEqual({ failure })
  })

  it('leaves a payment open that it still looks at, and one that it declines is none', async () => {
    const looked = { status: 'success', paymentId: '1', fraudStatus: 0 }
    iyzico.answerWith(paying, looked)
    await expect(gateway.charge(charge(token), neverAborted())).rejects.toThrow('still looking')
    iyzico.answerWith(paying, { ...looked, fraudStatus: -1 })
    expect(await gateway.charge(charge(token), neverAborted())).toMatchObject({ state: 'declined' })

    const report = (...payments: object[]) =>
      iyzico.answerWith(asking, { status: 'success', payments })
    report({ paymentId: 1, paymentStatus: 1, fraudStatus: 0 })
    await expect(gateway.find('key', neverAborted())).rejects.toThrow('still looking')
    report({ paymentId: 1, paymentStatus: 2 })
    await expect(gateway.find('key', neverAborted())).rejects.toThrow('has not finished')
    report({ paymentId: 1, paymentStatus: 0 }, { paymentId: 2, paymentStatus: 1, fraudStatus: 1 })
    expect(await gateway.find('key', neverAborted())).toEqual({ state: 'charged', chargeId: '2' })
  })

  it('does not charge when it cannot be asked whether it has heard of the key, and says so', async () => {
    const asked = charge(token)
    const notCharged = { state: 'declined', failure: 'not_charged', cause: expect.any(Error) }
    iyzico.answerWith(asking, iyzico.failure('1'))
    expect(await gateway.charge(asked, neverAborted())).toEqual(notCharged)
    iyzico.answerBy(asking, (response) => response.socket?.resetAndDestroy())
    expect(await gateway.charge(asked, neverAborted())).toEqual(notCharged)
    // No answer at all, until the caller's patience ends.
    const leaving = new AbortController()
    iyzico.answerBy(asking, () => leaving.abort(new Error('the caller timed out')))
    expect(await gateway.charge(asked, leaving.signal)).toEqual(notCharged)
    expect(sent('/payment/auth')).toEqual([])
  })

  it('leaves open whether it charged when it has heard of the key and is not done with it', async () => {
    const payments = [{ paymentId: 1, paymentStatus: 1, fraudStatus: 0 }]
    iyzico.answerWith(asking, { status: 'success', payments })
    await expect(gateway.charge(charge(token), neverAborted())).rejects.toThrow('still looking')
    expect(sent('/payment/auth')).toEqual([])
  })

  it('is not asked with other keys than its own', async () => {
    const foreign = createIyzicoGateway({ ...iyzico.config, secretKey: 'another' })
    await expect(foreign.tokenise(card(), of, neverAborted())).rejects.toThrow(
      'refused the call (1001)',
    )
  })

  const calls = {
    [storing]: () => gateway.tokenise(card(), of, neverAborted()),
    [paying]: () => gateway.charge(charge(token), neverAborted()),
    [asking]: () => gateway.find('key', neverAborted()),
    [removing]: () => gateway.remove(token, neverAborted()),
  }
  describe.each(Object.entries(calls))('as %s', (name, call) => {
    /** What came of the call may be logged and shown: nothing of the card is in it. */
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

    it('rejects for a connection that is reset', async () => {
      iyzico.answerBy(name, (response) => response.socket?.resetAndDestroy())
      expect(await rejection()).toContain('iyzico gave no answer (ECONNRESET)')
    })

    it.each([
      ['a page', '<html>502 Bad Gateway 4242424242424242</html>'],
      ['nothing', ''],
      ['half an answer', '{"status":"succ'],
      ['no object', '[]'],
      ['no status', '{"cardNumber":"4242424242424242"}'],
    ])('rejects for %s', async (_what, body) => {
      iyzico.answerBy(name, (response) => void response.writeHead(502).end(body))
      expect(await rejection()).toContain('iyzico gave an answer that cannot be read')
    })

    it('rejects for an error that is nobody’s fault but ours', async () => {
      iyzico.answerWith(name, iyzico.failure('1001'))
      expect(await rejection()).toContain('iyzico refused the call (1001)')
    })
  })

  it('rejects for a server that is not there', async () => {
    const gone = await startIyzico()
    await gone.close()
    const nowhere = createIyzicoGateway(gone.config)
    await expect(nowhere.tokenise(card(), of, neverAborted())).rejects.toThrow(
      'iyzico gave no answer (ECONNREFUSED)',
    )
  })

  it('rejects for an answer of another shape', async () => {
    iyzico.answerWith(storing, { status: 'success', cardToken: 'token' })
    await expect(gateway.tokenise(card(), of, neverAborted())).rejects.toThrow('another shape')
  })
})
