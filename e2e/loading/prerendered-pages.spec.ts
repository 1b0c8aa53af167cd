import type { Page } from '@playwright/test'
import { forgotPassword } from '@slipway/contract/auth'
import { login } from '@slipway/contract/sessions'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { continueWithGoogle, solveCaptcha, storeSession } from '../harness/auth-screens.ts'
import { isHydratedScript } from '../harness/hydration.ts'
import { testsEveryLanguage } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { type Translate, textsIn } from '../harness/texts.ts'

/** Delays the console's files until `release` is called. */
async function delayBundle(page: Page) {
  const delay = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await delay.promise
    await route.continue()
  })
  return delay.resolve
}

/** Opens the prerendered page, before the bundle runs. */
async function openPrerendered(page: Page, path: string) {
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.locator('#root > *').first()).toBeAttached()
}

const expectHydrated = (page: Page) =>
  expect.poll(() => page.evaluate<boolean>(isHydratedScript)).toBe(true)

/**
 * The position of each element in the console's font, without the elements that load later: login
 * providers, links at the end.
 */
const elementPositions = (page: Page) =>
  page.evaluate<
    string[]
  >(`document.fonts.ready.then(() => [...document.querySelectorAll('#root :is(h1, h2, p, label, input, button, select, main, a, aside)')]
    .filter((element) => !element.matches('[href*="/auth/oauth/redirect"], footer a'))
    .map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return [element.tagName, element.childElementCount ? '' : element.textContent, x, y, width, height].join(' ')
    }))`)

type Phrase = Parameters<Translate>[0]
type Screen = {
  path: string
  title: Phrase
  fields?: Phrase[]
  checkbox?: Phrase
  button?: Phrase
  /** Shown until the bundle continues with another screen. */
  text?: Phrase
}

const screens: Screen[] = [
  {
    path: '/auth/login',
    title: m.auth_login_title,
    fields: [m.auth_email, m.auth_password],
    button: m.auth_login,
  },
  {
    path: '/auth/sign-up',
    title: m.auth_sign_up_title,
    fields: [m.auth_name, m.auth_email, m.auth_password],
    checkbox: m.captcha_label,
    button: m.auth_sign_up,
  },
  {
    path: '/auth/forgot-password',
    title: m.auth_forgot_title,
    fields: [m.auth_email],
    button: m.auth_forgot_action,
  },
  {
    path: '/auth/reset-password?token=example',
    title: m.auth_reset_title,
    fields: [m.auth_new_password, m.auth_confirm_password],
    button: m.auth_reset_action,
  },
  { path: '/auth/verify?token=example', title: m.auth_verify_title, text: m.auth_verifying },
  {
    path: '/auth/login/oauth?token=x&state=y',
    title: m.oauth_return_title,
    text: m.oauth_signing_in,
  },
  { path: '/terms', title: m.legal_terms_title },
  { path: '/privacy', title: m.legal_privacy_title },
]

const canvas = { light: 'rgb(246, 248, 248)', dark: 'rgb(10, 16, 18)' }

const phone = { width: 390, height: 844 }
const desktop = { width: 1280, height: 800 }
const looks = [
  ['en-GB', 'light', desktop],
  ['tr-TR', 'dark', phone],
  ['en-GB', 'dark', phone],
  ['tr-TR', 'light', desktop],
] as const

for (const [locale, theme, viewport] of testsEveryLanguage ? looks : looks.slice(0, 2))
  test.describe(`the prerendered page, in ${locale} and ${theme}, ${viewport.width} px wide`, () => {
    test.use({ locale, colorScheme: theme, viewport })

    for (const { path, title, fields = [], checkbox, button, text } of screens)
      test(`${path.split('?')[0]} shows its prerendered content`, async ({ page, t }) => {
        const release = await delayBundle(page)
        await openPrerendered(page, path)
        await expect(heading(page, t(title))).toBeVisible()
        for (const field of fields)
          await expect(page.getByLabel(t(field), { exact: true })).toBeVisible()
        if (checkbox) await expect(page.getByRole('checkbox', { name: t(checkbox) })).toBeVisible()
        if (button)
          await expect(page.getByRole('button', { name: t(button), exact: true })).toBeVisible()
        if (text) await expect(page.getByText(t(text))).toBeVisible()
        await expect(page).toHaveTitle(`${t(title)} · Slipway`)
        await expect(page.locator('html')).toHaveAttribute('lang', locale.slice(0, 2))
        await expect(page.locator('html')).toHaveCSS('background-color', canvas[theme])
        await expectAccessible(page)
        release()
      })

    for (const { path, title } of screens.filter(({ text }) => !text))
      test(`${path.split('?')[0]} keeps its elements and its layout after hydration`, async ({
        page,
        t,
      }) => {
        const release = await delayBundle(page)
        await openPrerendered(page, path)
        await expect(heading(page, t(title))).toBeVisible()
        const before = await elementPositions(page)
        await page.evaluate("globalThis.prerendered = document.querySelector('h1')")
        release()
        await expectHydrated(page)
        expect(await elementPositions(page)).toEqual(before)
        expect(await page.evaluate('globalThis.prerendered.isConnected')).toBe(true)
        await expect(page).toHaveTitle(`${t(title)} · Slipway`)
      })
  })

