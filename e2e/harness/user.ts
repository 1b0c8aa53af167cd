import { randomBytes } from 'node:crypto'
import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { type Client, createClient } from '@slipway/contract/client'
import { listTeams } from '@slipway/contract/teams'
import type { Locale } from '@slipway/phrases'
import { mailedToken } from './mailbox.ts'

export const password = 'Correct-horse7'

/** An email address without an account. */
export const newEmail = () => `user.${randomBytes(6).toString('hex')}@example.com`

export type TestUser = {
  name: string
  email: string
  password: string
  token: string
  /** The URL of the server that stores the user. */
  serverUrl: string
  call: Client
}

/** Signs a user up through the API and, unless `verified` is false, verifies the email address. */
export async function createUser(
  url: string,
  {
    name = 'Ada Example',
    email = newEmail(),
    verified = true,
    locale = 'en',
  }: { name?: string; email?: string; verified?: boolean; locale?: Locale } = {},
): Promise<TestUser> {
  let token: string | null = null
  const call = createClient({ base: `${url}/api`, token: () => token, locale: () => locale })
  const challenge = await call(getCaptchaChallenge)
  const number = solveCaptcha(challenge)
  if (number === null) throw new Error('the challenge has no solution')
  const session = await call(signUp, {
    body: { name, email, password, __captcha_solution__: { ...challenge, number } },
  })
  token = session.token
  if (verified)
    await call(verifyEmail, { body: { token: await mailedToken(url, email, 'verify') } })
  return { name, email, password, token: session.token, serverUrl: url, call }
}

/** The team that sign-up creates. */
export async function ownTeam(user: TestUser) {
  const [team] = await user.call(listTeams)
  if (!team) throw new Error('the user has no team')
  return team
}
