import { randomBytes } from 'node:crypto'
import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { type Client, createClient } from '@slipway/contract/client'
import { listTeams } from '@slipway/contract/teams'
import { mailedToken } from './mailbox.ts'

export const password = 'Correct-horse7'

/** An address that nobody has signed up with. */
export const newEmail = () => `person.${randomBytes(6).toString('hex')}@example.com`

export type Person = {
  name: string
  email: string
  password: string
  token: string
  /** Calls the API as this person. */
  call: Client
}

/** Somebody who has signed up, by calls instead of screens, and followed the mailed link. */
export async function createPerson(
  url: string,
  {
    name = 'Ada Example',
    email = newEmail(),
    verified = true,
  }: { name?: string; email?: string; verified?: boolean } = {},
): Promise<Person> {
  let token: string | null = null
  const call = createClient({ base: `${url}/api`, token: () => token, locale: () => 'en' })
  const challenge = await call(getCaptchaChallenge)
  const number = solveCaptcha(challenge)
  if (number === null) throw new Error('the challenge has no solution')
  const session = await call(signUp, {
    body: { name, email, password, __captcha_solution__: { ...challenge, number } },
  })
  token = session.token
  if (verified)
    await call(verifyEmail, { body: { token: await mailedToken(url, email, 'verify') } })
  return { name, email, password, token: session.token, call }
}

/** The team that everybody has from the start. */
export async function ownTeam(person: Person) {
  const [team] = await person.call(listTeams)
  if (!team) throw new Error('a person without a team')
  return team
}
