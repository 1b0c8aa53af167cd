import { getProfile } from '@slipway/contract/account'
import {
  forgotPassword,
  login,
  logout,
  resetPassword,
  sendVerifyEmail,
  signUp,
  verifyEmail,
} from '@slipway/contract/auth'
import { getCaptchaChallenge } from '@slipway/contract/captcha'
import { day, hour, limits, minute } from '@slipway/contract/limits'
import { listTeams } from '@slipway/contract/teams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal, refused } from '../../testing/matchers.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import * as captcha from '../captcha/captcha.service.ts'
import { mailTokens } from './auth.schema.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.work()
})
afterAll(() => world.close())

const password = 'Correct-horse7'
let addresses = 0
const address = () => `somebody${++addresses}@example.com`

/** A user who signed up through the API, as a person does. */
async function signedUp(email = address(), locale = 'en') {
  const { token } = await world.client(null, locale)(signUp, {
    body: { name: 'Some Body', email, password, __captcha_solution__: await world.captcha() },
  })
  return { email, token, call: world.client(token) }
}

async function mailedToken(email: string, path: string) {
  const mails = await until(async () => {
    const found = (await world.mailsTo(email)).filter((mail) => mail.text?.includes(path))
    return found.length > 0 && found
  })
  const url = /https?:\/\/\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
  return new URL(url).searchParams.get('token') ?? ''
}

async function verified(email = address()) {
  const user = await signedUp(email)
  await world.guest(verifyEmail, { body: { token: await mailedToken(email, '/auth/verify') } })
  return user
}

