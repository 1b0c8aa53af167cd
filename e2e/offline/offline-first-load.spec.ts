import type { Page } from '@playwright/test'
import { createTicket, listTickets } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import type { TestUser } from '../harness/user.ts'

const areaLink = (page: Page, t: Translate, name: () => string) =>
  page.getByRole('navigation', { name: t(m.shell_navigation) }).getByRole('link', { name: t(name) })

const failureAlert = (page: Page, t: Translate, item: () => string) =>
  page
    .getByRole('main')
    .getByRole('alert')
    .filter({ hasText: t(m.shell_loading_failed, { item: t(item) }) })

/** Opens a page with few requests and waits until the other screens' chunks are prefetched. */
async function openProfile(page: Page, user: TestUser) {
  await storeSession(page, user)
  // The command palette is prefetched after all screens.
  const last = page.waitForResponse(/\/assets\/palette-[^/]+\.js$/)
  await page.goto('/account/profile')
  await (await last).finished()
}

for (const locale of testedLocales)
  test.describe(`a page that was never loaded, in ${locale}`, () => {
    test.use({ locale, expectedErrors: [/Failed to load resource|net::ERR_|WebSocket/] })

    test('reports the missing network, and loads once it is back', async ({
      page,
      context,
      t,
      newUser,
    }) => {
      await openProfile(page, await newUser())
      await context.setOffline(true)
      const lists = [
        { name: m.shell_projects, item: m.shell_item_teams },
        { name: m.shell_teams, item: m.teams_item_list },
        { name: m.shell_billing, item: m.cards_item_list },
        { name: m.shell_support, item: m.support_item_list },
      ]
      for (const { name, item } of lists) {
        await areaLink(page, t, name).click()
        await expect(failureAlert(page, t, item)).toContainText(t(m.shell_offline_waits))
        await expect(
          failureAlert(page, t, item).getByRole('button', { name: t(m.shell_retry) }),
        ).toBeVisible()
      }
      await expectAccessible(page)
      await context.setOffline(false)
      await expect(page.getByText(t(m.support_empty))).toBeVisible()
    })
  })

test.describe('data that was never loaded', () => {
  test.use({ expectedErrors: [/Failed to load resource|net::ERR_|WebSocket/] })

  test('a ticket opens once the network is back', async ({ page, context, t, newUser }) => {
    const user = await newUser()
    await user.call(createTicket, {
      body: { subject: 'The shop is slow', message: 'Since this morning.' },
    })
    await openProfile(page, user)
    await areaLink(page, t, m.shell_support).click()
    const link = page.getByRole('link', { name: 'The shop is slow' })
    await expect(link).toBeVisible()
    await context.setOffline(true)
    await link.click()
    await expect(failureAlert(page, t, m.support_item_ticket)).toContainText(
      t(m.shell_offline_waits),
    )
    await context.setOffline(false)
    await expect(heading(page, 'The shop is slow')).toBeVisible()
    await expect(page.getByText('Since this morning.')).toBeVisible()
  })

  test('a failed list shows its error, not a skeleton, during a retry', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.route(`**/api${listTickets.path}`, (route) => route.abort())
    await page.goto('/support/tickets')
    await expect(failureAlert(page, t, m.support_item_list)).toContainText(t(m.error_network))
    let respond = () => {}
    const response = new Promise<void>((resolve) => {
      respond = resolve
    })
    await page.unroute(`**/api${listTickets.path}`)
    await page.route(`**/api${listTickets.path}`, async (route) => {
      await response
      await route.continue()
    })
    const request = page.waitForRequest(`**/api${listTickets.path}`)
    await page.getByRole('button', { name: t(m.shell_retry) }).click()
    await request
    await expect(page.getByRole('main').getByRole('alert').getByRole('button')).toHaveAttribute(
      'aria-busy',
      'true',
    )
    await expect(page.getByRole('table')).toHaveCount(0)
    respond()
    await expect(page.getByText(t(m.support_empty))).toBeVisible()
  })
})
