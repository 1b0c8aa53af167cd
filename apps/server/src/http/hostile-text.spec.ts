import type { Endpoint } from '@slipway/contract/endpoint'
import { limits } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as siteClients from '../modules/site-clients/site-clients.service.ts'
import { declaredEndpoints, hasJsonBody, title } from '../testing/declared-endpoints.ts'
import { tokenPage } from '../testing/oauth-pages.ts'
import { createWorld, type TestUser, type World } from '../testing/world.ts'
import { createInputs, fieldsOf, fill, type JsonSchema } from './bad-input.fixture.ts'

const operatorEmail = 'operator@example.com'

let world: World
let user: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: [operatorEmail] })
  user = await world.user({ email: operatorEmail })
})
afterAll(() => world.close())

const { exampleFields, badBodies } = createInputs(() => user)

/** Texts that, repeated, slow down a careless regular expression, decoder or case folding. */
const patterns = [
  '%25',
  '%2525',
  '%7a',
  '4-4-',
  '4',
  '4  ',
  '4\u200d',
  'GB29 NWBK ',
  'AA00-',
  'a.',
  'a-',
  'a@',
  '.',
  '-',
  '+',
  '1e',
  '0.',
  '00:',
  ' ',
  '\t',
  '\r\n',
  '\u200d',
  '\u0301',
  'İ',
  '\ufdfa',
  '👩‍🚀',
  '\\',
  '(',
  '<a ',
  '&x=',
  '{"a":',
]

/** The pattern repeated to a length in characters, with an end that no pattern has. */
const repeat = (pattern: string, length: number) =>
  `${pattern
    .repeat(Math.ceil(length / pattern.length))
    .slice(0, length - 1)
    .toWellFormed()}!`

/** The bytes that remain for one field of a body. */
const maxBodyTextBytes = limits.bodyBytes - 2_000
/** The bytes that remain for one text in the percent-encoded target: Node accepts 16 KiB. */
const maxTargetTextBytes = 15_000

const bytesIn = (text: string) => Buffer.byteLength(JSON.stringify(text))
const bytesInTarget = (text: string) => encodeURIComponent(text).length

/** The longest text of a pattern that fits. */
function longest(pattern: string, maxBytes: number, measure: (text: string) => number) {
  const bytesEach = measure(pattern.repeat(100)) / 100 / pattern.length
  return repeat(pattern, Math.min(maxBytes, Math.floor(maxBytes / bytesEach)))
}

/** The lengths to try: the field's own limit, and the longest that the request can carry. */
function* textsFor({ maxLength }: JsonSchema, maxBytes: number, measure: (text: string) => number) {
  for (const pattern of patterns) {
    const text = longest(pattern, maxBytes, measure)
    if (maxLength !== undefined && maxLength < text.length) yield repeat(pattern, maxLength)
    yield text
  }
}

