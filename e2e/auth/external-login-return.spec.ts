import { readFile } from 'node:fs/promises'
import { exchangeExternalLogin } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { logInWithGoogle, storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { createServer } from '../harness/server.ts'
import { heading } from '../harness/shell-screens.ts'
import { storedLogins, storeLogin, urlsInHistory } from '../harness/stored-logins.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail } from '../harness/user.ts'

const state = 'a'.repeat(32)
const otherState = 'b'.repeat(32)
const minute = 60_000

const returnUrl = (query: Record<string, string>) =>
  `/auth/login/oauth?${new URLSearchParams(query)}`

type Case = {
  /** The result of the login; the title of the test. */
  callback: string
  stored?: { state: string; record: (now: number) => string }
  query: Record<string, string>
  message: () => string
  /** True if the record belongs to another login and so stays. */
  staysStored?: boolean
}

const recordOf = (timestamp: number) => JSON.stringify({ timestamp })

const cases: Case[] = [
  { callback: 'an unknown state', query: { state, token: 't' }, message: m.oauth_state_not_found },
  {
    callback: 'a record that is not JSON',
    stored: { state, record: () => '{' },
    query: { state, token: 't' },
    message: m.oauth_invalid_state,
  },
  {
    callback: 'a state of more than five minutes ago',
    stored: { state, record: (now) => recordOf(now - 5 * minute - 1000) },
    query: { state, token: 't' },
    message: m.oauth_expired_state,
  },
  {
    callback: 'a state other than the stored one',
    stored: { state: otherState, record: recordOf },
    query: { state, token: 't' },
    message: m.oauth_mismatched_state,
    staysStored: true,
  },
  {
    callback: 'no token',
    stored: { state, record: recordOf },
    query: { state },
    message: m.oauth_missing_token,
  },
]

for (const locale of testedLocales)
  test.describe(`/auth/login/oauth, in ${locale}`, () => {
    test.use({ locale })

    for (const { callback, stored, query, message, staysStored = false } of cases)
      test(`rejects ${callback} and links back to the login`, async ({ page, t }) => {
        await page.goto('/favicon.svg')
        const now = await page.evaluate(() => Date.now())
        if (stored) await storeLogin(page, stored.state, stored.record(now))
        await page.goto(returnUrl(query))
        await expect(page.getByText(t(message))).toBeVisible()
        expect(page.url()).not.toContain('token=')
        expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
        expect(await storedLogins(page)).toEqual(staysStored ? [stored?.state] : [])
        await expectAccessible(page)
        await page.getByRole('link', { name: t(m.auth_back_to_login) }).click()
        await expect(heading(page, t(m.auth_login_title))).toBeVisible()
      })
  })

test.describe('a code of another browser', () => {
  test('is rejected, starts no session and keeps the current one', async ({ page, t, newUser }) => {
    const user = await newUser()
    await storeSession(page, user)
    await page.goto('/favicon.svg')
    const now = await page.evaluate(() => Date.now())
    await storeLogin(page, state, recordOf(now))
    await page.goto(returnUrl({ state, token: 'of-another-browser' }))
    await expect(page.getByRole('alert')).toHaveText(t(m.oauth_expired))
    expect(await storedLogins(page)).toEqual([])
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(user.token)
    await page.goto('/projects')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
  })

  test('is not sent when the state is unknown', async ({ page, t }) => {
    const exchanges: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith(exchangeExternalLogin.path)) exchanges.push(request.url())
    })
    await page.goto(returnUrl({ state, token: 'planted' }))
    await expect(page.getByText(t(m.oauth_state_not_found))).toBeVisible()
    expect(exchanges).toEqual([])
  })
})

test.describe('the token in the URL', () => {
  test('is in no Referer header and not in the history', async ({ page, t }) => {
    const referers: (string | undefined)[] = []
    const headerReads: Promise<unknown>[] = []
    page.on('request', (request) => {
      headerReads.push(request.allHeaders().then(({ referer }) => referers.push(referer)))
    })
    await page.goto('/favicon.svg')
    const response = await page.goto(returnUrl({ state, token: 'a-token' }))
    expect(response?.headers()['referrer-policy']).toBe('no-referrer')
    await expect(page.getByText(t(m.oauth_state_not_found))).toBeVisible()
    await expect(page).toHaveURL('/auth/login/oauth')
    await page.getByRole('link', { name: t(m.auth_back_to_login) }).click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/auth/login/oauth')
    const history = await urlsInHistory(page)
    expect(history.filter((url) => url.includes('token'))).toEqual([])
    await Promise.all(headerReads)
    expect(referers.length).toBeGreaterThan(3)
    expect(referers.filter(Boolean)).toEqual([])
  })
})

test('the server logs no code, token or state at any log level', async ({ page, t }, testInfo) => {
  const logFile = testInfo.outputPath('server.log')
  const server = await createServer({ logFile, env: { LOG_LEVEL: 'debug' } })
  try {
    await server.start()
    const secrets = new Set<string>()
    page.on('request', (request) => {
      const { searchParams } = new URL(request.url())
      for (const name of ['code', 'state', 'token', 'nonce', 'code_challenge'])
        for (const value of searchParams.getAll(name)) secrets.add(value)
    })
    await page.goto(`${server.url}/auth/login`)
    await logInWithGoogle(page, t, { name: 'Some Body', email: newEmail() })
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    const session = await page.evaluate(() => localStorage.getItem('token'))
    // No URL had the session's token.
    expect([...secrets]).not.toContain(session)
    secrets.add(session ?? '')
    const log = await readFile(logFile, 'utf8')
    expect(log).toContain('/api/auth/oauth/callback')
    expect(secrets.size).toBeGreaterThan(5)
    expect([...secrets].filter((secret) => log.includes(secret))).toEqual([])
  } finally {
    await page.close()
    await server.remove()
  }
})
