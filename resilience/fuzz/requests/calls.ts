import type { Endpoint } from '@slipway/contract/endpoint'
import fc from 'fast-check'
import { hasJsonBody, title } from '../../../apps/server/src/testing/declared-endpoints.ts'
import { pages } from '../../../apps/server/src/testing/oauth-pages.ts'
import { type CallerName, callerNames, memberNames } from '../population/callers.ts'
import { type Encoding, encodings } from './encodings.ts'
import { bodyOf, paramsOf, queryOf } from './inputs.ts'
import type { Value } from './value.ts'

type Credential = 'session' | 'personal token'

/** A generated request, before its references are looked up. */
export type Call = {
  endpoint: Endpoint
  caller: CallerName
  credential: Credential
  params: { [name: string]: Value }
  query: { [name: string]: Value }
  body: Value
  encoding: Encoding
  headers: Record<string, string>
}

/** Calls that are sent at once, or one after the other. */
export type Burst = { order: 'at once' | 'in turn'; calls: Call[] }

const unusualHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom<
  Record<string, string>[]
>(
  { accept: 'text/html' },
  { accept: 'application/pdf' },
  { accept: 'text/event-stream' },
  { accept: 'text/event-stream', 'last-event-id': '2026112217-000000000000' },
  { accept: 'text/event-stream', 'last-event-id': '../../../../etc/passwd' },
  { accept: ';;q=9' },
  { 'accept-language': 'tr' },
  { 'accept-language': `${'x-'.repeat(500)}y` },
  { 'accept-language': '*;q=0, zz;q=1e9' },
  { 'accept-encoding': 'br;q=1, gzip, *;q=0' },
  { 'x-forwarded-for': '10.0.0.1, unknown' },
  { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'javascript' },
  { origin: 'https://evil.example.com' },
  { origin: 'null', 'access-control-request-method': 'DELETE' },
  { expect: '100-continue' },
  { expect: 'x' },
  { range: 'bytes=0-1,5-2' },
  { 'if-none-match': '*' },
  { 'if-modified-since': 'x' },
  { cookie: `${'a=b; '.repeat(200)}=;;` },
  { 'x-request-id': '\'"<>' },
  { 'x-http-method-override': 'DELETE' },
  { 'content-language': '\xff\xfe' },
)

/** True for an endpoint that hashes a password, sends an email, prints a PDF or starts a site. */
const isCostly = (endpoint: Endpoint) =>
  (endpoint.access === 'public' && endpoint.method === 'POST') ||
  /\/pdf\/|\/project\/create$|\/release\/create\/|\/environment\/|\/password\//.test(endpoint.path)

/** Mostly a caller who may call: the others are rejected before anything is read. */
const caller = (endpoint: Endpoint): fc.Arbitrary<CallerName> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary:
        endpoint.access === 'operator'
          ? fc.constant<CallerName>('operator')
          : fc.constantFrom(...memberNames),
    },
    fc.constantFrom(...callerNames),
  )

/** Mostly the kind of credential that the endpoint accepts. */
function credential({ access }: Endpoint): fc.Arbitrary<Credential> {
  const usual = { token: 1, project: 4 }[access as string] ?? 12
  return fc.oneof(
    { weight: usual, arbitrary: fc.constant<Credential>('session') },
    { weight: access === 'token' ? 8 : 1, arbitrary: fc.constant<Credential>('personal token') },
  )
}

function usualEncoding(endpoint: Endpoint): Encoding {
  if (pages.includes(endpoint)) return 'a form'
  return hasJsonBody(endpoint) ? 'json' : 'a file'
}

function callOf(endpoint: Endpoint): fc.Arbitrary<Call> {
  return fc.record({
    endpoint: fc.constant(endpoint),
    caller: caller(endpoint),
    credential: credential(endpoint),
    params: paramsOf(endpoint),
    query: queryOf(endpoint),
    body: bodyOf(endpoint),
    encoding: fc.oneof(
      { weight: 12, arbitrary: fc.constant(usualEncoding(endpoint)) },
      fc.constantFrom(...(Object.keys(encodings) as Encoding[])),
    ),
    headers: fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, unusualHeaders),
  })
}

/** One to ten calls, or the same call two to ten times. */
export function bursts(endpoints: readonly Endpoint[]): fc.Arbitrary<Burst> {
  const call = fc.oneof(
    ...endpoints.map((endpoint) => ({
      weight: isCostly(endpoint) ? 1 : 4,
      arbitrary: callOf(endpoint),
    })),
  )
  const repeatedCall = fc
    .tuple(call, fc.integer({ min: 2, max: 10 }))
    .map(([each, count]) => Array.from({ length: count }, () => each))
  return fc.record({
    order: fc.constantFrom('at once', 'in turn'),
    calls: fc.oneof(
      { weight: 3, arbitrary: fc.array(call, { minLength: 1, maxLength: 10 }) },
      repeatedCall,
    ),
  })
}

/** A burst as a report shows it. */
export const describeBurst = ({ order, calls }: Burst) => ({
  order,
  calls: calls.map(({ endpoint, ...rest }) => ({ endpoint: title(endpoint), ...rest })),
})
