import type { Endpoint } from '@slipway/contract/endpoint'
import { errors } from '@slipway/contract/errors'
import { serviceLimits } from '@slipway/contract/service-limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { declaredEndpoints, hasJsonBody, title } from '../testing/declared-endpoints.ts'
import { createWorld, type TestUser, type World } from '../testing/world.ts'
import { createInputs, fieldsOf, fill, type JsonSchema } from './bad-input.fixture.ts'

const staff = 'operator@example.com'

let world: World
let user: TestUser
beforeAll(async () => {
  world = await createWorld({ OPERATOR_EMAILS: [staff] })
  user = await world.user({ email: staff })
})
afterAll(() => world.close())

const { exampleFields, badBodies } = createInputs(() => user)

const badTexts = [
  '',
  '\0',
  'abc\0def',
  '\ud800',
  'abc\udc00',
  '\ud800@example.com',
  'x'.repeat(10_000),
]
const badValues = [...badTexts, 7, -1, 1e300, true, null, {}, { x: '\0' }, [], ['\ud800']]
/** Percent-encoded for a URL. */
const oddParts = [
  '%00',
  'abc%00def',
  '%ED%A0%80',
  '%',
  'x'.repeat(10_000),
  '%2e%2e%2f',
  '%F0%9F%9A%80',
]

type Outcome = { status: number; error: string }

/** Sends a request that our client would not send. */
async function send(
  { method }: Endpoint,
  path: string,
  { query = '', body }: { query?: string; body?: unknown } = {},
): Promise<Outcome> {
  // Resets the attempt limit.
  world.clock.forward(serviceLimits.attemptWindow)
  const response = await world.app.server.app.inject({
    method,
    url: `/api${path}${query}`,
    headers: {
      authorization: `Bearer ${user.token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const { error = '' } = response.statusCode < 300 ? {} : response.json()
  return { status: response.statusCode, error }
}

function expectDeclaredOutcome({ status, error }: Outcome, what: string) {
  expect(status, what).toBeLessThan(500)
  if (status >= 300) expect(errors, what).toHaveProperty(error, status)
}

const endpoints = (await declaredEndpoints()).filter(
  ({ path, query, body }) => query || body || path.includes(':'),
)

describe.each(endpoints.map((endpoint) => [title(endpoint), endpoint] as const))(
  '%s',
  (_name, endpoint) => {
    const missingPath = fill(endpoint, 'nope')

    if (hasJsonBody(endpoint))
      it('a bad value in any field of the body is accepted or a declared error', async () => {
        for (const { field, value } of badBodies(fieldsOf(endpoint.body), () => badValues))
          expectDeclaredOutcome(
            await send(endpoint, missingPath, { body: value }),
            `${field}: ${JSON.stringify(value).slice(0, 200)}`,
          )
      })

    if (endpoint.query)
      it('a bad value in any field of the query is accepted or a declared error', async () => {
        for (const field of Object.keys(fieldsOf(endpoint.query)))
          for (const part of [...oddParts, `1&${field}=2`])
            expectDeclaredOutcome(
              await send(endpoint, missingPath, { query: `?${field}=${part}` }),
              `${field}=${part.slice(0, 50)}`,
            )
      })

    if (endpoint.path.includes(':'))
      it('a malformed path parameter is not found', async () => {
        const query = `?${new URLSearchParams(exampleFields(fieldsOf(endpoint.query)) as Record<string, string>)}`
        const input = hasJsonBody(endpoint)
          ? { query, body: exampleFields(fieldsOf(endpoint.body)) }
          : { query }
        for (const part of oddParts)
          expectDeclaredOutcome(
            await send(endpoint, fill(endpoint, part), input),
            part.slice(0, 50),
          )
        const missingOutcome = await send(endpoint, missingPath, input)
        for (const part of ['%00', 'abc%00def', 'x'.repeat(10_000)])
          expect(await send(endpoint, fill(endpoint, part), input)).toEqual(missingOutcome)
      })
  },
)

/** The largest value of PostgreSQL's `integer`: a larger one is an error of the statement. */
const maxInteger = 2 ** 31 - 1

/** The names of integer fields that have no maximum, or one above `maxInteger`. */
const unboundedIntegers = (properties: Record<string, JsonSchema>): string[] =>
  Object.entries(properties).flatMap(([name, { type, maximum, properties: deeper = {} }]) => [
    ...(type === 'integer' && !(maximum !== undefined && maximum <= maxInteger) ? [name] : []),
    ...unboundedIntegers(deeper),
  ])

describe('whole numbers of every body and query', () => {
  it('have a maximum that the database can store', () => {
    const unbounded = endpoints.flatMap((endpoint) =>
      [endpoint.body, endpoint.query]
        .flatMap((schema) => unboundedIntegers(fieldsOf(schema)))
        .map((name) => `${title(endpoint)}: ${name}`),
    )
    expect(unbounded).toEqual([])
  })
})
