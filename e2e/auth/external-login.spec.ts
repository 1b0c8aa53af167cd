import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import {
  continueWithGoogle,
  logInAtStandIn,
  logInWithGoogle,
  logOut,
  submitLogin,
} from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { storedLogins, urlsInHistory } from '../harness/stored-logins.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail, password } from '../harness/user.ts'

for (const locale of testedLocales) {
  test.describe(`login with Google, in ${locale}`, () => {
    test.use({ locale })

    test('signs a new user in and removes the code from the history', async ({ page, t }) => {
      const visited: string[] = []
      page.on('framenavigated', (frame) => visited.push(frame.url()))
      await page.goto('/auth/login')
      await expect(continueWithGoogle(page, t)).toBeVisible()
      await expectAccessible(page)
      await continueWithGoogle(page, t).click()
      await expect(heading(page, t(m.stand_in_title))).toBeVisible()
      await expectAccessible(page)
      await page.goBack()
      await logInWithGoogle(page, t, { name: 'Some Body', email: newEmail() })
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
      // A one-time code was in the URL, but its history entry is replaced.
      expect(visited.some((url) => url.includes('/auth/login/oauth'))).toBe(true)
      const history = await urlsInHistory(page)
      expect(history.length).toBeGreaterThan(1)
      expect(history.filter((url) => url.includes('token='))).toEqual([])
      await page.goBack()
      expect(page.url()).not.toContain('token=')
      await page.goForward()
      expect(page.url()).not.toContain('token=')
    })

    test('creates an account without a password, which profile and login show', async ({
      page,
      t,
    }) => {
      const email = newEmail()
      await page.goto('/auth/login')
      await logInWithGoogle(page, t, { name: 'Some Body', email })
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()

      await page.goto('/account/profile')
      const profile = page.getByRole('main')
      await expect(profile.getByText('Google', { exact: true })).toBeVisible()
      await expect(profile.getByText(email.split('@')[0] ?? '', { exact: true })).toBeVisible()
      for (const hidden of [t(m.auth_email), t(m.auth_password), email])
        await expect(profile.getByText(hidden, { exact: true })).toHaveCount(0)
      await expectAccessible(page)

      await logOut(page, t)
      await submitLogin(page, t, { email, password })
      await expect(page.getByRole('alert')).toHaveText(t(m.error_user_not_created_with_email))
      await expectAccessible(page)
    })

    test('does not take over an account that has a password, and explains why', async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      await page.goto('/auth/login')
      await logInWithGoogle(page, t, user)
      const alert = page.getByRole('alert')
      await expect(alert).toContainText(t(m.oauth_email_already_exists))
      await expect(page).toHaveURL('/auth/login')
      await expectAccessible(page)
      await alert.getByRole('link', { name: t(m.oauth_set_password) }).click()
      await expect(heading(page, t(m.auth_forgot_title))).toBeVisible()
      await page.goBack()
      await submitLogin(page, t, user)
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    })

    test('explains a canceled login and an unverified email address', async ({ page, t }) => {
      await page.goto('/auth/login')
      await continueWithGoogle(page, t).click()
      await page.getByRole('button', { name: t(m.stand_in_cancel) }).click()
      await expect(page.getByText(t(m.oauth_cancelled))).toBeVisible()
      await continueWithGoogle(page, t).click()
      await page.getByRole('button', { name: 'Example Stranger' }).click()
      await expect(page.getByText(t(m.oauth_email_not_verified))).toBeVisible()
      expect(await storedLogins(page)).toEqual([])
    })

    for (const [error, text] of [
      ['external_email_in_use', m.oauth_email_in_use],
      ['external_login_failed', m.oauth_failed],
      ['external_login_expired', m.oauth_expired],
    ] as const)
      test(`explains the error ${error}`, async ({ page, t }) => {
        await page.goto(`/auth/login?error=${error}`)
        await expect(page.getByRole('alert')).toHaveText(t(text))
        await expect(page).toHaveURL('/auth/login')
        await expect(continueWithGoogle(page, t)).toBeVisible()
        await expectAccessible(page)
      })
  })
}

