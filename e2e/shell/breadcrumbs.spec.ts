import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertOwnProject } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

const longName =
  'A very long name that hardly any shop has, but one of them will have it all the same'

const crumbs = (page: Page, t: Translate) =>
  page.getByRole('navigation', { name: t(m.navigation_breadcrumb) })

// every-screen.spec.ts checks the title of each screen.
test.describe('the title of the tab', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_/] })

  test('names the sign-in to a site and the page that is not found', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    const query = 'client_id=x&redirect_uri=https://x.example/&state=x&response_type=code'
    for (const [path, name] of [
      // An unknown site: its error page has the same title.
      [`/auth/code?${query}`, t(m.oauth_code_title)],
      ['/no/such/page', t(m.shell_page_not_found)],
    ] as const) {
      await page.goto(path)
      await expect(heading(page, name)).toBeVisible()
      await expect(page).toHaveTitle(`${name} · Slipway`)
    }
  })

  test('shows that the account loads and that it failed to load', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    const delay = Promise.withResolvers<void>()
    await page.route('**/api/account/profile/user', async (route) => {
      await delay.promise
      await route.fulfill({ status: 404, json: { code: 404, error: 'item_not_found' } })
    })
    await page.goto('/projects')
    await expect(page).toHaveTitle(`${t(m.shell_loading)} · Slipway`)
    delay.resolve()
    const failed = t(m.shell_loading_failed, { item: t(m.shell_item_account) })
    await expect(page).toHaveTitle(`${failed} · Slipway`)
    await page.unroute('**/api/account/profile/user')
    await page.getByRole('button', { name: t(m.shell_retry) }).click()
    await expect(page).toHaveTitle(`${t(m.projects_title)} · Slipway`)
  })
})

test.describe('the breadcrumbs', () => {
  test('link to each page above, and name the current one to screen readers alone', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const project = await insertOwnProject(database, user, { name: longName })
    await storeSession(page, user)
    await page.goto('/account/billing/invoices/pay')
    await expect(crumbs(page, t).getByRole('listitem')).toHaveText([
      new RegExp(t(m.invoices_overview_title)),
      new RegExp(t(m.invoices_title)),
      t(m.payments_screen_title),
    ])
    const currentCrumb = crumbs(page, t).locator('[aria-current="page"]')
    await expect(currentCrumb).toHaveText(t(m.payments_screen_title))
    await expect(currentCrumb).toHaveCSS('clip-path', 'inset(50%)')
    await expectAccessible(page)
    await crumbs(page, t)
      .getByRole('link', { name: t(m.invoices_title) })
      .click()
    await expect(heading(page, t(m.invoices_title))).toBeFocused()
    // An arrow is before a link that is alone.
    await expect(crumbs(page, t).locator('svg:visible')).toHaveCount(0)
    await page.goto('/projects/create')
    await expect(crumbs(page, t).getByRole('link')).toHaveText([t(m.projects_title)])
    await expect(crumbs(page, t).locator('svg')).toBeVisible()
    await page.goto(`/projects/view/${project.key}`)
    await expect(currentCrumb).toHaveText(longName)
  })

  test('link on a phone to the page above alone', async ({ page, t, newUser }) => {
    await page.setViewportSize({ width: 390, height: 700 })
    await storeSession(page, await newUser())
    await page.goto('/account/billing/invoices/pay')
    const links = crumbs(page, t).getByRole('link')
    await expect(links).toHaveText([t(m.invoices_title)])
    await expect(crumbs(page, t).locator('svg')).toBeVisible()
    await links.click()
    await expect(page).toHaveURL('/account/billing/invoices')
  })
})

test.describe('the focus', () => {
  test('is on the heading of each new page, by a link, by Back and by Forward', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/teams')
    await expect(heading(page, t(m.teams_title))).toBeVisible()
    await page.getByRole('link', { name: t(m.shell_support) }).click()
    await expect(heading(page, t(m.support_title))).toBeFocused()
    await page.goBack()
    await expect(heading(page, t(m.teams_title))).toBeFocused()
    await page.goForward()
    await expect(heading(page, t(m.support_title))).toBeFocused()
  })
})

test.describe('a toast', () => {
  test('appears in a live region that screen readers already observe', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/account/profile')
    const liveRegion = page.getByRole('region', { name: t(m.shell_notifications) })
    await expect(liveRegion).toHaveAttribute('aria-live', 'polite')
    await expect(liveRegion).toHaveText('')
    await liveRegion.evaluate((element) => element.setAttribute('data-was-empty', ''))
    await page.getByRole('button', { name: t(m.account_delete) }).click()
    await expect(page.locator('[data-was-empty]')).toContainText(t(m.account_not_implemented))
  })
})
