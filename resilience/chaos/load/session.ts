import { setTimeout as sleep } from 'node:timers/promises'
import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import type { TeamId } from '@slipway/contract/teams'
import { listTeams } from '@slipway/contract/teams'
import { until } from '../../../apps/server/src/testing/until.ts'
import { newEmail, password } from '../../../e2e/harness/user.ts'
import type { Random } from '../../harness/random.ts'
import type { Product } from '../product/product.ts'
import { createField } from './attempt.ts'
import { type Caller, createCaller } from './caller.ts'
import type { Journal, UserEntry } from './journal.ts'

const retryDelay = 300

export type Session = Pick<Caller, 'call' | 'callUntilKnown'> & {
  operator: Caller
  entry: UserEntry
  teamId: TeamId
}

async function trySignUp({ call, need }: Caller, email: string) {
  const challenge = await need(getCaptchaChallenge, {})
  const number = solveCaptcha(challenge)
  if (number === null) throw new Error('the challenge has no solution')
  const body = { name: 'Example', email, password }
  return call(signUp, { body: { ...body, __captcha_solution__: { ...challenge, number } } })
}

/**
 * Signs up, and returns the email address. After an unknown outcome it uses another address, as a
 * user may.
 */
async function signUpOnce(caller: Caller): Promise<string> {
  for (;;) {
    const email = newEmail()
    const attempt = await trySignUp(caller, email)
    if (attempt.outcome === 'acknowledged') {
      caller.signIn(attempt.result.token)
      return email
    }
    await sleep(retryDelay)
  }
}

/** The token of the verification email; null if it is rejected, or the run ends before. */
const emailedToken = (
  { mailServer: { accepted, rejected } }: Product,
  email: string,
  ended: AbortSignal,
) =>
  until(() => {
    if (ended.aborted || rejected.some(({ to }) => to === email)) return null
    const mail = accepted.find(
      ({ to, text }) => to === email && text.includes('/auth/verify?token='),
    )
    return /\/auth\/verify\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  })

/**
 * Signs a user up, as the console would: a call without a response is retried. Undefined if the
 * mail server rejects the verification email, or the run ends before it arrives.
 */
export async function startSession(
  product: Product,
  random: Random,
  journal: Journal,
  ended: AbortSignal,
): Promise<Session | undefined> {
  const caller = createCaller(product, random, journal)
  const email = await signUpOnce(caller)
  const name = createField('Example')
  const entry: UserEntry = {
    email,
    name,
    projects: [],
    tickets: [],
    cards: [],
    payments: [],
    isAged: false,
  }
  journal.users.push(entry)

  const token = await emailedToken(product, email, ended)
  if (token === null) return undefined
  const verified = await caller.callUntilKnown(verifyEmail, { body: { token } })
  // The first of two calls may have succeeded without a response.
  if (verified.outcome === 'rejected' && verified.code !== 'already_verified')
    journal.unexpected.push(`${email}: the emailed link is rejected: ${verified.code}`)
  const [team] = await caller.need(listTeams, {})
  if (!team) throw new Error('a user without a team')
  const operator = createCaller(product, random, journal)
  operator.signIn(product.operatorToken)
  const { call, callUntilKnown } = caller
  return { entry, teamId: team.id, call, callUntilKnown, operator }
}
