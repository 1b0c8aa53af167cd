import { day } from '@slipway/contract/limits'
import { createProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { selectRegion } from '../harness/project-screens.ts'
import { expect, test } from '../harness/test.ts'

test('a slow action shows a spinner, and a quick one does not flicker', async ({
  page,
  t,
  newUser,
}) => {
  await page.clock.install()
  await storeSession(page, await newUser())
  await page.goto('/projects/create')
  const delay = Promise.withResolvers<void>()
  await page.route(`**/api${createProject.path}`, async (route) => {
    await delay.promise
    await route.fulfill({ status: 429, json: { code: 429, error: 'too_many_requests' } })
  })
  await page.getByLabel(t(m.projects_name), { exact: true }).fill('Harbour Cafe')
  await selectRegion(page)
  const button = page.getByRole('button', { name: t(m.projects_create) })
  const width = async () => (await button.boundingBox())?.width
  const quietWidth = await width()
  const spinner = button.locator('svg')
  const busyStatus = page.getByText(t(m.shell_working), { exact: true })
  await page.clock.pauseAt(Date.now() + day)
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')

  await page.clock.runFor(390)
  await expect(spinner).toHaveCount(0)
  await expect(busyStatus).toHaveCount(0)
  await page.clock.runFor(20)
  await expect(spinner).toBeVisible()
  await expect(busyStatus).toBeAttached()
  expect(await width()).toBe(quietWidth)
  await expect(button).toBeFocused()

  delay.resolve()
  await page.clock.resume()
  await expect(page.getByRole('alert')).toHaveText(t(m.error_too_many_requests))
  await expect(spinner).toHaveCount(0)
  await expect(busyStatus).toHaveCount(0)
})
