import { limits } from '@slipway/contract/limits'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { continueWithGoogle, logIn, signIn } from '../harness/auth-screens.ts'
import { locales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail } from '../harness/user.ts'

for (const locale of locales)
  test.describe(`what /auth/login refuses, in ${locale}`, () => {
    test.use({ locale, expectedErrors: [/net::ERR_FAILED/] })

    test('says that the credentials are wrong, and keeps what was typed', async ({ page, t }) => {
      const email = newEmail()
      await page.goto('/auth/login')
      await logIn(page, t, { email, password: 'Wrong-horse7' })
      await expect(page.getByRole('alert')).toHaveText(t(m.error_invalid_credentials))
      await expect(page.getByLabel(t(m.auth_email))).toHaveValue(email)
      await expectAccessible(page)
    })

    test('says the same for a known address, until it was tried too often', async ({
      page,
      t,
      newUser,
    }) => {
      const { email, call } = await newUser()
      const wrong = { email, password: 'Wrong-horse7' }
      await page.goto('/auth/login')
      await logIn(page, t, wrong)
      await expect(page.getByRole('alert')).toHaveText(t(m.error_invalid_credentials))
      for (let tries = 2; tries <= limits.wrongPasswordsPerAccount; tries++)
        await expect(call(login, { body: wrong })).rejects.toThrow('invalid_credentials')
      await logIn(page, t, wrong)
      await expect(page.getByRole('alert')).toHaveText(t(m.error_too_many_requests))
      await expectAccessible(page)
    })

    test('asks for what is missing and puts the focus there', async ({ page, t }) => {
      await page.goto('/auth/login')
      await logIn(page, t, { email: ' ', password: '' })
      await expect(page.getByText(t(m.form_enter_email))).toBeVisible()
      await expect(page.getByText(t(m.form_enter_password))).toBeVisible()
      await expect(page.getByLabel(t(m.auth_email))).toBeFocused()
      await expectAccessible(page)
    })

    test('says that the server cannot be reached, and works when it can', async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      const address = `**/api${login.path}`
      await page.route(address, (route) => route.abort())
      await page.goto('/auth/login')
      await logIn(page, t, user)
      await expect(page.getByRole('alert')).toHaveText(t(m.error_network))
      await expectAccessible(page)
      await page.unroute(address)
      await page.getByRole('button', { name: t(m.auth_login), exact: true }).click()
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    })
  })

test.describe('/auth/login', () => {
  test('leads back to the page that was wanted', async ({ page, t, newUser }) => {
    const user = await newUser()
    await page.goto('/projects/create?from=mail#form')
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await logIn(page, t, user)
    await expect(heading(page, t(m.projects_create))).toBeVisible()
    await expect(page).toHaveURL('/projects/create?from=mail#form')
  })

  for (const next of [
    'https://example.org/',
    '//example.org/',
    '/\\example.org/',
    'javascript:alert(1)',
    '/auth/login',
    '/.//example.org/',
  ])
    test(`does not lead to ${next}`, async ({ page, t, newUser }) => {
      const user = await newUser()
      await page.goto(`/auth/login?next=${encodeURIComponent(next)}`)
      await logIn(page, t, user)
      await expect(heading(page, t(m.projects_title))).toBeVisible()
      await expect(page).toHaveURL('/projects')
    })

  test('is passed by whoever is signed in', async ({ page, t, newUser }) => {
    await signIn(page, await newUser())
    await page.goto('/auth/login?next=%2Fprojects%2Fcreate')
    await expect(heading(page, t(m.projects_create))).toBeVisible()
  })

  test('is passed by whoever is signed in, also on the way back from Google', async ({
    page,
    t,
    newUser,
  }) => {
    await signIn(page, await newUser())
    await page.goto('/auth/login?error=external_login_cancelled')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    await expect(page).toHaveURL('/projects')
  })

  test('takes over when the session has ended, and leads back', async ({ page, t, newUser }) => {
    const user = await newUser()
    await signIn(page, { ...user, token: 'no-such-session' })
    await page.goto('/projects/create')
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await logIn(page, t, user)
    await expect(heading(page, t(m.projects_create))).toBeVisible()
  })

  for (const token of ['ğ', 'two\nlines', ''])
    test(`takes over when what is stored is no token: ${JSON.stringify(token)}`, async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      await signIn(page, { ...user, token })
      await page.goto('/projects')
      await expect(heading(page, t(m.auth_login_title))).toBeVisible()
      await logIn(page, t, user)
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    })

  test('pulls nobody back who has left before the answer came', async ({ page, t, newUser }) => {
    const user = await newUser()
    const held = Promise.withResolvers<void>()
    await page.route(`**/api${login.path}`, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/auth/login')
    await logIn(page, t, user)
    await page.getByRole('link', { name: t(m.auth_sign_up) }).click()
    await page.getByLabel(t(m.auth_name)).fill('Half typed')
    const ended = page.waitForResponse((answer) => answer.url().endsWith('/auth/logout'))
    held.resolve()
    // Nobody has the session that the late answer gave.
    expect((await ended).status()).toBe(204)
    await expect(page).toHaveURL('/auth/sign-up')
    await expect(page.getByLabel(t(m.auth_name))).toHaveValue('Half typed')
  })

  test('has the way in with Google in its card, as wide as its button', async ({ page, t }) => {
    await page.goto('/auth/login')
    const google = await continueWithGoogle(page, t).boundingBox()
    const button = await page
      .getByRole('button', { name: t(m.auth_login), exact: true })
      .boundingBox()
    const signUp = await page.getByRole('link', { name: t(m.auth_sign_up) }).boundingBox()
    expect([google?.x, google?.width]).toEqual([button?.x, button?.width])
    expect(google?.y).toBeGreaterThan(button?.y ?? 0)
    expect(google?.y).toBeLessThan(signUp?.y ?? 0)
    await expect(page.getByText(t(m.oauth_or), { exact: true })).toBeVisible()
  })

  test('shows the password when asked to', async ({ page, t }) => {
    await page.goto('/auth/login')
    const field = page.getByLabel(t(m.auth_password), { exact: true })
    await field.fill('Correct-horse7')
    await page.getByRole('button', { name: t(m.shell_show_password) }).click()
    await expect(field).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: t(m.shell_hide_password) }).click()
    await expect(field).toHaveAttribute('type', 'password')
  })

  test('signs every tab of the browser out at once', async ({ page, context, t, newUser }) => {
    await signIn(page, await newUser())
    await page.goto('/projects')
    const other = await context.newPage()
    await other.goto('/projects/create')
    await expect(heading(other, t(m.projects_create))).toBeVisible()
    await page.getByRole('button', { name: t(m.shell_user_menu) }).click()
    await page.getByRole('menuitem', { name: t(m.shell_logout) }).click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await expect(heading(other, t(m.auth_login_title))).toBeVisible()
  })
})

test.describe('/auth/login behind something that answers in place of the server', () => {
  test.use({ expectedErrors: [/status of 502/] })

  for (const [what, status] of [
    ['a proxy’s page', 502],
    ['the page of a captive portal', 200],
  ] as const)
    test(`says of ${what} that it could not be read`, async ({ page, t }) => {
      const body = '<!doctype html><html><body><h1>nginx</h1></body></html>'
      await page.route(`**/api${login.path}`, (route) =>
        route.fulfill({ status, contentType: 'text/html', body }),
      )
      await page.goto('/auth/login')
      await logIn(page, t, { email: newEmail(), password: 'Correct-horse7' })
      await expect(page.getByRole('alert')).toHaveText(t(m.error_unreadable, { status }))
    })
})