test('a visitor sees the login page at once, and later the requested page', async ({ page, t }) => {
  const release = await delayBundle(page)
  await openPrerendered(page, '/projects/create?from=mail#x')
  await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  const signUp = page.getByRole('link', { name: t(m.auth_sign_up), exact: true })
  const requestedPath = `/auth/sign-up?next=${encodeURIComponent('/projects/create?from=mail#x')}`
  await expect(signUp).toHaveAttribute('href', requestedPath)
  release()
  await expect(page).toHaveURL(/\/auth\/login\?next=/)
  await expectHydrated(page)
  await expect(signUp).toHaveAttribute('href', requestedPath)
})

test('an unverified user can request the email from the prerendered page', async ({
  page,
  t,
  newUser,
}) => {
  await storeSession(page, await newUser({ verified: false }))
  const release = await delayBundle(page)
  await openPrerendered(page, '/auth/ask-verify')
  await expect(heading(page, t(m.auth_ask_verify_title))).toBeVisible()
  await page.getByRole('button', { name: t(m.auth_ask_verify_action) }).click()
  release()
  await expect(page.getByText(t(m.auth_ask_verify_sent))).toBeVisible()
})

test('/auth/code shows the sign-in to the site at once', async ({ page, t, newUser }) => {
  await storeSession(page, await newUser())
  const release = await delayBundle(page)
  const query = 'client_id=x&redirect_uri=https://x.example/&state=x&response_type=code'
  await openPrerendered(page, `/auth/code?${query}`)
  await expect(heading(page, t(m.oauth_code_title))).toBeVisible()
  await expect(page.getByText(t(m.oauth_signing_in_to, { host: '…' }))).toBeVisible()
  release()
  await expect(page.getByText(t(m.oauth_code_failed))).toBeVisible()
})

test.describe('a page that is not prerendered', () => {
  for (const [what, path] of [
    ['a link without its token', '/auth/reset-password'],
    ['an external login that failed', '/auth/login?error=external_login_failed'],
    ['an invitation', '/auth/login?next=%2Fteams%2Finvitations%3Femail%3Da%40example.com'],
    ['a path that leads nowhere', '/nothing/here'],
  ] as const)
    test(`shows only the banner before the bundle: ${what}`, async ({ page, t }) => {
      const release = await delayBundle(page)
      await openPrerendered(page, path)
      await expect(page.getByText(t(m.shell_alpha_notice))).toBeVisible()
      await expect(page.getByRole('heading')).toHaveCount(0)
      release()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    })

  test('a signed-in user sees nothing of the login page', async ({ page, t, newUser }) => {
    const { token } = await newUser()
    await page.addInitScript(`localStorage.setItem('token', ${JSON.stringify(token)})`)
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/login')
    await expect(page.getByRole('heading')).toHaveCount(0)
    release()
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })
})

