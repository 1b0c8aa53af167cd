import { forgotPassword, resetPassword, signUp } from '@slipway/contract/auth'
import type { Endpoint } from '@slipway/contract/endpoint'
import { day } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../app.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { mailedToken, openVerificationLink, password, unusedEmail } from '../auth/auth.fixture.ts'
import { knownDevices } from './devices.schema.ts'
import { removeExpired } from './devices.service.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await world.startWorkers()
})
afterAll(() => world.close())

function newBrowser(app: App = world.app) {
  let cookie = ''
  let setCookie = ''
  return {
    async post(endpoint: Endpoint, payload: object, headers: Record<string, string> = {}) {
      const response = await app.server.app.inject({
        method: 'POST',
        url: `/api${endpoint.path}`,
        headers: { cookie, 'accept-language': 'en', ...headers },
        payload,
      })
      setCookie = [response.headers['set-cookie'] ?? []].flat().join()
      cookie = setCookie.split(';')[0] || cookie
      return response.statusCode
    },
    logIn(email: string, typed = password, headers: Record<string, string> = {}) {
      return this.post(login, { email, password: typed }, headers)
    },
    get cookie() {
      return cookie
    },
    get setCookie() {
      return setCookie
    },
    set cookie(value: string) {
      cookie = value
    },
  }
}

const newUser = () => world.user({ email: unusedEmail(), password })
const subjectsTo = async (email: string) => (await world.mailsTo(email)).map((mail) => mail.subject)
const newDevice = m.mail_new_device_subject({}, { locale: 'en' })

describe('a login on an unknown device', () => {
  it('is reported to the owner by email, with the time and the address', async () => {
    const { email } = await newUser()
    await newBrowser().logIn(email)
    expect(await subjectsTo(email)).toEqual([])
    await newBrowser().logIn(email)
    const [mail, ...others] = await world.mailsTo(email)
    expect(others).toEqual([])
    expect(mail?.subject).toBe(newDevice)
    expect(mail?.text).toMatch(/November.*2026.*127\.0\.0\.1/s)
    expect(mail?.text).toContain(`${world.env.PUBLIC_URL}/auth/forgot-password`)
  })

  it('is reported with the browser, the system and the city of the time zone', async () => {
    const { email } = await newUser()
    await newBrowser().logIn(email)
    await newBrowser().logIn(email, password, {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
      'time-zone': 'America/Mexico_City',
    })
    const [mail] = await world.mailsTo(email)
    expect(mail?.text).toContain(
      'Device: Firefox on Linux\nLocation: Mexico City (by time zone)\nIP address: 127.0.0.1\n',
    )
  })

  it('is reported once: afterwards the device is known', async () => {
    const { email } = await newUser()
    const [home, phone] = [newBrowser(), newBrowser()]
    for (const browser of [home, home, phone, home, phone])
      expect(await browser.logIn(email)).toBe(200)
    expect(await subjectsTo(email)).toEqual([newDevice])
  })

  it('is one of the last 100 known devices: the one used least recently is forgotten', async () => {
    const { id, email } = await newUser()
    const [first, ...others] = [newBrowser(), newBrowser(), newBrowser()]
    await first.logIn(email)
    await world.ctx.db.insert(knownDevices).values(
      Array.from({ length: serviceLimits.knownDevicesPerUser - 1 }, (_, index) => ({
        userId: id,
        deviceHash: Buffer.from(`device ${index}`),
        createdAt: world.clock.now(),
        expiresAt: new Date(world.clock.now().getTime() + (index + 1) * day),
      })),
    )
    for (const browser of [...others, first]) await browser.logIn(email)
    const devices = await world.ctx.db
      .select({ name: sql<string>`encode(${knownDevices.deviceHash}, 'escape')` })
      .from(knownDevices)
      .where(eq(knownDevices.userId, id))
    expect(devices).toHaveLength(serviceLimits.knownDevicesPerUser)
    const names = devices.map(({ name }) => name)
    expect(names).not.toContain('device 0')
    expect(names).not.toContain('device 1')
    expect(names).toContain('device 2')
    // It was known throughout.
    expect(await subjectsTo(email)).toEqual([newDevice, newDevice])
  })

  it('is reported once, also for concurrent logins of one browser', async () => {
    const { email } = await newUser()
    await newBrowser().logIn(email)
    const browser = newBrowser()
    await browser.logIn(unusedEmail())
    browser.cookie = `slipway_device=${'x'.repeat(43)}`
    await Promise.all(Array.from({ length: 4 }, () => browser.logIn(email)))
    expect(await subjectsTo(email)).toEqual([newDevice])
  })

  it('is reported three times in 15 minutes at most, so that logins cannot flood the owner', async () => {
    const { email } = await newUser()
    await newBrowser().logIn(email)
    for (let times = 0; times < 5; times++) expect(await newBrowser().logIn(email)).toBe(200)
    expect(await subjectsTo(email)).toEqual(Array(3).fill(newDevice))
    world.clock.forward(serviceLimits.attemptWindow)
    await newBrowser().logIn(email)
    expect(await subjectsTo(email)).toEqual(Array(4).fill(newDevice))
  })

  it('is not reported after signing up on the device, nor for the first login after it', async () => {
    const email = unusedEmail()
    const [home, phone, cafe] = [newBrowser(), newBrowser(), newBrowser()]
    const form = { name: 'Test User', email, password }
    await home.post(signUp, { ...form, __captcha_solution__: await world.captcha() })
    await openVerificationLink(world, email)
    for (const browser of [phone, home]) await browser.logIn(email)
    expect(await subjectsTo(email)).not.toContain(newDevice)
    await cafe.logIn(email)
    expect(await subjectsTo(email)).toContain(newDevice)
  })

  it('is not reported for a wrong password, nor to an unverified account', async () => {
    const { email } = await newUser()
    await newBrowser().logIn(email)
    const stranger = newBrowser()
    await stranger.logIn(email, 'Wrong-horse7')
    expect(stranger.cookie).toBe('')
    const unverified = await world.user({ email: unusedEmail(), password, verified: false })
    for (let times = 0; times < 2; times++) await newBrowser().logIn(unverified.email)
    expect([...(await subjectsTo(email)), ...(await subjectsTo(unverified.email))]).toEqual([])
  })

  it('is reported in a browser that another user has logged in with', async () => {
    const [firstUser, secondUser] = [await newUser(), await newUser()]
    const shared = newBrowser()
    for (const { email } of [firstUser, secondUser]) await newBrowser().logIn(email)
    await shared.logIn(firstUser.email)
    await shared.logIn(secondUser.email)
    expect(await subjectsTo(secondUser.email)).toEqual([newDevice])
    await shared.logIn(firstUser.email)
    expect(await subjectsTo(firstUser.email)).toEqual([newDevice])
    // No row tells that both use this browser.
    const hashes = await Promise.all(
      [firstUser, secondUser].map(({ id }) =>
        world.ctx.db
          .select({ hash: knownDevices.deviceHash })
          .from(knownDevices)
          .where(eq(knownDevices.userId, id)),
      ),
    )
    const texts = hashes.flat().map(({ hash }) => hash.toString('hex'))
    expect(new Set(texts).size).toBe(4)
  })

  it('is reported again after a year without a login', async () => {
    const { email, id } = await newUser()
    const [home, phone] = [newBrowser(), newBrowser()]
    await home.logIn(email)
    await phone.logIn(email)
    world.clock.forward(serviceLimits.knownDeviceLifetime - day)
    await home.logIn(email)
    world.clock.forward(day)
    await phone.logIn(email)
    expect(await subjectsTo(email)).toEqual([newDevice, newDevice])
    world.clock.forward(serviceLimits.knownDeviceLifetime - day)
    await removeExpired(world.ctx)
    expect(await world.ctx.db.$count(knownDevices, eq(knownDevices.userId, id))).toBe(1)
  })
})

