import { setTimeout as sleep } from 'node:timers/promises'
import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { createClient } from '@slipway/contract/client'
import type { Endpoint, RequestOf, ResponseOf } from '@slipway/contract/endpoint'
import type { TeamId } from '@slipway/contract/teams'
import { listTeams } from '@slipway/contract/teams'
import { until } from '../../../apps/server/src/testing/until.ts'
import { newEmail, password } from '../../../e2e/harness/user.ts'
import type { Random } from '../../harness/random.ts'
import type { Product } from '../product/product.ts'
import { type Attempt, attempt, createField } from './attempt.ts'
import type { Journal, UserEntry } from './journal.ts'

/** A call without a response in this time has an unknown outcome. */
const responseTimeout = 60_000
const retryDelay = 300

/** A client whose request may be empty. */
type Send = <E extends Endpoint>(endpoint: E, request: RequestOf<E>) => Promise<ResponseOf<E>>

export type Session = NonNullable<Awaited<ReturnType<typeof startSession>>>

/**
 * Signs a user up, as its console would: what has no response is tried again. Undefined if the mail
 * server rejects the verification email, or the run ends before it arrives.
 */
export async function startSession(
  product: Product,
  random: Random,
  journal: Journal,
  ended: AbortSignal,
) {
  let token: string | null = null
  const clients = product.urls.map((url) =>
    createClient({
      base: `${url}/api`,
      token: () => token,
      locale: () => 'en',
      fetch: (to, init) => fetch(to, { ...init, signal: AbortSignal.timeout(responseTimeout) }),
    }),
  )

  /** Calls one of the web servers, and counts the outcome. */
  async function call<E extends Endpoint>(
    endpoint: E,
    request: RequestOf<E>,
  ): Promise<Attempt<ResponseOf<E>>> {
    const client = random.pick(clients)
    if (!client) throw new Error('there is no web server')
    const result = await attempt((client as Send)(endpoint, request))
    journal[result.outcome]++
    if (result.outcome === 'rejected' && result.code === 'unauthorized' && token !== null)
      journal.unexpected.push(`${email}: ${endpoint.path} is rejected as unauthorized`)
    return result
  }

  /** The same until there is an outcome; for calls that may be sent twice. */
  async function callUntilKnown<E extends Endpoint>(endpoint: E, request: RequestOf<E>) {
    for (;;) {
      const result = await call(endpoint, request)
      if (result.outcome !== 'unknown') return result
      await sleep(retryDelay)
    }
  }

  async function need<E extends Endpoint>(endpoint: E, request: RequestOf<E>) {
    const result = await callUntilKnown(endpoint, request)
    if (result.outcome !== 'acknowledged')
      throw new Error(`${endpoint.path} is rejected: ${result.code}`)
    return result.result
  }

  async function trySignUp(address: string) {
    const challenge = await need(getCaptchaChallenge, {})
    const number = solveCaptcha(challenge)
    if (number === null) throw new Error('the challenge has no solution')
    const body = { name: 'Example', email: address, password }
    return call(signUp, { body: { ...body, __captcha_solution__: { ...challenge, number } } })
  }

  // A sign-up of unknown outcome is left alone, as by a user who takes another address.
  let email = newEmail()
  for (let result = await trySignUp(email); ; result = await trySignUp(email)) {
    if (result.outcome === 'acknowledged') {
      token = result.result.token
      break
    }
    await sleep(retryDelay)
    email = newEmail()
  }
  const entry: UserEntry = {
    email,
    name: createField('Example'),
    projects: [],
    tickets: [],
    cards: [],
    payments: [],
  }
  journal.users.push(entry)

  const { accepted, rejected } = product.mailServer
  const mailed = await until(() => {
    if (ended.aborted || rejected.some(({ to }) => to === email)) return null
    const mail = accepted.find(
      ({ to, text }) => to === email && text.includes('/auth/verify?token='),
    )
    return /\/auth\/verify\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  })
  if (mailed === null) return undefined
  const verified = await callUntilKnown(verifyEmail, { body: { token: mailed } })
  // The first of two may have succeeded without a response.
  if (verified.outcome === 'rejected' && verified.code !== 'already_verified')
    journal.unexpected.push(`${email}: the emailed link is rejected: ${verified.code}`)
  const [team] = await need(listTeams, {})
  if (!team) throw new Error('a user without a team')
  return { entry, teamId: team.id as TeamId, call, callUntilKnown }
}
