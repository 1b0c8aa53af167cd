import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { createClient } from '@slipway/contract/client'
import { createProject, viewProject } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import { listTeams } from '@slipway/contract/teams'
import { expect } from 'vitest'
import type { startMailServer } from '../modules/mail/mail.fixture.ts'
import { zipOf } from './archives.ts'
import { until } from './until.ts'

type MailServer = Awaited<ReturnType<typeof startMailServer>>
type Call = ReturnType<typeof createClient>

/** Signs a user up at a service that runs elsewhere, with the link of the email. */
export async function signUpAt(origin: string, mailServer: MailServer) {
  let token: string | null = null
  const call = createClient({ base: `${origin}/api`, token: () => token, locale: () => 'en' })
  const challenge = await call(getCaptchaChallenge)
  const number = solveCaptcha(challenge)
  if (number === null) throw new Error('the challenge has no solution')
  const body = { name: 'Ada', email: 'ada@example.com', password: 'Correct-horse7' }
  const session = await call(signUp, {
    body: { ...body, __captcha_solution__: { ...challenge, number } },
  })
  token = session.token
  const emailed = await until(() => {
    const text = mailServer.received[0]?.replaceAll('=\r\n', '')
    return /verify\?token=(?:3D)?([\w-]+)/.exec(text ?? '')?.[1]
  })
  await call(verifyEmail, { body: { token: emailed } })
  return { call, token: session.token }
}

/** Creates a static site with this page; resolves once it is live. */
export async function createLiveSite(call: Call, page: string) {
  const [team] = await call(listTeams)
  const { id, key } = await call(createProject, {
    body: {
      name: 'Site',
      teamId: team?.id ?? expect.unreachable(),
      regionId: 'eu',
      domain: null,
      runtime: 'static',
    },
  })
  const files = new Uint8Array(zipOf({ 'index.html': page }))
  const { number } = await call(createRelease, {
    params: { id },
    query: { runtime: 'static' },
    body: new Blob([files], { type: 'application/zip' }),
  })
  await until(async () => {
    const { state, failure } = await call(viewRelease, { params: { id, number: String(number) } })
    expect(failure).toBeNull()
    return state === 'live'
  })
  const view = () => call(viewProject, { params: { key } })
  await until(async () => (await view()).state === 'ready')
  return { id, key, view }
}
