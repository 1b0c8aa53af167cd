import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { isHydratedScript } from '../harness/hydration.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

const tooltip = (page: Page) => page.locator('[popover]')

test.describe('the tooltip of an icon button', () => {
  test('shows while the pointer is over it, until Escape', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(heading(page, t(m.projects_title))).toBeVisible()
    await page.getByRole('button', { name: t(m.shell_language) }).hover()
    await expect(tooltip(page)).toHaveText(t(m.shell_language))
    await expect(tooltip(page)).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(tooltip(page)).toHaveCount(0)
    await page.getByRole('button', { name: t(m.shell_color_mode) }).hover()
    await expect(tooltip(page)).toHaveText(t(m.shell_color_mode))
    await heading(page, t(m.projects_title)).hover()
    await expect(tooltip(page)).toHaveCount(0)
  })

  test('shows while the button has the keyboard focus', async ({ page, t }) => {
    await page.goto('/auth/login')
    // React misses focus events before hydration.
    await expect.poll(() => page.evaluate(isHydratedScript)).toBe(true)
    await page.getByLabel(t(m.auth_password), { exact: true }).focus()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: t(m.shell_show_password) })).toBeFocused()
    await expect(tooltip(page)).toHaveText(t(m.shell_show_password))
    await page.keyboard.press('Enter')
    await expect(tooltip(page)).toHaveText(t(m.shell_hide_password))
    await page.keyboard.press('Tab')
    await expect(tooltip(page)).toHaveCount(0)
  })

  test.describe('on a touch screen', () => {
    test.use({ hasTouch: true })

    test('does not show', async ({ page, t }) => {
      await page.goto('/auth/login')
      await page.getByRole('button', { name: t(m.shell_show_password) }).tap()
      await expect(page.getByRole('button', { name: t(m.shell_hide_password) })).toBeVisible()
      await expect(tooltip(page)).toHaveCount(0)
    })
  })
})
