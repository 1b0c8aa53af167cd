import type { CaptchaSolution } from '@slipway/contract/captcha'
import { minute } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { title } from '../../testing/declared-endpoints.ts'
import { until } from '../../testing/until.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { users } from '../account/account.schema.ts'
import { password, unusedEmail } from './auth.fixture.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.startWorkers()
})
afterAll(() => world.close())

const wrongPassword = 'Wrong-horse7'
const perPair = serviceLimits.wrongPasswordsPerAccountAndNetwork
const captchaMessage = 'Please verify that you are not a robot'

type Attempt = {
  email: string
  password?: string
  from?: string
  solution?: CaptchaSolution
}

/** Logs in from an address; returns `ok`, the error code, or the captcha's message. */
async function logIn({ email, password = wrongPassword, from = '203.0.113.1', solution }: Attempt) {
  const response = await world.app.server.app.inject({
    method: 'POST',
    url: `/api${login.path}`,
    remoteAddress: from,
    payload: { email, password, __captcha_solution__: solution },
  })
  const body: { token?: string; error?: string; root?: Record<string, string> } = response.json()
  return body.root?.__captcha_solution__ ?? body.error ?? 'ok'
}

const repeat = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const newUser = () => world.user({ email: unusedEmail(), password })

const lockoutEmailsTo = async (email: string) =>
  (await world.mailsTo(email)).filter(
    ({ subject }) => subject === m.mail_lockout_subject({}, { locale: 'en' }),
  )

/** Waits for a later lockout's email: the earlier lockouts have been handled then. */
async function untilLockoutsAreHandled() {
  const { email } = await newUser()
  await repeat(perPair + 1, () => logIn({ email, from: '198.51.100.99' }))
  await until(async () => (await lockoutEmailsTo(email)).length > 0)
}

describe(title(login), () => {
  it('needs a captcha after ten wrong passwords in 15 minutes, even concurrent ones', async () => {
    const { email } = await newUser()
    // Only six at once: all wait for one lock, which has a timeout.
    for (let count = 0; count < perPair - 2; count++) await logIn({ email })
    const results = await repeat(6, () => logIn({ email }))
    expect(results.filter((result) => result === 'invalid_credentials')).toHaveLength(2)
    expect(results.filter((result) => result === captchaMessage)).toHaveLength(4)
    expect(await logIn({ email, password })).toBe(captchaMessage)
    world.clock.forward(serviceLimits.attemptWindow)
    expect(await logIn({ email, password })).toBe('ok')
  })

  it('checks every password that arrives with a captcha, and accepts each captcha once', async () => {
    const { email } = await newUser()
    await repeat(perPair, () => logIn({ email }))
    const solution = await world.captcha()
    expect(await logIn({ email, solution })).toBe('invalid_credentials')
    expect(await logIn({ email, password, solution })).toBe(captchaMessage)
    const used = await world.captcha()
    const results = await repeat(4, () => logIn({ email, solution: used }))
    expect(results.filter((result) => result === 'invalid_credentials')).toHaveLength(1)
    expect(await logIn({ email, password, solution: await world.captcha() })).toBe('ok')
    // The right password resets the count.
    expect(await logIn({ email })).toBe('invalid_credentials')
  })

  it('locks out no other user: other addresses and other accounts need no captcha', async () => {
    const [attacked, neighbor] = [await newUser(), await newUser()]
    await repeat(perPair + 1, () => logIn({ email: attacked.email, from: '198.51.100.1' }))
    expect(await logIn({ email: attacked.email, password, from: '198.51.100.2' })).toBe('ok')
    expect(await logIn({ email: neighbor.email, password, from: '198.51.100.1' })).toBe('ok')
    expect(await logIn({ email: attacked.email, from: '198.51.100.1' })).toBe(captchaMessage)
  })

  it('counts the addresses of an IPv6 /64 as one', async () => {
    const { email } = await newUser()
    await repeat(perPair, (index) => logIn({ email, from: `2001:db8:7:8::${index}` }))
    expect(await logIn({ email, from: '2001:db8:7:8:ffff::1' })).toBe(captchaMessage)
    expect(await logIn({ email, from: '2001:db8:7:9::1' })).toBe('invalid_credentials')
  })

  it('needs a captcha for an account that is guessed from many addresses', async () => {
    const { email } = await newUser()
    const guesses = await repeat(serviceLimits.wrongPasswordsPerAccount, (index) =>
      logIn({ email, from: `192.0.2.${index}` }),
    )
    expect(new Set(guesses)).toEqual(new Set(['invalid_credentials']))
    expect(await logIn({ email, password, from: '192.0.2.250' })).toBe(captchaMessage)
    const solution = await world.captcha()
    expect(await logIn({ email, password, from: '192.0.2.250', solution })).toBe('ok')
  })

  it('responds the same for an unknown address', async () => {
    const email = unusedEmail()
    const results = await repeat(perPair + 2, () => logIn({ email }))
    expect(results.filter((result) => result === 'invalid_credentials')).toHaveLength(perPair)
    const solution = await world.captcha()
    expect(await logIn({ email, solution })).toBe('invalid_credentials')
    await untilLockoutsAreHandled()
    expect(await world.mailsTo(email)).toEqual([])
  })
})

describe('the email about a lockout', () => {
  it('is sent once for each lockout, however many addresses and attempts it has', async () => {
    const { email } = await newUser()
    await repeat(perPair + 3, () => logIn({ email, from: '198.51.100.3' }))
    await repeat(perPair + 3, () => logIn({ email, from: '198.51.100.4' }))
    const [mail] = await until(async () => {
      const mails = await lockoutEmailsTo(email)
      return mails.length > 0 && mails
    })
    expect(mail?.text).toMatch(/November.*2026.*198\.51\.100\.[34]/s)
    expect(mail?.text).toContain(`${world.env.PUBLIC_URL}/auth/forgot-password`)
    // The attack continues, and stays one lockout.
    world.clock.forward(serviceLimits.attemptWindow - minute)
    await repeat(perPair + 3, () => logIn({ email, from: '198.51.100.5' }))
    world.clock.forward(serviceLimits.attemptWindow - minute)
    await repeat(perPair + 3, () => logIn({ email, from: '198.51.100.6' }))
    await untilLockoutsAreHandled()
    expect(await lockoutEmailsTo(email)).toHaveLength(1)
    world.clock.forward(serviceLimits.attemptWindow)
    await repeat(perPair + 1, () => logIn({ email, from: '198.51.100.3' }))
    await until(async () => (await lockoutEmailsTo(email)).length === 2)
  })

  it('is in the owner’s language, and only sent to a verified account with a password', async () => {
    const owner = await world.user({ email: unusedEmail(), password, locale: 'tr' })
    const unverified = await world.user({ email: unusedEmail(), password, verified: false })
    const external = await newUser()
    await world.ctx.db.update(users).set({ loginKind: 'Google' }).where(eq(users.id, external.id))
    for (const { email } of [unverified, external, owner])
      await repeat(perPair + 1, () => logIn({ email, from: '198.51.100.7' }))
    await untilLockoutsAreHandled()
    const mails = await until(async () => {
      const received = await world.mailsTo(owner.email)
      return received.length > 0 && received
    })
    expect(mails.map(({ subject }) => subject)).toEqual([
      m.mail_lockout_subject({}, { locale: 'tr' }),
    ])
    for (const { email } of [unverified, external]) expect(await world.mailsTo(email)).toEqual([])
  })
})
