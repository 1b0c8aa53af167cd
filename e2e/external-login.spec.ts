import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { expectAccessible } from './accessibility.ts'
import { newEmail } from './person.ts'
import { continueWithGoogle, heading, logIn, signInWithGoogle } from './screens.ts'
import { expect, test } from './test.ts'

for (const [language, locale] of [
  ['English', 'en-GB'],
  ['Turkish', 'tr-TR'],
] as const) {
  test.describe(`continuing with Google, in ${language}`, () => {
    test.use({ locale })

    test('signs a new person in, and the token is nowhere to be seen', async ({ page, say }) => {
      const visited: string[] = []
      page.on('framenavigated', (frame) => visited.push(frame.url()))
      await page.goto('/auth/login')
      await expect(continueWithGoogle(page, say)).toBeVisible()
      await expectAccessible(page)
      await continueWithGoogle(page, say).click()
      await expect(heading(page, say(m.stand_in_title))).toBeVisible()
      await expectAccessible(page)
      await page.goBack()
      await signInWithGoogle(page, say, { name: 'Some Body', email: newEmail() })
      await expect(page.getByText(say(m.projects_empty))).toBeVisible()
      await page.goBack()
      expect(page.url()).not.toContain('token=')
      await page.goForward()
      expect(page.url()).not.toContain('token=')
      expect(await page.evaluate(() => localStorage.getItem('loginState'))).toBeNull()
      // It did come by the address once, and the address was replaced.
      expect(visited.some((url) => url.includes('/auth/login/oauth'))).toBe(true)

      await page.goto('/account/profile')
      await expect(page.getByText('Google', { exact: true })).toBeVisible()
      await expectAccessible(page)
    })
  })
}

test('leads back to the page that was wanted before', async ({ page, say }) => {
  await page.goto('/projects/create')
  await expect(heading(page, say(m.auth_login_title))).toBeVisible()
  await signInWithGoogle(page, say, { name: 'Some Body', email: newEmail() })
  await expect(heading(page, say(m.projects_create))).toBeVisible()
})

test('does not take over an account that has a password, and says so', async ({
  page,
  say,
  newPerson,
}) => {
  const person = await newPerson()
  await page.goto('/auth/login')
  await signInWithGoogle(page, say, person)
  await expect(page.getByText(say(m.oauth_email_already_exists))).toBeVisible()
  expect(page.url()).not.toContain('error=')
  await expectAccessible(page)
  await logIn(page, say, person)
  await expect(page.getByText(say(m.projects_empty))).toBeVisible()
})

test('says so when it was cancelled, or the address is not verified', async ({ page, say }) => {
  await page.goto('/auth/login')
  await continueWithGoogle(page, say).click()
  await page.getByRole('button', { name: say(m.stand_in_cancel) }).click()
  await expect(page.getByText(say(m.oauth_cancelled))).toBeVisible()
  await continueWithGoogle(page, say).click()
  await page.getByRole('button', { name: 'Example Stranger' }).click()
  await expect(page.getByText(say(m.oauth_email_not_verified))).toBeVisible()
})

for (const locale of ['en-GB', 'tr-TR'])
  test.describe(`the screen that an external login comes back to, in ${locale}`, () => {
    test.use({ locale })

    const state = 'a'.repeat(32)
    const back = (query: Record<string, string>) =>
      `/auth/login/oauth?${new URLSearchParams(query)}`
    const remember = (page: Page, record: string) =>
      page.evaluate((text) => localStorage.setItem('loginState', text), record)
    const minute = 60_000

    const cases: [string, (now: number) => string | null, Record<string, string>, () => string][] =
      [
        ['an unknown state', () => null, { state, token: 't' }, m.oauth_state_not_found],
        ['a record that is none', () => '{', { state, token: 't' }, m.oauth_invalid_state],
        [
          'a state of more than five minutes ago',
          (now) => JSON.stringify({ state, timestamp: now - 5 * minute - 1000 }),
          { state, token: 't' },
          m.oauth_expired_state,
        ],
        [
          'another state than the one it knows',
          (now) => JSON.stringify({ state: 'b'.repeat(32), timestamp: now }),
          { state, token: 't' },
          m.oauth_mismatched_state,
        ],
        [
          'no token',
          (now) => JSON.stringify({ state, timestamp: now }),
          { state },
          m.oauth_missing_token,
        ],
      ]
    for (const [what, record, query, message] of cases)
      test(`refuses ${what}, with a way back`, async ({ page, say }) => {
        await page.goto('/favicon.svg')
        const stored = record(await page.evaluate(() => Date.now()))
        if (stored !== null) await remember(page, stored)
        await page.goto(back(query))
        await expect(page.getByText(say(message))).toBeVisible()
        expect(page.url()).not.toContain('token=')
        expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
        await expectAccessible(page)
        await page.getByRole('link', { name: say(m.auth_back_to_login) }).click()
        await expect(heading(page, say(m.auth_login_title))).toBeVisible()
      })
  })