test('login with Google leads to the page that was requested first', async ({ page, t }) => {
  await page.goto('/projects/create')
  await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  await logInWithGoogle(page, t, { name: 'Some Body', email: newEmail() })
  await expect(heading(page, t(m.projects_create_title))).toBeVisible()
  expect(await storedLogins(page)).toEqual([])
})

test('a canceled login with Google keeps the requested page', async ({ page, t, newUser }) => {
  await page.goto('/projects/create')
  await continueWithGoogle(page, t).click()
  await page.getByRole('button', { name: t(m.stand_in_cancel) }).click()
  await expect(page.getByText(t(m.oauth_cancelled))).toBeVisible()
  await submitLogin(page, t, await newUser())
  await expect(heading(page, t(m.projects_create_title))).toBeVisible()
})

test('the login page ignores an unknown error in its URL', async ({ page, t }) => {
  await page.goto('/auth/login?error=Call+0800+123&next=%2Fteams')
  await expect(page).toHaveURL('/auth/login?next=%2Fteams')
  await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test.describe('two logins with Google at the same time', () => {
  test('both succeed, each in its own tab', async ({ page, context, t }) => {
    const user = { name: 'Some Body', email: newEmail() }
    await page.goto('/auth/login')
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      continueWithGoogle(page, t).click({ button: 'middle' }),
    ])
    await continueWithGoogle(page, t).click()
    await expect(heading(page, t(m.stand_in_title))).toBeVisible()
    expect(await storedLogins(page)).toHaveLength(2)
    for (const each of [tab, page]) {
      await logInAtStandIn(each, t, user)
      await expect(each.getByText(t(m.projects_empty))).toBeVisible()
    }
    expect(await storedLogins(page)).toEqual([])
  })

  test('are not affected by forged callback URLs in another tab', async ({ page, context, t }) => {
    await page.goto('/auth/login')
    await continueWithGoogle(page, t).click()
    await expect(heading(page, t(m.stand_in_title))).toBeVisible()
    const tab = await context.newPage()
    await tab.goto('/auth/login?error=external_login_failed')
    await expect(tab.getByText(t(m.oauth_failed))).toBeVisible()
    await expect(tab).toHaveURL('/auth/login')
    await tab.goto(`/auth/login/oauth?state=${'0'.repeat(32)}&token=forged&error=stray`)
    await expect(tab.getByText(t(m.oauth_mismatched_state))).toBeVisible()
    await logInAtStandIn(page, t, { name: 'Some Body', email: newEmail() })
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
  })
})

test.describe('the Google link', () => {
  test('starts a login from the keyboard', async ({ page, t }) => {
    await page.goto('/auth/login')
    await continueWithGoogle(page, t).press('Enter')
    await expect(heading(page, t(m.stand_in_title))).toBeVisible()
    expect(await storedLogins(page)).toHaveLength(1)
  })

  for (const [how, options] of [
    ['the middle button', { button: 'middle' }],
    ['the control key', { modifiers: ['ControlOrMeta'] }],
  ] as const)
    test(`starts a separate login in each new tab, opened with ${how}`, async ({
      page,
      context,
      t,
    }) => {
      await page.goto('/auth/login')
      for (let time = 1; time <= 2; time++) {
        const [tab] = await Promise.all([
          context.waitForEvent('page'),
          continueWithGoogle(page, t).click({
            ...options,
            modifiers: [...(options.modifiers ?? [])],
          }),
        ])
        await expect(heading(tab, t(m.stand_in_title))).toBeVisible()
        expect(await storedLogins(page)).toHaveLength(time)
      }
    })

  for (const [how, open] of [
    ['its menu', { button: 'right' }],
    ['a long press', { trial: true }],
  ] as const)
    test(`has a URL that ${how} can open in a new tab`, async ({ page, context, t }) => {
      await page.goto('/auth/login?next=%2Fprojects%2Fcreate')
      const link = continueWithGoogle(page, t)
      await link.click(open)
      if ('trial' in open) await link.dispatchEvent('pointerdown', { pointerType: 'touch' })
      const tab = await context.newPage()
      await tab.goto((await link.getAttribute('href')) ?? '')
      await logInAtStandIn(tab, t, { name: 'Some Body', email: newEmail() })
      await expect(heading(tab, t(m.projects_create_title))).toBeVisible()
    })
})
