import type { Page } from '@playwright/test'
import { getProfile } from '@slipway/contract/account'
import { listProjects } from '@slipway/contract/projects'
import { listRegions } from '@slipway/contract/regions'
import { listTeams } from '@slipway/contract/teams'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { rejectCalls } from '../harness/rejected-calls.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

/** The data that a page of projects needs, and its name in an error. */
const parts = [
  { name: 'the profile', path: getProfile.path, item: m.shell_item_account },
  { name: 'the regions', path: listRegions.path, item: m.shell_item_regions },
  { name: 'the teams', path: listTeams.path, item: m.shell_item_teams },
]

const waitForCall = (page: Page, path: string) => page.waitForResponse(`**/api${path}`)

for (const { name, path, item } of parts)
  test.describe(`until the console has loaded ${name}`, () => {
    test('the page stays hidden, even if the rest is loaded', async ({ page, t, newUser }) => {
      await storeSession(page, await newUser())
      const delay = Promise.withResolvers<void>()
      await page.route(`**/api${path}`, async (route) => {
        await delay.promise
        await route.continue()
      })
      const others = [getProfile, listRegions, listTeams, listProjects].filter(
        (call) => call.path !== path,
      )
      const responses = others.map((call) => waitForCall(page, call.path))
      await page.goto('/projects')
      for (const response of await Promise.all(responses)) await response.finished()
      await expect(page.getByRole('navigation', { name: t(m.shell_navigation) })).toBeVisible()
      await expect(page.getByRole('main')).toHaveText(t(m.shell_loading))
      delay.resolve()
      await expect(heading(page, t(m.projects_title))).toBeVisible()
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    })

    test('a failure names what failed and why, and can be retried', async ({
      page,
      t,
      newUser,
    }) => {
      await storeSession(page, await newUser())
      const { allowAtClick } = await rejectCalls(page, path)
      await page.goto('/projects')
      const failure = page.getByRole('alert')
      await expect(failure).toContainText(t(m.shell_loading_failed, { item: t(item) }))
      await expect(failure).toContainText(t(m.error_too_many_requests))
      await expect(page.getByText(t(m.projects_empty))).toHaveCount(0)
      await expectAccessible(page)
      await allowAtClick(page.getByRole('button', { name: t(m.shell_retry) }))
      await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    })
  })

test.describe('the list of teams without a team', () => {
  test('says that there are no teams yet', async ({ page, t, newUser }) => {
    // Sign-up creates a team, so the server never sends this.
    await page.route(`**/api${listTeams.path}`, (route) => route.fulfill({ json: [] }))
    await storeSession(page, await newUser())
    await page.goto('/teams')
    await expect(page.getByText(t(m.teams_empty))).toBeVisible()
    await expectAccessible(page)
  })
})

test.describe('the localStorage of the console', () => {
  test('has the documented keys', async ({ page, t, newUser }) => {
    const user = await newUser()
    await storeSession(page, user)
    await page.goto('/projects')
    await page.getByRole('button', { name: t(m.shell_color_mode) }).click()
    await page.getByRole('menuitemradio', { name: t(m.shell_color_dark) }).click()
    await page.getByRole('button', { name: t(m.shell_language) }).click()
    await page.getByRole('menuitemradio', { name: 'Türkçe' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
    expect(await page.evaluate<object>('({ ...localStorage })')).toMatchObject({
      token: user.token,
      colorMode: 'dark',
      preferredLocale: 'tr',
    })
  })
})