test.describe('input before the bundle runs', () => {
  test('a submitted form is sent', async ({ page, t, newUser }) => {
    const { email, password } = await newUser()
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/login')
    await page.getByLabel(t(m.auth_email), { exact: true }).fill(email)
    await page.getByLabel(t(m.auth_password), { exact: true }).fill(password)
    const request = page.waitForRequest(`**/api${login.path}`)
    const button = page.getByRole('button', { name: t(m.auth_login), exact: true })
    await button.click()
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await expect(page).toHaveURL('/auth/login')
    release()
    expect((await request).postDataJSON()).toEqual({
      email,
      password,
      __captcha_solution__: null,
    })
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })

  test('a scrolled page stays where it is', async ({ page, t }) => {
    await page.setViewportSize({ width: 1280, height: 400 })
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/sign-up')
    await page.evaluate('scrollTo(0, 200)')
    release()
    // Loads after the first rendering.
    await expect(continueWithGoogle(page, t)).toBeVisible()
    expect(await page.evaluate('scrollY')).toBe(200)
  })

  test('the focus and the caret stay', async ({ page, t }) => {
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/sign-up')
    const field = page.getByLabel(t(m.auth_name), { exact: true })
    await field.fill('Ada Byron')
    await page.evaluate('document.activeElement.setSelectionRange(4, 9)')
    release()
    await expectHydrated(page)
    await expect(field).toBeFocused()
    const { selectionStart, selectionEnd } = await page.evaluate<Record<string, number>>(
      '(({ selectionStart, selectionEnd }) => ({ selectionStart, selectionEnd }))(document.activeElement)',
    )
    expect([selectionStart, selectionEnd]).toEqual([4, 9])
    await field.pressSequentially('Lovelace')
    await expect(field).toHaveValue('Ada Lovelace')
  })

  test('Enter sends a form once, however often it is pressed', async ({ page, t }) => {
    const sent: unknown[] = []
    await page.route(`**/api${forgotPassword.path}`, (route) => {
      sent.push(route.request().postDataJSON())
      return route.fulfill({ status: 204 })
    })
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/forgot-password')
    const field = page.getByLabel(t(m.auth_email), { exact: true })
    await field.fill('ada@example.com')
    for (let times = 0; times < 3; times++) await field.press('Enter')
    await expect(page).toHaveURL('/auth/forgot-password')
    release()
    await expect(page.getByText(t(m.auth_forgot_sent, { email: 'ada@example.com' }))).toBeVisible()
    expect(sent).toEqual([{ email: 'ada@example.com' }])
  })

  test('an empty submitted form names the missing fields', async ({ page, t }) => {
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/login')
    await page.getByRole('button', { name: t(m.auth_login), exact: true }).click()
    release()
    await expect(page.getByText(t(m.form_enter_email))).toBeVisible()
  })

  test('a checked captcha is solved', async ({ page, t }) => {
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/sign-up')
    const captcha = page.getByRole('checkbox', { name: t(m.captcha_label) })
    await captcha.click()
    await expect(captcha).not.toBeChecked()
    release()
    await expect(captcha).toBeChecked()
    await solveCaptcha(page, t)
  })

  test('the selected language and color mode apply', async ({ page, t }) => {
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/login')
    await page.getByRole('combobox', { name: t(m.shell_color_mode) }).selectOption('dark')
    await page.getByRole('combobox', { name: t(m.shell_language) }).selectOption('tr')
    release()
    await expect(heading(page, textsIn('tr')(m.auth_login_title))).toBeVisible()
    await expect(page.locator('html')).toHaveCSS('background-color', canvas.dark)
  })

  test('a dismissed banner stays dismissed', async ({ page, t }) => {
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/login')
    await page.getByRole('button', { name: t(m.shell_alpha_agree) }).click()
    await expect(page.getByText(t(m.shell_alpha_notice))).toBeHidden()
    release()
    await expectHydrated(page)
    await expect(page.getByText(t(m.shell_alpha_notice))).toBeHidden()
    await page.reload()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await expect(page.getByText(t(m.shell_alpha_notice))).toBeHidden()
  })

  test('a shown password stays shown', async ({ page, t }) => {
    const release = await delayBundle(page)
    await openPrerendered(page, '/auth/login')
    await page.getByRole('button', { name: t(m.shell_show_password) }).click()
    release()
    await expect(page.getByLabel(t(m.auth_password), { exact: true })).toHaveAttribute(
      'type',
      'text',
    )
  })
})

test('the language and color mode of the device are preselected', async ({ page, t }) => {
  await page.addInitScript("localStorage.setItem('colorMode', 'dark')")
  const release = await delayBundle(page)
  await openPrerendered(page, '/auth/login')
  const mode = page.getByRole('combobox', { name: t(m.shell_color_mode) })
  await expect(mode).toHaveValue('dark')
  await expect(page.locator('html')).toHaveCSS('background-color', canvas.dark)
  release()
  await expectHydrated(page)
  await expect(mode).toHaveValue('dark')
})
