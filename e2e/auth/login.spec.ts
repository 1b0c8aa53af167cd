import { serviceLimits } from '@slipway/contract/service-limits'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import {
  continueWithGoogle,
  solveCaptcha,
  storeSession,
  submitLogin,
} from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { newEmail } from '../harness/user.ts'

for (const locale of testedLocales)
  test.describe(`/auth/login errors, in ${locale}`, () => {
    test.use({ locale, expectedErrors: [/net::ERR_FAILED/] })

    test('wrong credentials show an error, keep the input and move no field', async ({
      page,
      t,
    }) => {
      const email = newEmail()
      await page.goto('/auth/login')
      const field = page.getByLabel(t(m.auth_email))
      const before = await field.boundingBox()
      await submitLogin(page, t, { email, password: 'Wrong-horse7' })
      await expect(page.getByRole('alert')).toHaveText(t(m.error_invalid_credentials))
      await expect(field).toHaveValue(email)
      // The card grows downwards: no field moves under the pointer.
      expect(await field.boundingBox()).toEqual(before)
      await expectAccessible(page)
    })

    test('a known email address gets the same error, and a captcha after too many attempts', async ({
      page,
      t,
      newUser,
    }) => {
      const { email, password, call } = await newUser()
      const wrong = { email, password: 'Wrong-horse7' }
      await page.goto('/auth/login')
      await submitLogin(page, t, wrong)
      await expect(page.getByRole('alert')).toHaveText(t(m.error_invalid_credentials))
      for (let tries = 2; tries <= serviceLimits.wrongPasswordsPerAccountAndNetwork; tries++)
        await expect(call(login, { body: wrong })).rejects.toThrow('invalid_credentials')
      await submitLogin(page, t, wrong)
      const captcha = page.getByRole('checkbox', { name: t(m.captcha_label) })
      await expect(captcha).not.toBeChecked()
      await expect(page.getByRole('alert')).toHaveText(t(m.form_verify_not_robot))
      await expectAccessible(page)

      await solveCaptcha(page, t)
      await expect(page.getByRole('alert')).toHaveCount(0)
      await submitLogin(page, t, wrong)
      await expect(page.getByRole('alert')).toHaveText(t(m.error_invalid_credentials))
      // The used solution is replaced by a new one.
      await expect(captcha).toBeChecked()
      await submitLogin(page, t, { email, password })
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    })

    test('missing fields are named, and the first gets the focus', async ({ page, t }) => {
      await page.goto('/auth/login')
      await submitLogin(page, t, { email: ' ', password: '' })
      await expect(page.getByText(t(m.form_enter_email))).toBeVisible()
      await expect(page.getByText(t(m.form_enter_password))).toBeVisible()
      await expect(page.getByLabel(t(m.auth_email))).toBeFocused()
      await expectAccessible(page)
    })

    test('an unreachable server shows an error, and a retry succeeds', async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      const address = `**/api${login.path}`
      await page.route(address, (route) => route.abort())
      await page.goto('/auth/login')
      await submitLogin(page, t, user)
      await expect(page.getByRole('alert')).toHaveText(t(m.error_network))
      await expectAccessible(page)
      await page.unroute(address)
      await page.getByRole('button', { name: t(m.auth_login), exact: true }).click()
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    })
  })

