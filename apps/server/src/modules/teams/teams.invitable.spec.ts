import { inviteToTeam, listInvitations } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import { title } from '../../testing/declared-endpoints.ts'
import { errorOf, outcome } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { openVerificationLink, signUpUser } from '../auth/auth.fixture.ts'
import { signIn, verifiedIdentity } from '../external-login/external-login.fixture.ts'
import { invite, pendingInvitations } from './teams.fixture.ts'

let world: World
/** A server without external login. */
let withoutGoogle: App
beforeAll(async () => {
  // The provider and openid-client use the system clock.
  world = await createWorld({}, new Date())
  await world.listenAtPublicUrl()
  await world.startWorkers()
  withoutGoogle = await world.anotherApp({ standIns: false, SMTP_URL: 'smtp://127.0.0.1' })
})
afterAll(() => world.close())

/** All are valid in an email address; only the first two rows fit the sign-up form. */
const localParts = [
  ...['plain', 'two.parts', 'under_score', '2026', '_'],
  ...['first+tag', 'two-parts'],
  ...["o'hara", 'a/b=c', 'müller'],
]

describe('an invited address', () => {
  it.each(localParts)(
    'can sign up on a server without external login, or is rejected: %s',
    async (localPart) => {
      const email = `${localPart}@passwords.example.com`
      const owner = await world.user()
      const call = world.client(owner.token, 'en', withoutGoogle)
      const invited = await outcome(call(inviteToTeam, { body: { teamId: owner.teamId, email } }))
      const signUp = await outcome(signUpUser(world, email))
      expect(invited).toBe(signUp)
      expect(await pendingInvitations(owner)).toEqual(signUp === 'ok' ? [email] : [])
      if (signUp !== 'ok') expect(await world.mailsTo(email)).toEqual([])
    },
  )

  it.each(localParts)(
    'can sign up, or log in with the provider that the email names: %s',
    async (localPart) => {
      const email = `${localPart}@providers.example.com`
      const owner = await world.user()
      if ((await outcome(invite(owner, email))) !== 'ok') return expect(localPart).toBe('müller')
      const [mail] = await world.mailsTo(email)
      const byGoogle = mail?.text?.includes('Continue with Google') === true
      const newcomer = byGoogle
        ? await (await signIn(world, verifiedIdentity(email))).logIn()
        : (await signUpUser(world, email)).call
      if (!byGoogle) await openVerificationLink(world, email)
      expect(await newcomer(listInvitations)).toMatchObject([{ teamId: owner.teamId, email }])
    },
  )
})

describe(`${title(inviteToTeam)} without external login`, () => {
  it.each([
    ['en', "This address can't have an account: before the @, only a-z"],
    ['tr', 'Bu adresle hesap açılamaz: @ işaretinden önce yalnızca a-z'],
  ] as const)('explains, in %s, which addresses can sign up', async (locale, start) => {
    const owner = await world.user()
    const call = world.client(owner.token, locale, withoutGoogle)
    const body = { teamId: owner.teamId, email: "o'hara@example.com" }
    const { code, fields } = await errorOf(call(inviteToTeam, { body }))
    expect([code, Object.keys(fields)]).toEqual(['validation_error', ['email']])
    expect(fields.email).toContain(start)
  })

  it('accepts any address that has an account', async () => {
    const owner = await world.user()
    const { email } = await world.user({ email: "o'hara.by.google@example.com" })
    const call = world.client(owner.token, 'en', withoutGoogle)
    await call(inviteToTeam, { body: { teamId: owner.teamId, email } })
    expect(await pendingInvitations(owner)).toEqual([email])
  })
})