describe('a new password', () => {
  it('is reported to the owner, and leaves only the browser that set it known', async () => {
    const { email } = await newUser()
    const [home, stranger] = [newBrowser(), newBrowser()]
    await home.logIn(email)
    await stranger.logIn(email)
    await world.guest(forgotPassword, { body: { email } })
    const token = await mailedToken(world, email, '/auth/reset-password')
    const newPassword = 'New-horse99'
    const results = await Promise.all(
      [home, newBrowser()].map((browser) =>
        browser.post(resetPassword, { password: newPassword, token }),
      ),
    )
    expect(results.toSorted()).toEqual([204, 400])
    const notices = (await subjectsTo(email)).filter(
      (subject) => subject === m.mail_password_changed_subject({}, { locale: 'en' }),
    )
    expect(notices).toHaveLength(1)
    const before = (await subjectsTo(email)).length
    if (results[0] === 204) await home.logIn(email, newPassword)
    expect(await subjectsTo(email)).toHaveLength(before)
    await stranger.logIn(email, newPassword)
    expect((await subjectsTo(email)).slice(before)).toEqual([newDevice])
  })
})

describe('the device cookie', () => {
  it('is out of reach of scripts and of other hosts of the domain', async () => {
    const { email } = await newUser()
    const browser = newBrowser()
    await browser.logIn(email)
    expect(browser.setCookie).toMatch(
      /^slipway_device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const https = newBrowser(await world.anotherApp({ PUBLIC_URL: 'https://console.example.com' }))
    await https.logIn(email)
    expect(https.setCookie).toMatch(
      /^__Host-slipway_device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it('is replaced when the service did not issue it', async () => {
    const { email } = await newUser()
    const browser = newBrowser()
    browser.cookie = 'slipway_device=short'
    await browser.logIn(email)
    expect(browser.cookie).toMatch(/^slipway_device=[\w-]{43}$/)
  })
})
