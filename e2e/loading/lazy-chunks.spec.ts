import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

test.describe('without the lazy chunks', () => {
  // A module that fails to load is an error without a stack.
  test.use({ expectedErrors: [/Failed to fetch dynamically imported module|net::ERR_FAILED/] })

  test("the console falls back to the browser's dialog for unsaved input", async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.route('**/assets/leave-dialog-*.js', (route) => route.abort())
    await page.goto('/projects/create')
    const name = page.getByLabel(t(m.projects_name), { exact: true })
    await name.fill('Harbour Cafe')
    const dialogResponses = [false, true]
    const dialogMessages: string[] = []
    page.on('dialog', async (dialog) => {
      dialogMessages.push(dialog.message())
      if (dialogResponses.shift()) await dialog.accept()
      else await dialog.dismiss()
    })
    const cancel = page.getByRole('link', { name: t(m.shell_cancel) })
    await cancel.click()
    await expect.poll(() => dialogMessages.length).toBe(1)
    expect(dialogMessages[0]).toContain(t(m.unsaved_title))
    await expect(name).toHaveValue('Harbour Cafe')
    await cancel.click()
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })

  test('a confirmation opens although its preload failed', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    const file = '**/assets/leave-dialog-*.js'
    await page.route(file, (route) => route.abort())
    await page.goto('/projects/create')
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Harbour Cafe')
    await page.unroute(file)
    await page.getByRole('link', { name: t(m.shell_cancel) }).click()
    await expect(page.getByRole('alertdialog')).toContainText(t(m.unsaved_title))
  })

  test('a menu whose chunk failed to load stays closed, and opens on the next click', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    const file = '**/assets/menu-popup-*.js'
    await page.route(file, (route) => route.abort())
    await page.goto('/teams')
    const button = page.getByRole('button', { name: t(m.shell_language) })
    await button.click()
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    await page.unroute(file)
    await button.click()
    await expect(page.getByRole('menu')).toBeVisible()
  })
})
