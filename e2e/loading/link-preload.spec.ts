import type { Page } from '@playwright/test'
import { limits } from '@slipway/contract/limits'
import { listTickets } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

/** Records the support area's requests from now on: its chunks and its data. */
function watchSupport(page: Page) {
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === `/api${listTickets.path}`) requests.push('data')
    if (/\/assets\/ticket-list\.page-[^/]+\.js$/.test(pathname)) requests.push('code')
  })
  return requests
}

test.describe('a link', () => {
  // Otherwise the other screens' chunks are prefetched when the browser is idle.
  test.beforeEach(({ page }) =>
    page.addInitScript(
      "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
    ),
  )

  test('preloads its screen and data after 20 ms of hovering', async ({ page, t, newUser }) => {
    expect(limits.linkPreloadDelay).toBe(20)
    await storeSession(page, await newUser())
    await page.goto('/projects', { waitUntil: 'networkidle' })
    await expect(heading(page, t(m.projects_title))).toBeVisible()
    const requests = watchSupport(page)
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1000)
    const link = page.getByRole('link', { name: t(m.shell_support) })

    // A pointer that only passes preloads nothing.
    await link.hover()
    await page.clock.runFor(19)
    await heading(page, t(m.projects_title)).hover()
    await page.clock.runFor(1000)
    expect(requests).toEqual([])

    await link.hover()
    await page.clock.runFor(19)
    expect(requests).toEqual([])
    await page.clock.runFor(1)
    await expect.poll(() => requests.toSorted()).toEqual(['code', 'data'])
    await expect(page).toHaveURL('/projects')
  })

  test('preloads its screen and data when it is focused', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects', { waitUntil: 'networkidle' })
    await expect(heading(page, t(m.projects_title))).toBeVisible()
    const requests = watchSupport(page)
    await page.getByRole('link', { name: t(m.shell_support) }).focus()
    await expect.poll(() => requests.toSorted()).toEqual(['code', 'data'])
  })
})

test('the console loads no font but its own, in at most two files', async ({ page, t }) => {
  const fonts = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.add(new URL(request.url()).pathname)
  })
  await page.goto('/auth/login', { waitUntil: 'networkidle' })
  await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  await expect(page.locator('html')).toHaveCSS('font-family', /^"?Geist/)
  // Turkish needs the second file.
  const fontFile = /^\/assets\/geist-latin(-ext)?-wght-normal-[\w-]{8}\.woff2$/
  expect([...fonts].filter((path) => !fontFile.test(path))).toEqual([])
  expect(fonts.size).toBeGreaterThan(0)
})