test.describe('/auth/login', () => {
  test('leads to the requested page', async ({ page, t, newUser }) => {
    const user = await newUser()
    await page.goto('/projects/create?from=mail#form')
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await submitLogin(page, t, user)
    await expect(heading(page, t(m.projects_create_title))).toBeVisible()
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
    test(`does not redirect to ${next}`, async ({ page, t, newUser }) => {
      const user = await newUser()
      await page.goto(`/auth/login?next=${encodeURIComponent(next)}`)
      await submitLogin(page, t, user)
      await expect(heading(page, t(m.projects_title))).toBeVisible()
      await expect(page).toHaveURL('/projects')
    })

  test('redirects a signed-in user', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/auth/login?next=%2Fprojects%2Fcreate')
    await expect(heading(page, t(m.projects_create_title))).toBeVisible()
  })

  test('redirects a signed-in user who comes back from Google', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/auth/login?error=external_login_cancelled')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    await expect(page).toHaveURL('/projects')
  })

  test('replaces the page when the session expires, and leads back to it', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    await storeSession(page, { ...user, token: 'no-such-session' })
    await page.goto('/projects/create')
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await submitLogin(page, t, user)
    await expect(heading(page, t(m.projects_create_title))).toBeVisible()
  })

  for (const token of ['ğ', 'two\nlines', ''])
    test(`replaces the page when the stored token is invalid: ${JSON.stringify(token)}`, async ({
      page,
      t,
      newUser,
    }) => {
      const user = await newUser()
      await storeSession(page, { ...user, token })
      await page.goto('/projects')
      await expect(heading(page, t(m.auth_login_title))).toBeVisible()
      await submitLogin(page, t, user)
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    })

  test('does not navigate when the response arrives after the user left', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const responseGate = Promise.withResolvers<void>()
    await page.route(`**/api${login.path}`, async (route) => {
      await responseGate.promise
      await route.continue()
    })
    await page.goto('/auth/login')
    // Before the bundle has loaded, a submission is only recorded and a link loads a new document.
    const loginRequest = page.waitForRequest(`**/api${login.path}`)
    await submitLogin(page, t, user)
    await loginRequest
    await page.getByRole('link', { name: t(m.auth_sign_up) }).click()
    await page.getByLabel(t(m.auth_name)).fill('Half typed')
    const logoutResponse = page.waitForResponse((response) =>
      response.url().endsWith('/auth/logout'),
    )
    responseGate.resolve()
    // The session of the late response is ended.
    expect((await logoutResponse).status()).toBe(204)
    await expect(page).toHaveURL('/auth/sign-up')
    await expect(page.getByLabel(t(m.auth_name))).toHaveValue('Half typed')
  })

  test('shows the Google link in its card, as wide as the login button', async ({ page, t }) => {
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

  test('shows and hides the password', async ({ page, t }) => {
    await page.goto('/auth/login')
    const field = page.getByLabel(t(m.auth_password), { exact: true })
    await field.fill('Correct-horse7')
    await page.getByRole('button', { name: t(m.shell_show_password) }).click()
    await expect(field).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: t(m.shell_hide_password) }).click()
    await expect(field).toHaveAttribute('type', 'password')
  })

  test('logging out signs out every tab of the browser at once', async ({
    page,
    context,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    const other = await context.newPage()
    await other.goto('/projects/create')
    await expect(heading(other, t(m.projects_create_title))).toBeVisible()
    await page.getByRole('button', { name: t(m.shell_user_menu) }).click()
    await page.getByRole('menuitem', { name: t(m.shell_logout) }).click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await expect(heading(other, t(m.auth_login_title))).toBeVisible()
  })
})

test.describe('/auth/login behind a proxy', () => {
  test.use({ expectedErrors: [/status of 502/] })

  for (const [what, status] of [
    ['a proxy’s page', 502],
    ['the page of a captive portal', 200],
  ] as const)
    test(`reports ${what} as an unreadable response`, async ({ page, t }) => {
      const body = '<!doctype html><html><body><h1>nginx</h1></body></html>'
      await page.route(`**/api${login.path}`, (route) =>
        route.fulfill({ status, contentType: 'text/html', body }),
      )
      await page.goto('/auth/login')
      await submitLogin(page, t, { email: newEmail(), password: 'Correct-horse7' })
      await expect(page.getByRole('alert')).toHaveText(t(m.error_unreadable, { status }))
    })
})

for (const path of ['/auth/login', '/auth/sign-up'])
  test(`${path} has the panel beside its form in a wide window, and none on a phone`, async ({
    page,
    t,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    const panel = page.getByRole('complementary').filter({ hasText: t(m.auth_panel) })
    await expect(panel).toBeVisible()
    for (const fact of [m.auth_panel_releases, m.auth_panel_domains, m.auth_panel_price])
      await expect(panel.getByText(t(fact))).toBeVisible()
    const [beside, field] = [
      await panel.boundingBox(),
      await page.getByLabel(t(m.auth_email), { exact: true }).boundingBox(),
    ]
    const isBeside =
      (beside?.x ?? 0) >= (field?.x ?? 0) + (field?.width ?? 0) ||
      (beside?.x ?? 0) + (beside?.width ?? 0) <= (field?.x ?? 0)
    expect(isBeside).toBe(true)
    expect(beside?.y).toBeLessThan(field?.y ?? 0)
    expect((beside?.y ?? 0) + (beside?.height ?? 0)).toBeGreaterThan(field?.y ?? 0)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(panel).toBeHidden()
  })

for (const size of [
  { width: 1440, height: 900 },
  { width: 1024, height: 600 },
])
  test(`/auth/login moves nothing in its panel for an error, at ${size.width} pixels`, async ({
    page,
    t,
  }) => {
    await page.setViewportSize(size)
    await page.goto('/auth/login')
    const panel = page.getByRole('complementary').filter({ hasText: t(m.auth_panel) })
    const boxes = async () => [
      await panel.boundingBox(),
      await panel.getByText(t(m.auth_panel)).boundingBox(),
      await panel.locator('img').boundingBox(),
    ]
    const before = await boxes()
    await submitLogin(page, t, { email: newEmail(), password: 'Wrong-horse7' })
    await expect(page.getByRole('alert')).toHaveText(t(m.error_invalid_credentials))
    expect(await boxes()).toEqual(before)
  })

test('/auth/forgot-password has the brand in its card, where the login has it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const brand = page.getByRole('main').getByRole('link', { name: 'Slipway' })
  const brandTop = async (path: string) => {
    await page.goto(path)
    await expect(brand).toBeVisible()
    return (await brand.boundingBox())?.y
  }
  expect(await brandTop('/auth/forgot-password')).toBe(await brandTop('/auth/login'))
  await expect(page.getByRole('link', { name: 'Slipway' }).filter({ visible: true })).toHaveCount(1)
})
