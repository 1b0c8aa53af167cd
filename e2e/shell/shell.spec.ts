import { getProfile } from '@slipway/contract/account'
import { createProject, listProjects } from '@slipway/contract/projects'
import { listRegions } from '@slipway/contract/regions'
import { listTeams } from '@slipway/contract/teams'
import { type Locale, m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { logOut, storeSession } from '../harness/auth-screens.ts'
import { pauseClock, runClockUntilVisible } from '../harness/clock.ts'
import { selectRegion } from '../harness/project-screens.ts'
import { heading, tabTo } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { textsIn } from '../harness/texts.ts'

const inTurkish = textsIn('tr')

test.describe('the language', () => {
  for (const [browser, language] of [
    ['tr-TR', 'tr'],
    ['en-US', 'en'],
    ['de-DE', 'en'],
  ] satisfies [string, Locale][])
    test.describe(`of a browser in ${browser}`, () => {
      test.use({ locale: browser })

      test(`is ${language} at first`, async ({ page }) => {
        await page.goto('/auth/login')
        await expect(heading(page, textsIn(language)(m.auth_login_title))).toBeVisible()
        await expect(page.locator('html')).toHaveAttribute('lang', language)
      })
    })

  test('changes at once and keeps the page, the input and the URL', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create?from=mail')
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Half typed')
    await page.getByRole('button', { name: t(m.shell_language) }).click()
    await page.getByRole('menuitemradio', { name: 'Türkçe' }).click()
    await expect(heading(page, inTurkish(m.projects_create_title))).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
    await expect(page).toHaveTitle(
      `${inTurkish(m.projects_create_title)} · ${inTurkish(m.projects_title)} · Slipway`,
    )
    await expect(page).toHaveURL('/projects/create?from=mail')
    await expect(page.getByLabel(inTurkish(m.projects_name), { exact: true })).toHaveValue(
      'Half typed',
    )
    await page.reload()
    await expect(heading(page, inTurkish(m.projects_create_title))).toBeVisible()
  })

  test('changes on the auth pages too, and stays after the login', async ({ page, t, newUser }) => {
    const { email, password } = await newUser()
    await page.goto('/auth/login')
    await page.getByRole('combobox', { name: t(m.shell_language) }).selectOption('tr')
    await expect(heading(page, inTurkish(m.auth_login_title))).toBeVisible()
    await page.getByLabel(inTurkish(m.auth_email)).fill(email)
    await page.getByLabel(inTurkish(m.auth_password), { exact: true }).fill(password)
    await page.getByRole('button', { name: inTurkish(m.auth_login), exact: true }).click()
    await expect(heading(page, inTurkish(m.projects_title))).toBeVisible()
  })
})

test.describe('before the bundle runs', () => {
  for (const isDismissed of [false, true])
    test(`the page ${isDismissed ? 'hides the dismissed banner' : 'shows the banner in its colors'}`, async ({
      page,
      t,
    }) => {
      const delay = Promise.withResolvers<void>()
      await page.route('**/assets/*.js', async (route) => {
        await delay.promise
        await route.continue()
      })
      if (isDismissed) await page.addInitScript("localStorage.setItem('openAlphaAgreed', 'yes')")
      const request = page.waitForRequest('**/assets/*.js')
      await page.goto('/auth/login', { waitUntil: 'commit' })
      await request
      const banner = page.getByText(t(m.shell_alpha_notice))
      if (isDismissed) await expect(banner).toBeHidden()
      else {
        await expect(banner).toBeVisible()
        const bar = page.getByRole('complementary', { name: t(m.shell_alpha) })
        await expect(bar).toHaveCSS('background-color', 'rgb(253, 245, 227)')
      }
      delay.resolve()
      await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    })

  test('the chunks and calls of the screen are requested together with the bundle', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    const delay = Promise.withResolvers<void>()
    const expectedRequests = Promise.all([
      page.waitForRequest(/\/assets\/project-list\.page-[^/]+\.js$/),
      ...[getProfile, listRegions, listTeams, listProjects].map(({ path }) =>
        page.waitForRequest(`**/api${path}`),
      ),
    ])
    await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
      await delay.promise
      await route.continue()
    })
    await page.goto('/projects', { waitUntil: 'commit' })
    // The bundle, which would request them, has not arrived.
    await expectedRequests
    const laterRequests: string[] = []
    page.on('request', (request) => laterRequests.push(new URL(request.url()).pathname))
    delay.resolve()
    await expect(heading(page, t(m.projects_title))).toBeVisible()
    // The bundle uses those responses; only lists are refetched, when live updates start.
    expect(laterRequests).not.toContain(`/api${getProfile.path}`)
    expect(laterRequests).not.toContain(`/api${listRegions.path}`)
  })
})

