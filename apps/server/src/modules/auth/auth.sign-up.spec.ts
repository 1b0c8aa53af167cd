import { getProfile } from '@slipway/contract/account'
import { signUp } from '@slipway/contract/auth'
import { login } from '@slipway/contract/sessions'
import { listTeams } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { errorCodeOf, errorOf, outcome } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import {
  mailedToken,
  openVerificationLink,
  password,
  signUpUser,
  signUpVerifiedUser,
  unusedEmail,
} from './auth.fixture.ts'
import { emailTokens } from './auth.schema.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.startWorkers()
})
afterAll(() => world.close())

describe(title(signUp), () => {
  it('creates a session, the user’s own team and a verification email', async () => {
    const { email, call } = await signUpUser(world)
    const mails = await world.mailsTo(email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(`${world.env.PUBLIC_URL}/auth/verify?token=`)
    expect(await errorCodeOf(call(getProfile))).toBe('user_not_verified')
    await openVerificationLink(world, email)
    expect(await call(getProfile)).toMatchObject({ name: 'Test User', email, loginKind: 'Email' })
    expect(await call(listTeams)).toMatchObject([{ name: "Test User's team" }])
  })

  it('writes the email and names the team in the language of the sign-up', async () => {
    const { email, call } = await signUpUser(world, unusedEmail(), 'tr')
    expect((await world.mailsTo(email))[0]?.subject).toBe('Slipway hesabınızı doğrulayın')
    await openVerificationLink(world, email)
    expect((await call(listTeams))[0]?.name).toBe('Test User ekibi')
  })

  it('stores one account for concurrent sign-ups with one address', async () => {
    const email = unusedEmail()
    const results = await Promise.allSettled([
      signUpUser(world, email),
      signUpUser(world, email),
      signUpUser(world, email),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await world.mailsTo(email)).toHaveLength(1)
  })

  it('compares addresses case-insensitively', async () => {
    const { email } = await signUpUser(world)
    const secondSignUp = world.guest(signUp, {
      body: {
        name: 'Test User',
        email: ` ${email.toUpperCase()} `,
        password,
        __captcha_solution__: await world.captcha(),
      },
    })
    expect(await errorCodeOf(secondSignUp)).toBe('email_already_exists')
  })

  it('gives different usernames to equal local parts, even concurrently', async () => {
    const users = await Promise.all(
      ['a', 'b', 'c'].map((host) => signUpVerifiedUser(world, `same.name@${host}.example.com`)),
    )
    const names = await Promise.all(
      users.map(async ({ call }) => (await call(getProfile)).username),
    )
    expect(names.sort()).toEqual(['same.name', 'same.name.2', 'same.name.3'])
  })

  it('skips numbered usernames that come from addresses', async () => {
    const names = ['many', 'many.2', 'many.7', `many.${'9'.repeat(50)}`, 'many.sites']
    for (const name of names) await world.user({ email: `${name}@first.example.com` })
    const signUps = ['many@b', 'many@c', 'many.2@b', 'many.sites@b', 'man@b', 'many.2@c']
    const profiles = await Promise.all(
      signUps.map(async (addressStart) =>
        (await signUpVerifiedUser(world, `${addressStart}.example.com`)).call(getProfile),
      ),
    )
    const usernames = profiles.map(({ username }) => username)
    expect(new Set([...usernames, ...names]).size).toBe(signUps.length + names.length)
    expect(usernames.slice(3, 5)).toEqual(['many.sites.2', 'man'])
    expect(usernames.slice(0, 2).sort()).toEqual([
      `many.1${'0'.repeat(50)}`,
      `many.1${'0'.repeat(49)}1`,
    ])
  })

  it('returns a message for every field, in both languages', async () => {
    const wrong = {
      name: ' a ',
      email: 'A b@example.com',
      password: 'short',
      __captcha_solution__: {},
    }
    const english = await errorOf(world.guest(signUp, { body: wrong as never }))
    expect(english.code).toBe('validation_error')
    expect(english.fields).toEqual({
      name: 'Please enter your name',
      email: 'Please enter your email',
      password:
        'Please enter your password with at least 8 characters long and containing at least a lower cased letter, an upper cased letter, a number and a symbol',
      __captcha_solution__: 'Please verify that you are not a robot',
    })
    const turkish = await errorOf(world.client(null, 'tr')(signUp, { body: wrong as never }))
    expect(turkish.fields.name).toBe('Adınızı girin')
  })

  it('rejects one of the most common passwords, and leaves the captcha usable', async () => {
    const body = {
      name: 'Test User',
      email: unusedEmail(),
      password: 'Password1!',
      __captcha_solution__: await world.captcha(),
    }
    const { fields } = await errorOf(world.guest(signUp, { body }))
    expect(fields).toEqual({ password: m.form_common_password({}, { locale: 'en' }) })
    expect(await outcome(world.guest(signUp, { body: { ...body, password } }))).toBe('ok')
  })

  it('uses up the captcha when the address exists', async () => {
    const { email } = await signUpUser(world)
    const solution = await world.captcha()
    const body = { name: 'Test User', email, password, __captcha_solution__: solution }
    expect(await errorCodeOf(world.guest(signUp, { body }))).toBe('email_already_exists')
    const otherBody = { ...body, email: unusedEmail() }
    expect(await errorCodeOf(world.guest(signUp, { body: otherBody }))).toBe('validation_error')
  })
})

describe('the log and the database', () => {
  it('contain no password and no token', async () => {
    const { email, token } = await signUpUser(world)
    const mailed = await mailedToken(world, email, '/auth/verify')
    await world.guest(login, { body: { email, password: 'Wrong-horse7' } }).catch(() => undefined)
    await world
      .client(token)(getProfile)
      .catch(() => undefined)
    const log = world.logged.join('')
    for (const secret of [password, 'Wrong-horse7', token, mailed])
      expect(log).not.toContain(secret)
    const rows = await world.ctx.db.select().from(emailTokens)
    expect(JSON.stringify(rows)).not.toContain(mailed)
  })
})
