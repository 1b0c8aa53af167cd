import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Body = Record<string, unknown>

type Received = { method: string; path: string; query: URLSearchParams; body: Body; text: string }

const keys = { apiKey: 'api-key', secretKey: 'secret-key' }

/** Card numbers of iyzico's sandbox. */
const declinedCard = '4000000000000002'
const timeoutCard = '4000000000000341'

const invalidRequest = '11'
const invalidSignature = '1001'
const cardNotFound = '3005'
const doNotHonour = '10005'

/**
 * Responses from iyzico's documentation (https://docs.iyzico.com/en), shortened to the fields in
 * use.
 */
const responses = {
  success: { status: 'success', locale: 'en', systemTime: 1698048416625 },
  failure: (errorCode: string, errorGroup?: string) => ({
    status: 'failure',
    errorCode,
    errorMessage: 'Declined for 4242424242424242',
    ...(errorGroup === undefined ? {} : { errorGroup }),
    locale: 'en',
    systemTime: 1698048416625,
  }),
}

/** True for a valid signature (https://docs.iyzico.com/en, "HMACSHA256 Auth"). */
function isSigned(request: IncomingMessage, path: string, text: string) {
  const [scheme, encoded = ''] = (request.headers.authorization ?? '').split(' ')
  const random = String(request.headers['x-iyzi-rnd'])
  const signature = createHmac('sha256', keys.secretKey)
    .update(random + path + text)
    .digest('hex')
  const expected = `apiKey:${keys.apiKey}&randomKey:${random}&signature:${signature}`
  return scheme === 'IYZWSv2' && Buffer.from(encoded, 'base64').toString() === expected
}

type StoredCard = { number: string; userKey: string }
type Payment = { key: string; paymentId: string; paymentStatus: number; fraudStatus: number }

/**
 * A stand-in for iyzico on its own port: cards, payments and reports, with the sandbox's card
 * numbers. Like iyzico's, its payments are not idempotent.
 */
export async function startIyzicoStandIn() {
  const cards = new Map<string, StoredCard>()
  const payments: Payment[] = []
  const received: Received[] = []
  /** Handlers for the next request to an endpoint, instead of the usual one. */
  const overrides = new Map<string, (response: ServerResponse) => void>()

  function addCard(body: Body) {
    const { cardNumber } = body.card as { cardNumber: string }
    const [userKey, cardToken] = [`user${cards.size}=`, `token${cards.size}=`]
    cards.set(cardToken, { number: cardNumber, userKey })
    return { ...responses.success, externalId: body.externalId, cardUserKey: userKey, cardToken }
  }

  function removeCard({ cardToken }: Body) {
    // "Card Storage Error Messages start with 3000".
    return cards.delete(String(cardToken)) ? responses.success : responses.failure(cardNotFound)
  }

  function pay(body: Body, response: ServerResponse) {
    const { cardToken, cardUserKey } = body.paymentCard as Record<string, string>
    const card = cards.get(cardToken ?? '')
    if (card?.userKey !== cardUserKey) return responses.failure(cardNotFound)
    const declined = card?.number === declinedCard
    const payment = {
      key: String(body.conversationId),
      paymentId: String(25168803 + payments.length),
      paymentStatus: declined ? 0 : 1,
      fraudStatus: 1,
    }
    payments.push(payment)
    if (declined) return responses.failure(doNotHonour, 'DO_NOT_HONOUR')
    if (card?.number === timeoutCard) {
      response.flushHeaders()
      return undefined
    }
    const { paymentId, fraudStatus } = payment
    return { ...responses.success, price: 12.3, paidPrice: 12.3, paymentId, fraudStatus }
  }

  const report = (query: URLSearchParams) => ({
    ...responses.success,
    payments: payments
      .filter(({ key }) => key === query.get('paymentConversationId'))
      .map(({ key, paymentId, ...rest }) => ({
        paymentId: Number(paymentId),
        paymentConversationId: key,
        ...rest,
      })),
  })

  const handlers: Record<string, (call: Received, response: ServerResponse) => object | undefined> =
    {
      'POST /cardstorage/card': ({ body }) => addCard(body),
      'DELETE /cardstorage/card': ({ body }) => removeCard(body),
      'POST /payment/auth': ({ body }, response) => pay(body, response),
      'GET /v2/reporting/payment/details': ({ query }) => report(query),
    }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '', 'http://iyzico')
    const chunks = await request.toArray()
    const text = Buffer.concat(chunks).toString()
    const call: Received = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      body: JSON.parse(text || '{}'),
      text,
    }
    received.push(call)
    const name = `${call.method} ${call.path}`
    const override = overrides.get(name)
    overrides.delete(name)
    if (override) return override(response)
    const handler = handlers[name]
    const body = !handler
      ? responses.failure(invalidRequest)
      : isSigned(request, call.path, text)
        ? handler(call, response)
        : responses.failure(invalidSignature)
    if (body) response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  }

  const server = createServer((request, response) => void respond(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo

  return {
    config: { uri: `http://127.0.0.1:${port}`, ...keys },
    received,
    payments,
    failure: responses.failure,
    /** Sends this JSON body as the response to the next request to an endpoint. */
    respondWith(name: keyof typeof handlers & string, body: unknown) {
      overrides.set(name, (response) => void response.end(JSON.stringify(body)))
    },
    /** Handles the next request to an endpoint, such as `POST /payment/auth`. */
    handleNext: (name: string, handle: (response: ServerResponse) => void) =>
      overrides.set(name, handle),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