test.describe('the color mode', () => {
  test('follows the system until the user selects one, which then stays', async ({
    page,
    t,
    newUser,
  }) => {
    const html = page.locator('html')
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(html).toHaveAttribute('data-theme', 'light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(html).toHaveAttribute('data-theme', 'dark')

    const choose = async (mode: string) => {
      await page.getByRole('button', { name: t(m.shell_color_mode) }).click()
      await page.getByRole('menuitemradio', { name: mode }).click()
    }
    await choose(t(m.shell_color_light))
    await expect(html).toHaveAttribute('data-theme', 'light')
    await page.reload()
    await expect(html).toHaveAttribute('data-theme', 'light')
    await choose(t(m.shell_color_dark))
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(html).toHaveAttribute('data-theme', 'dark')
    await choose(t(m.shell_color_auto))
    await expect(html).toHaveAttribute('data-theme', 'light')
  })

  test('is the same in every tab', async ({ page, context, t }) => {
    await page.goto('/auth/login')
    const otherTab = await context.newPage()
    await otherTab.goto('/auth/sign-up')
    await page.getByRole('combobox', { name: t(m.shell_color_mode) }).selectOption('dark')
    await expect(otherTab.locator('html')).toHaveAttribute('data-theme', 'dark')
  })
})

test.describe('the Open Alpha banner', () => {
  test('stays until it is dismissed, once per device', async ({ page, t, otherBrowser }) => {
    await page.goto('/auth/login')
    await page.getByRole('button', { name: t(m.shell_alpha_agree) }).click()
    await expect(page.getByText(t(m.shell_alpha_notice))).toBeHidden()
    await page.goto('/auth/sign-up')
    await expect(heading(page, t(m.auth_sign_up_title))).toBeVisible()
    await expect(page.getByText(t(m.shell_alpha_notice))).toBeHidden()
    const otherPage = await otherBrowser()
    await otherPage.goto('/auth/login')
    await expect(otherPage.getByText(t(m.shell_alpha_notice))).toBeVisible()
  })
})

test.describe('the navigation', () => {
  test('leads to every area', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    const navigation = page.getByRole('navigation', { name: t(m.shell_navigation) })
    for (const [area, title] of [
      [t(m.shell_teams), t(m.teams_title)],
      [t(m.shell_support), t(m.support_title)],
      [t(m.shell_billing), t(m.invoices_overview_title)],
    ] as const) {
      await navigation.getByRole('link', { name: area }).click()
      await expect(heading(page, title)).toBeFocused()
      await expect(navigation.getByRole('link', { name: area })).toHaveAttribute(
        'aria-current',
        'page',
      )
    }
    await expectAccessible(page)
    await navigation.getByRole('link', { name: t(m.shell_projects), exact: true }).click()
    await expect(heading(page, t(m.projects_title))).toBeVisible()
    await page.getByRole('button', { name: t(m.shell_user_menu) }).click()
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: t(m.shell_account) }).click()
    await expect(page).toHaveURL('/account/profile')
  })

  test('is not undone by a late response', async ({ page, t, newUser }) => {
    await page.clock.install()
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    const delay = Promise.withResolvers<void>()
    await page.route(`**/api${createProject.path}`, async (route) => {
      await delay.promise
      await route.continue()
    })
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Slow Shop')
    await selectRegion(page)
    await page.getByRole('button', { name: t(m.projects_create) }).click()
    await page.getByRole('link', { name: t(m.shell_teams) }).click()
    await expect(heading(page, t(m.teams_title))).toBeVisible()
    await pauseClock(page)
    delay.resolve()
    const name = 'Slow Shop'
    const createdToast = page.getByText(t(m.projects_created_toast, { name }))
    await runClockUntilVisible(
      page,
      createdToast.or(page.getByText(t(m.projects_ready_toast, { name }))),
    )
    await page.clock.resume()
    await expect(page).toHaveURL('/teams')
    await page.getByRole('link', { name: t(m.shell_projects) }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Slow Shop' })).toBeVisible()
  })

  test('can be skipped by keyboard', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: t(m.shell_skip) })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: t(m.projects_create) })).toBeFocused()
  })

  test('opens its menus by keyboard, and restores the focus', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    const button = page.getByRole('button', { name: t(m.shell_color_mode) })
    await tabTo(button)
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitemradio', { checked: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('says in text that live updates are on', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByRole('button', { name: t(m.shell_connected) })).toBeVisible()
  })

  test('ends the session on the server at logout', async ({ page, t, newUser }) => {
    const user = await newUser()
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(heading(page, t(m.projects_title))).toBeVisible()
    const ended = page.waitForResponse((response) => response.url().endsWith('/auth/logout'))
    await logOut(page, t)
    expect((await ended).status()).toBe(204)
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  })
})

test.describe('an unknown URL', () => {
  test('shows a page that leads home', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/no/such/page')
    await expect(heading(page, t(m.shell_page_not_found))).toBeVisible()
    await expect(page).toHaveTitle(`${t(m.shell_page_not_found)} · Slipway`)
    await expect(page.getByRole('navigation', { name: t(m.shell_navigation) })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: t(m.shell_home) }).click()
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })
})
