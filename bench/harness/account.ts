import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { createClient } from '@slipway/contract/client'
import { createProject, viewProject } from '@slipway/contract/projects'
import { createTicket } from '@slipway/contract/support'
import { listTeams } from '@slipway/contract/teams'
import * as mailbox from '../../e2e/harness/mailbox.ts'

export type Account = Awaited<ReturnType<typeof createAccount>>

/** Signs a user up through the API; the email address is not verified yet. */
export async function signUpOn(url: string) {
  let token: string | null = null
  const call = createClient({ base: `${url}/api`, token: () => token, locale: () => 'en' })
  const challenge = await call(getCaptchaChallenge)
  const number = solveCaptcha(challenge)
  if (number === null) throw new Error('a challenge without a solution')
  const email = `example.${process.hrtime.bigint()}@example.com`
  const session = await call(signUp, {
    body: {
      name: 'Example',
      email,
      password: 'Correct-horse7',
      __captcha_solution__: { ...challenge, number },
    },
  })
  token = session.token
  return {
    token: session.token,
    call,
    mailedToken: () => mailbox.mailedToken(url, email, 'verify'),
  }
}

/** Signs a user up and verifies the email address. */
export async function createAccount(url: string) {
  const { token, call, mailedToken } = await signUpOn(url)
  await call(verifyEmail, { body: { token: await mailedToken() } })
  const [team] = await call(listTeams)
  if (!team) throw new Error('a user without a team')
  return {
    token,
    teamId: team.id,
    call,
    createProject: (name: string) =>
      call(createProject, { body: { name, teamId: team.id, regionId: 'eu', domain: null } }),
    openTicket: (subject: string) =>
      call(createTicket, { body: { subject, message: 'See https://example.com/page, please.' } }),
    viewProject: (key: string) => call(viewProject, { params: { key } }),
  }
}