async function measureRequest(
  { method }: Endpoint,
  path: string,
  { query = '', body, form }: { query?: string; body?: unknown; form?: string } = {},
) {
  // Resets the attempt limit.
  world.clock.forward(serviceLimits.attemptWindow)
  const payload = form ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const before = process.threadCpuUsage()
  const response = await world.app.server.app.inject({
    method,
    url: `/api${path}${query}`,
    headers: {
      authorization: `Bearer ${user.token}`,
      ...(payload === undefined ? {} : { 'content-type': type }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
  const { user: own, system } = process.threadCpuUsage(before)
  return { status: response.statusCode, milliseconds: (own + system) / 1000 }
}

type Outcome = Awaited<ReturnType<typeof measureRequest>>

/** Milliseconds for the garbage collector. The texts that this test must find took 600 and more. */
const allowance = 60
/** Runs per text; the cheapest counts, because an expensive text is expensive in every run. */
const maxRuns = 5

async function expectCheap(send: (text: string) => Promise<Outcome>, text: string, field: string) {
  const plain = await send('a'.repeat(text.length))
  const limitMs = plain.milliseconds * 5 + allowance
  const message = `${field}: ${JSON.stringify(text.slice(0, 20))} × ${text.length}`
  // The minimum of several runs: the others include garbage collection and JIT compilation.
  let least = Number.POSITIVE_INFINITY
  for (let count = 0; count < maxRuns && least >= limitMs; count++) {
    const hostile = await send(text)
    expect(hostile.status, message).toBeLessThan(500)
    least = Math.min(least, hostile.milliseconds)
  }
  expect(least, message).toBeLessThan(limitMs)
}

const endpoints = (await declaredEndpoints()).filter(
  ({ path, query, body }) => query || body || path.includes(':'),
)

describe.each(endpoints.map((endpoint) => [title(endpoint), endpoint] as const))(
  '%s',
  (_name, endpoint) => {
    const examplePath = fill(endpoint, 'nope')

    if (hasJsonBody(endpoint))
      it('costs no more for a hostile text in the body than for a plain one', async () => {
        const texts = (schema: JsonSchema) => textsFor(schema, maxBodyTextBytes, bytesIn)
        for (const { field, bad, value } of badBodies(fieldsOf(endpoint.body), texts)) {
          const template = JSON.stringify(value)
          const send = (text: string) =>
            measureRequest(endpoint, examplePath, {
              body: JSON.parse(template.replace(JSON.stringify(bad), () => JSON.stringify(text))),
            })
          await expectCheap(send, bad, field)
        }
      })

    if (endpoint.query)
      it('costs no more for a hostile text in the query than for a plain one', async () => {
        const fields = fieldsOf(endpoint.query)
        for (const [field, schema] of Object.entries(fields))
          for (const hostile of textsFor(schema, maxTargetTextBytes, bytesInTarget)) {
            const others = exampleFields(fields) as Record<string, string>
            const send = (text: string) =>
              measureRequest(endpoint, examplePath, {
                query: `?${new URLSearchParams({ ...others, [field]: text })}`,
              })
            await expectCheap(send, hostile, field)
          }
      })

    if (endpoint.path.includes(':'))
      it('costs no more for a hostile text in the path than for a plain one', async () => {
        const input = hasJsonBody(endpoint) ? { body: exampleFields(fieldsOf(endpoint.body)) } : {}
        for (const hostile of textsFor({}, maxTargetTextBytes, bytesInTarget))
          await expectCheap(
            (text) => measureRequest(endpoint, fill(endpoint, encodeURIComponent(text)), input),
            hostile,
            'path',
          )
      })
  },
)

describe(title(tokenPage), () => {
  /** The form of a site with its own credentials, so that every field is read. */
  async function validForm() {
    const { id, key } = await world.project({ teamId: user.teamId })
    return {
      grant_type: 'authorization_code',
      code: 'x'.repeat(43),
      redirect_uri: `http://${key}.localhost/`,
      client_id: key,
      client_secret: await siteClients.clientSecret(world.ctx, id),
      code_verifier: 'x'.repeat(43),
    }
  }

  it('costs no more for a hostile text in a field than for a plain one', async () => {
    const form = await validForm()
    for (const field of Object.keys(form))
      for (const hostile of textsFor({}, maxBodyTextBytes, bytesInTarget))
        await expectCheap(
          (text) =>
            measureRequest(tokenPage, tokenPage.path, {
              form: new URLSearchParams({ ...form, [field]: text }).toString(),
            }),
          hostile,
          field,
        )
  })

  it('costs no more for a hostile form than for a plain one', async () => {
    for (const part of [
      '&',
      '=',
      'a=1&',
      'code=x&',
      '%',
      '%25',
      '%2',
      '+',
      'a[]=1&',
      '__proto__=1&',
    ])
      await expectCheap(
        (text) => measureRequest(tokenPage, tokenPage.path, { form: text }),
        repeat(part, maxBodyTextBytes),
        'form',
      )
  })
})

describe('headers', () => {
  it.each([
    'authorization',
    'accept-language',
    'accept-encoding',
    'content-type',
    'cookie',
    'host',
  ])('a hostile %s costs no more than a plain one', async (name) => {
    const send = async (value: string): Promise<Outcome> => {
      const before = process.threadCpuUsage()
      const { statusCode: status } = await world.app.server.app.inject({
        method: 'POST',
        url: '/api/auth/email/login',
        headers: { 'content-type': 'application/json', [name]: value },
        payload: '{}',
      })
      const { user: own, system } = process.threadCpuUsage(before)
      return { status, milliseconds: (own + system) / 1000 }
    }
    const parts = [...patterns, ',', ';', ';q=', '; charset', 'Bearer ', 'en-', '"', '[']
    for (const part of parts.filter((text) => /^[\x20-\x7e]+$/.test(text)))
      await expectCheap(send, repeat(part, maxTargetTextBytes), name)
  })
})
