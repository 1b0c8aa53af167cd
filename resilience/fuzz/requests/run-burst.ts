import { setTimeout as sleep } from 'node:timers/promises'
import { changePassword, endOtherSessions } from '@slipway/contract/account-security'
import { verifyEmail } from '@slipway/contract/auth'
import { checkDomains } from '@slipway/contract/domains'
import type { Endpoint } from '@slipway/contract/endpoint'
import { changeEnvironment } from '@slipway/contract/environment'
import { downloadInvoice, payInvoices } from '@slipway/contract/invoices'
import { createPaymentMethod } from '@slipway/contract/payment-method-forms'
import {
  approveDevice,
  createPersonalToken,
  denyDevice,
  pollDevice,
  viewDevice,
} from '@slipway/contract/personal-tokens'
import {
  createRelease,
  deployImage,
  rollBackRelease,
  updateVersion,
} from '@slipway/contract/releases'
import { exchangeExternalLogin, logout } from '@slipway/contract/sessions'
import { title } from '../../../apps/server/src/testing/declared-endpoints.ts'
import { baseOf, pages } from '../../../apps/server/src/testing/oauth-pages.ts'
import type { Oracle } from '../checks/foreign-data.ts'
import { problemOfPage } from '../checks/page-shape.ts'
import { shapeProblem } from '../checks/shape.ts'
import { countOutcome, type Figures } from '../figures.ts'
import { Finding } from '../finding.ts'
import { markers, ownerOf } from '../population/callers.ts'
import { externalLoginCookie } from '../population/external-codes.ts'
import type { Population } from '../population/population.ts'
import { recordChange } from '../population/resources.ts'
import type { Burst, Call } from './calls.ts'
import { encode } from './encodings.ts'
import { pathOf, resolve } from './resolve.ts'
import type { createSender, FuzzResponse, Outgoing } from './send.ts'
import type { Value } from './value.ts'

/**
 * In milliseconds. A slower response is a hang if it repeats in `maxAttempts` attempts in a row.
 */
const hangAfter = 2_000
export const maxAttempts = 5
/** The pause before another attempt, in which a busy machine may recover. */
export const retryPause = 1_000

export type Target = {
  port: number
  /** The server has the usual rate limit, so 429 is expected. */
  limited: boolean
}

export type Fuzzed = {
  population: Population
  oracle: Oracle
  figures: Figures
  send: ReturnType<typeof createSender>['send']
}

type Sent = {
  call: Call
  outgoing: Outgoing
  params: Record<string, Value>
  response: FuzzResponse
}

async function sendCall(
  call: Call,
  { port }: Target,
  { population, figures, send }: Fuzzed,
): Promise<Sent> {
  const { endpoint, caller } = call
  const marker = markers[ownerOf(endpoint, caller)] ?? ''
  const resolveValue = (value: Value) => resolve(value, caller, marker, population.lookUp)
  const params = (await resolveValue(call.params)) as Record<string, Value>
  const query = (await resolveValue(call.query)) as Record<string, Value>
  const body = await resolveValue(call.body)
  const token = population.tokenOf(call)
  const encoded = body === undefined ? undefined : encode(call.encoding, body)
  const outgoing: Outgoing = {
    port,
    method: endpoint.method,
    path: `${baseOf(endpoint)}${pathOf(endpoint.path, params, query)}`,
    headers: {
      ...(endpoint === exchangeExternalLogin ? { cookie: externalLoginCookie } : {}),
      ...call.headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(encoded?.type === undefined ? {} : { 'content-type': encoded.type }),
      ...(encoded?.coding === undefined ? {} : { 'content-encoding': encoded.coding }),
      ...(encoded === undefined ? {} : { 'content-length': encoded.bytes.length }),
    },
    ...(encoded === undefined ? {} : { body: encoded.bytes }),
  }
  figures.requests++
  const response = await send(outgoing).catch((error: Error) => {
    throw new Finding(
      error.name === 'TimeoutError' ? 'hang' : 'broken connection',
      title(endpoint),
      `${outgoing.method} ${outgoing.path.slice(0, 300)}: ${error.message}`,
    )
  })
  countOutcome(figures, endpoint, response.status, response.body.toString())
  return { call, outgoing, params, response }
}

/** The endpoints that end sessions of the user: the caller's own or the others. */
const endsSessions: ReadonlySet<Endpoint> = new Set<Endpoint>([
  logout,
  endOtherSessions,
  changePassword,
])

