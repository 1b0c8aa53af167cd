import { getProfile } from '@slipway/contract/account'
import { signUp } from '@slipway/contract/auth'
import { login } from '@slipway/contract/sessions'
import { listTeams } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, refused } from '../../testing/matchers.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { address, mailedToken, password, signedUp, verified, verify } from './auth.fixture.ts'
import { mailTokens } from './auth.schema.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.work()
})
afterAll(() => world.close())

describe('POST /auth/email/sign-up', () => {
  it('gives a session, a team of one’s own and a verification mail', async () => {
    const { email, call } = await signedUp(world)
    const mails = await world.mailsTo(email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(`${world.env.PUBLIC_URL}/auth/verify?token=`)
    expect(await refusal(call(getProfile))).toBe('user_not_verified')
    await verify(world, email)
    expect(await call(getProfile)).toMatchObject({ name: 'Some Body', email, loginKind: 'Email' })
    expect(await call(listTeams)).toMatchObject([{ name: "Some Body's team" }])
  })

  it('writes the mail and names the team in the language of the sign-up', async () => {
    const { email, call } = await signedUp(world, address(), 'tr')
    expect((await world.mailsTo(email))[0]?.subject).toBe('Slipway hesabınızı doğrulayın')
    await verify(world, email)
    expect((await call(listTeams))[0]?.name).toBe('Some Body ekibi')
  })

  it('stores one account when the same address signs up twice at once', async () => {
    const email = address()
    const tries = await Promise.allSettled([
      signedUp(world, email),
      signedUp(world, email),
      signedUp(world, email),
    ])
    expect(tries.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
    expect(await world.mailsTo(email)).toHaveLength(1)
  })

  it('compares addresses in lower case', async () => {
    const { email } = await signedUp(world)
    const again = world.guest(signUp, {
      body: {
        name: 'Some Body',
        email: ` ${email.toUpperCase()} `,
        password,
        __captcha_solution__: await world.captcha(),
      },
    })
    expect(await refusal(again)).toBe('email_already_exists')
  })

  it('gives different user names to equal local parts, also at once', async () => {
    const users = await Promise.all(
      ['a', 'b', 'c'].map((host) => verified(world, `same.name@${host}.example.com`)),
    )
    const names = await Promise.all(
      users.map(async ({ call }) => (await call(getProfile)).username),
    )
    expect(names.sort()).toEqual(['same.name', 'same.name.2', 'same.name.3'])
  })

  it('gives a free user name to whoever signs up beside people called like their next number', async () => {
    const names = ['many', 'many.2', 'many.7', `many.${'9'.repeat(50)}`, 'many.sites']
    for (const name of names) await world.user({ email: `${name}@first.example.com` })
    const signUps = ['many@b', 'many@c', 'many.2@b', 'many.sites@b', 'man@b', 'many.2@c']
    const people = await Promise.all(
      signUps.map(async (start) =>
        (await verified(world, `${start}.example.com`)).call(getProfile),
      ),
    )
    const given = people.map(({ username }) => username)
    expect(new Set([...given, ...names]).size).toBe(signUps.length + names.length)
    expect(given.slice(3, 5)).toEqual(['many.sites.2', 'man'])
    expect(given.slice(0, 2).sort()).toEqual([
      `many.1${'0'.repeat(50)}`,
      `many.1${'0'.repeat(49)}1`,
    ])
  })

  it('says what is wrong with every field, in both languages', async () => {
    const wrong = {
      name: ' a ',
      email: 'A b@example.com',
      password: 'short',
      __captcha_solution__: {},
    }
    const english = await refused(world.guest(signUp, { body: wrong as never }))
    expect(english.code).toBe('validation_error')
    expect(english.fields).toEqual({
      name: 'Please enter your name',
      email: 'Please enter your email',
      password:
        'Please enter your password with at least 8 characters long and containing at least a lower cased letter, an upper cased letter, a number and a symbol',
      __captcha_solution__: 'Please verify that you are not a robot',
    })
    const turkish = await refused(world.client(null, 'tr')(signUp, { body: wrong as never }))
    expect(turkish.fields.name).toBe('Lütfen adınızı girin')
  })

  it('spends the captcha on an address that exists, so that one does not try out many', async () => {
    const { email } = await signedUp(world)
    const solution = await world.captcha()
    const body = { name: 'Some Body', email, password, __captcha_solution__: solution }
    expect(await refusal(world.guest(signUp, { body }))).toBe('email_already_exists')
    const other = { ...body, email: address() }
    expect(await refusal(world.guest(signUp, { body: other }))).toBe('validation_error')
  })
})

describe('the log and the database', () => {
  it('hold no password and no token', async () => {
    const { email, token } = await signedUp(world)
    const mailed = await mailedToken(world, email, '/auth/verify')
    await world.guest(login, { body: { email, password: 'Wrong-horse7' } }).catch(() => undefined)
    await world
      .client(token)(getProfile)
      .catch(() => undefined)
    const log = world.logged.join('')
    for (const secret of [password, 'Wrong-horse7', token, mailed])
      expect(log).not.toContain(secret)
    const rows = await world.ctx.db.select().from(mailTokens)
    expect(JSON.stringify(rows)).not.toContain(mailed)
  })
})