describe('POST /auth/email/sign-up', () => {
  it('gives a session, a team of one’s own and a verification mail', async () => {
    const { email, call } = await signedUp()
    const mails = await world.mailsTo(email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain(`${world.env.PUBLIC_URL}/auth/verify?token=`)
    expect(await refusal(call(getProfile))).toBe('user_not_verified')
    await world.guest(verifyEmail, { body: { token: await mailedToken(email, '/auth/verify') } })
    expect(await call(getProfile)).toMatchObject({ name: 'Some Body', email, loginKind: 'Email' })
    expect(await call(listTeams)).toMatchObject([{ name: "Some Body's team" }])
  })

  it('writes the mail and names the team in the language of the sign-up', async () => {
    const { email, call } = await signedUp(address(), 'tr')
    expect((await world.mailsTo(email))[0]?.subject).toBe('Slipway hesabınızı doğrulayın')
    await world.guest(verifyEmail, { body: { token: await mailedToken(email, '/auth/verify') } })
    expect((await call(listTeams))[0]?.name).toBe('Some Body ekibi')
  })

  it('stores one account when the same address signs up twice at once', async () => {
    const email = address()
    const tries = await Promise.allSettled([signedUp(email), signedUp(email), signedUp(email)])
    expect(tries.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
    expect(await world.mailsTo(email)).toHaveLength(1)
  })

  it('compares addresses in lower case', async () => {
    const { email } = await signedUp()
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
      ['a', 'b', 'c'].map((host) => verified(`same.name@${host}.example.com`)),
    )
    const names = await Promise.all(
      users.map(async ({ call }) => (await call(getProfile)).username),
    )
    expect(names.sort()).toEqual(['same.name', 'same.name.2', 'same.name.3'])
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

  it('takes each captcha once, also on two servers at once', async () => {
    const other = await world.anotherApp()
    const solution = await world.captcha()
    const accepted = await Promise.all([
      captcha.accept(world.ctx, solution),
      captcha.accept(other.ctx, solution),
      captcha.accept(world.ctx, solution),
    ])
    expect(accepted.filter(Boolean)).toHaveLength(1)
  })

  it('refuses a captcha that is expired, unsolved, forged or not ours', async () => {
    const solution = await world.captcha()
    expect(await captcha.accept(world.ctx, { ...solution, number: solution.number + 1 })).toBe(
      false,
    )
    const [salt = ''] = solution.salt.split('?')
    expect(
      await captcha.accept(world.ctx, { ...solution, salt: `${salt}?expires=99999999999` }),
    ).toBe(false)
    expect(await captcha.accept(world.ctx, { ...solution, signature: 'x' })).toBe(false)
    world.clock.forward(limits.captchaLifetime + 1000)
    expect(await captcha.accept(world.ctx, solution)).toBe(false)
    const body = { name: 'Some Body', email: address(), password, __captcha_solution__: solution }
    const answer = await refused(world.guest(signUp, { body }))
    expect(answer.fields).toEqual({
      __captcha_solution__: 'Please verify that you are not a robot',
    })
  })

  it('spends the captcha on an address that exists, so that one does not try out many', async () => {
    const { email } = await signedUp()
    const solution = await world.captcha()
    const body = { name: 'Some Body', email, password, __captcha_solution__: solution }
    expect(await refusal(world.guest(signUp, { body }))).toBe('email_already_exists')
    const other = { ...body, email: address() }
    expect(await refusal(world.guest(signUp, { body: other }))).toBe('validation_error')
  })
})

describe('GET /guest/captcha/challenge', () => {
  it('gives a challenge that expires in five minutes, and no answer with it', async () => {
    const challenge = await world.guest(getCaptchaChallenge)
    expect(Object.keys(challenge).sort()).toEqual([
      'algorithm',
      'challenge',
      'maxnumber',
      'salt',
      'signature',
    ])
    const expires = Number(new URLSearchParams(challenge.salt.split('?')[1]).get('expires'))
    expect(expires * 1000 - world.clock.now().getTime()).toBeGreaterThan(4 * minute)
    expect(expires * 1000 - world.clock.now().getTime()).toBeLessThanOrEqual(5 * minute)
  })
})

describe('POST /auth/email/verify', () => {
  it('works once, and then says that the account is verified', async () => {
    const { email } = await signedUp()
    const token = await mailedToken(email, '/auth/verify')
    const answers = await Promise.allSettled([
      world.guest(verifyEmail, { body: { token } }),
      world.guest(verifyEmail, { body: { token } }),
    ])
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    expect(await refusal(world.guest(verifyEmail, { body: { token } }))).toBe('already_verified')
  })

  it('refuses an unknown token, an expired one and one made for something else', async () => {
    expect(await refusal(world.guest(verifyEmail, { body: { token: 'nonsense' } }))).toBe(
      'invalid_token',
    )
    const { email } = await signedUp()
    const token = await mailedToken(email, '/auth/verify')
    const reset = world.guest(resetPassword, { body: { password, token } })
    expect(await refusal(reset)).toBe('invalid_token')
    world.clock.forward(day)
    expect(await refusal(world.guest(verifyEmail, { body: { token } }))).toBe('invalid_token')
  })

  it('answers invalid_params when there is no token', async () => {
    expect(await refusal(world.guest(verifyEmail, { body: {} as never }))).toBe('invalid_params')
    expect(await refusal(world.guest(verifyEmail, { body: { token: 7 } as never }))).toBe(
      'invalid_params',
    )
  })

  it('counts at once on a server that knew the session as unverified', async () => {
    const { email, call } = await signedUp()
    expect(await refusal(call(getProfile))).toBe('user_not_verified')
    await world.guest(verifyEmail, { body: { token: await mailedToken(email, '/auth/verify') } })
    expect((await call(getProfile)).email).toBe(email)
  })
})

describe('POST /auth/email/send-verify', () => {
  it('mails the link again, three mails in 15 minutes at most', async () => {
    const { email, token } = await signedUp()
    await world.guest(sendVerifyEmail, { body: { token } })
    await world.guest(sendVerifyEmail, { body: { token } })
    const refusedCall = await refused(world.guest(sendVerifyEmail, { body: { token } }))
    expect([refusedCall.code, refusedCall.status]).toEqual(['action_limit_reached', 429])
    expect(await world.mailsTo(email)).toHaveLength(3)
    world.clock.forward(limits.attemptWindow)
    await world.guest(sendVerifyEmail, { body: { token } })
    expect(await world.mailsTo(email)).toHaveLength(4)
  })

  it('is exact when asked for many times at once', async () => {
    const { email, token } = await signedUp()
    await Promise.allSettled(
      Array.from({ length: 8 }, () => world.guest(sendVerifyEmail, { body: { token } })),
    )
    expect(await world.mailsTo(email)).toHaveLength(3)
  })

  it('refuses verified users and unknown tokens', async () => {
    const { token } = await verified()
    expect(await refusal(world.guest(sendVerifyEmail, { body: { token } }))).toBe(
      'already_verified',
    )
    expect(await refusal(world.guest(sendVerifyEmail, { body: { token: 'x' } }))).toBe(
      'unauthorized',
    )
  })
})

describe('POST /auth/email/login', () => {
  it('gives a session for the right password, in any case of the address', async () => {
    const { email } = await verified()
    const { token } = await world.guest(login, { body: { email: email.toUpperCase(), password } })
    expect((await world.client(token)(getProfile)).email).toBe(email)
  })

  it('says the same for a wrong password and an unknown address', async () => {
    const { email } = await signedUp()
    const wrong = { email, password: 'Wrong-horse7' }
    expect(await refusal(world.guest(login, { body: wrong }))).toBe('invalid_credentials')
    const unknown = { email: 'nobody@example.com', password }
    expect(await refusal(world.guest(login, { body: unknown }))).toBe('invalid_credentials')
  })

  it('says so when the account signs in elsewhere', async () => {
    const email = address()
    const { users } = await import('../account/account.schema.ts')
    const user = await world.user({ email })
    const { eq } = await import('drizzle-orm')
    await world.ctx.db.update(users).set({ loginKind: 'Google' }).where(eq(users.id, user.id))
    expect(await refusal(world.guest(login, { body: { email, password } }))).toBe(
      'user_not_created_with_email',
    )
  })

  it('takes ten wrong passwords, also at once, then none for 15 minutes; a right one clears them', async () => {
    const { email } = await signedUp()
    const wrong = { email, password: 'Wrong-horse7' }
    const codes = await Promise.all(
      Array.from({ length: 14 }, () => refusal(world.guest(login, { body: wrong }))),
    )
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(4)
    expect(await refusal(world.guest(login, { body: { email, password } }))).toBe(
      'too_many_requests',
    )
    world.clock.forward(limits.attemptWindow)
    for (let round = 0; round < 2; round++) {
      for (let tries = 0; tries < 9; tries++) await refusal(world.guest(login, { body: wrong }))
      expect(await world.guest(login, { body: { email, password } })).toHaveProperty('token')
    }
  })

  it('asks for both fields', async () => {
    const answer = await refused(world.guest(login, { body: { email: ' ', password: '' } }))
    expect(answer.fields).toEqual({
      email: 'Please enter your email',
      password: 'Please enter your password',
    })
  })
})

describe('POST /auth/logout', () => {
  it('ends the session on every server', async () => {
    const other = await world.anotherApp()
    const { token, call } = await verified()
    const elsewhere = world.client(token, 'en', other)
    await elsewhere(getProfile)
    await call(logout)
    expect(await refusal(call(getProfile))).toBe('unauthorized')
    await until(
      async () => (await elsewhere(getProfile).catch((error) => error.code)) === 'unauthorized',
    )
    expect(await refusal(elsewhere(getProfile))).toBe('unauthorized')
  })

  it('is open to users who are not verified', async () => {
    const { call } = await signedUp()
    await call(logout)
    expect(await refusal(call(logout))).toBe('unauthorized')
  })
})

describe('a session', () => {
  it('lasts 30 days from its last use', async () => {
    const { call } = await verified()
    world.clock.forward(29 * day)
    await call(getProfile)
    world.clock.forward(29 * day)
    await call(getProfile)
    world.clock.forward(30 * day)
    expect(await refusal(call(getProfile))).toBe('unauthorized')
  })
})

describe('POST /auth/email/forgot-password', () => {
  it('mails a link that sets a new password once and ends every session', async () => {
    const { email, call } = await verified()
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(email, '/auth/reset-password')
    const answers = await Promise.allSettled(
      ['New-horse99', 'New-horse98'].map((wanted) =>
        world.guest(resetPassword, { body: { password: wanted, token } }),
      ),
    )
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    expect(await refusal(call(getProfile))).toBe('unauthorized')
    const right = answers[0]?.status === 'fulfilled' ? 'New-horse99' : 'New-horse98'
    expect(await refusal(world.guest(login, { body: { email, password } }))).toBe(
      'invalid_credentials',
    )
    expect(await world.guest(login, { body: { email, password: right } })).toHaveProperty('token')
  })

  it('ends after an hour', async () => {
    const { email } = await verified()
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(email, '/auth/reset-password')
    world.clock.forward(hour)
    expect(await refusal(world.guest(resetPassword, { body: { password, token } }))).toBe(
      'invalid_token',
    )
  })

  it('answers the same for an unknown address, limit included, and mails nobody', async () => {
    const email = 'unknown@example.com'
    for (let times = 0; times < 3; times++)
      expect(await world.guest(forgotPassword, { body: { email } })).toBeUndefined()
    expect(await refusal(world.guest(forgotPassword, { body: { email } }))).toBe(
      'action_limit_reached',
    )
    expect(await world.mailsTo(email)).toEqual([])
  })

  it('refuses a weak password and spends nothing', async () => {
    const { email } = await verified()
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(email, '/auth/reset-password')
    const weak = await refused(world.guest(resetPassword, { body: { password: 'weak', token } }))
    expect(Object.keys(weak.fields)).toEqual(['password'])
    await world.guest(resetPassword, { body: { password, token } })
    expect(await world.guest(login, { body: { email, password } })).toHaveProperty('token')
  })
})

describe('the log and the database', () => {
  it('hold no password and no token', async () => {
    const { email, token } = await signedUp()
    const mailed = await mailedToken(email, '/auth/verify')
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