/**
 * Endpoints with their own limit: variables, passwords, cards, payments, PDFs, releases, tokens and
 * codes.
 */
const withOwnLimit: ReadonlySet<Endpoint> = new Set<Endpoint>([
  changeEnvironment,
  changePassword,
  verifyEmail,
  createPaymentMethod,
  payInvoices,
  downloadInvoice,
  createRelease,
  deployImage,
  rollBackRelease,
  updateVersion,
  checkDomains,
  createPersonalToken,
  viewDevice,
  approveDevice,
  denyDevice,
  pollDevice,
])

/** Throws a finding if the response breaks a rule; otherwise records its resources. */
async function check({ call, outgoing, params, response }: Sent, target: Target, fuzzed: Fuzzed) {
  const { population, oracle, figures } = fuzzed
  const { endpoint, caller } = call
  const { status, body } = response
  const owner = ownerOf(endpoint, caller)
  const where = title(endpoint)
  const text = body.toString()
  const summary = `${outgoing.method} ${outgoing.path.slice(0, 300)} → ${status} ${text.slice(0, 500)}`

  if (isShed(response)) return
  if (status >= 500) throw new Finding('server error', where, summary)
  if (status === 429 && text.includes('too_many_requests')) {
    if (!target.limited && !withOwnLimit.has(endpoint))
      throw new Finding('overload without a limit', where, summary)
    figures.limited++
  }
  const mayMissRoute = /\/(?:\/|$)|\/(?=[?])/.test(outgoing.path)
  const problem = pages.includes(endpoint)
    ? problemOfPage(endpoint, response)
    : shapeProblem(endpoint, response, mayMissRoute)
  if (problem !== undefined) throw new Finding('wrong shape', where, `${problem}: ${summary}`)

  // Operators may see the data of all users in their own requests.
  if (endpoint.access === 'operator' && caller === 'operator') return
  const sent = `${outgoing.path} ${outgoing.body?.toString() ?? ''}`.toLowerCase()
  const foreign = oracle.foreignDataIn(caller, text, sent)
  if (foreign !== undefined)
    throw new Finding('foreign data', where, `${foreign} shown to ${caller}: ${summary}`)
  if (status >= 300) return
  oracle.learn(owner, text, sent)
  if (endsSessions.has(endpoint)) await population.renewSession(caller)
  const isJson = response.headers['content-type']?.startsWith('application/json') === true
  recordChange(
    population.resources,
    owner,
    endpoint,
    params as Record<string, string>,
    isJson ? JSON.parse(text) : undefined,
  )
}

/** 503 with Retry-After: the server says that it is overloaded. */
const isShed = ({ status, headers }: FuzzResponse) =>
  status === 503 && headers['retry-after'] !== undefined

async function sendAll({ order, calls }: Burst, target: Target, fuzzed: Fuzzed): Promise<Sent[]> {
  if (order === 'at once') return Promise.all(calls.map((call) => sendCall(call, target, fuzzed)))
  const sent: Sent[] = []
  for (const call of calls) sent.push(await sendCall(call, target, fuzzed))
  return sent
}

/**
 * Sends a burst and checks each response. Slow and shed responses are a finding only if they
 * repeat: a single one may come from a busy machine.
 */
export async function runBurst(burst: Burst, target: Target, fuzzed: Fuzzed): Promise<void> {
  const { figures } = fuzzed
  for (let attempt = 1; ; attempt++) {
    const sent = await sendAll(burst, target, fuzzed)
    for (const each of sent) await check(each, target, fuzzed)
    const slow = sent.find(({ response }) => response.milliseconds > hangAfter)
    const shed = sent.find(({ response }) => isShed(response))
    figures.slowest = Math.max(
      figures.slowest,
      ...sent.map(({ response }) => response.milliseconds),
    )
    if (!slow && !shed) return
    if (attempt < maxAttempts) {
      if (slow) figures.slowOnce++
      if (shed) figures.shed++
      await sleep(retryPause)
      continue
    }
    const { call, outgoing, response } = (slow ?? shed) as Sent
    throw new Finding(
      slow ? 'hang' : 'overload without a limit',
      title(call.endpoint),
      `${outgoing.method} ${outgoing.path.slice(0, 300)}: ${response.status} after ${Math.round(response.milliseconds)} ms`,
    )
  }
}
