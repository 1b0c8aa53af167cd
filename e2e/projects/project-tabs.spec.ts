import type { Locator } from '@playwright/test'
import { m } from '@slipway/phrases'
import { storeSession } from '../harness/auth-screens.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

const tabs = [
  m.release_title,
  m.logs_title,
  m.traffic_title,
  m.domains_title,
  m.backups_title,
  m.activity_title,
  m.projects_settings,
]

/** The position of an element on the page, however far the page is scrolled. */
const positionOf = (element: Locator) =>
  element.evaluate((node) => {
    const { left, top, width, height } = node.getBoundingClientRect()
    return { left, top: top + scrollY, width, height }
  })

test('the header of a project keeps its element and its position on every tab', async ({
  page,
  t,
  newUser,
}) => {
  const user = await newUser()
  const { key, name } = await createReadyProject(user, 'Harbour Cafe')
  await storeSession(page, user)
  await page.goto(`/projects/view/${key}`)
  const header = page.locator('main header')
  const bar = page.getByRole('navigation', { name: t(m.projects_tabs) })
  const openSite = header.getByRole('link', { name: t(m.projects_visit_named, { name }) })
  await expect(heading(page, name)).toBeVisible()
  await header.evaluate((element) => element.setAttribute('data-initial-element', ''))
  const positions = () => Promise.all([header, heading(page, name), openSite, bar].map(positionOf))
  const before = await positions()
  for (const tab of tabs) {
    const link = bar.getByRole('link', { name: t(tab), exact: true })
    await link.click()
    await expect(page).toHaveTitle([t(tab), name, t(m.projects_title), 'Slipway'].join(' · '))
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expect(header).toHaveAttribute('data-initial-element')
    expect(await positions()).toEqual(before)
  }
  await bar.getByRole('link', { name: t(m.projects_tab_overview), exact: true }).click()
  await expect(page).toHaveTitle([name, t(m.projects_title), 'Slipway'].join(' · '))
  await expect(header).toHaveAttribute('data-initial-element')
  expect(await positions()).toEqual(before)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })

  test('the header of a project is one line on every tab but the overview', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const name = 'Verwaltungsgerichtsverfahrensbeschleunigungsgesetz'
    const { key } = await createReadyProject(user, name)
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}`)
    const header = page.locator('main header')
    const bar = page.getByRole('navigation', { name: t(m.projects_tabs) })
    const openSite = header.getByRole('link', { name: t(m.projects_visit_named, { name }) })
    const menu = header.getByRole('button', { name: t(m.projects_menu) })
    await expect(heading(page, name)).toBeVisible()
    await expect(bar.getByRole('link').first()).toHaveAttribute('aria-current', 'page')
    // The page ends 16 px before the window.
    expect(await positionOf(menu)).toMatchObject({ left: 330, width: 44, height: 44 })
    const positions = () =>
      Promise.all([header, heading(page, name), openSite, menu, bar].map(positionOf))
    let first: Awaited<ReturnType<typeof positions>> | undefined
    for (const tab of tabs) {
      const link = bar.getByRole('link', { name: t(tab), exact: true })
      await link.click()
      await expect(page).toHaveTitle([t(tab), name, t(m.projects_title), 'Slipway'].join(' · '))
      first ??= await positions()
      expect(await positions()).toEqual(first)
    }
    expect(first?.[0]).toMatchObject({ width: 358, height: 44 })
    expect(first?.[3]).toMatchObject({ left: 330, width: 44, height: 44 })
  })
})

test('the tab list fades only at an edge with more tabs beyond it', async ({
  page,
  t,
  newUser,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const user = await newUser()
  const { key, name } = await createReadyProject(user, 'Harbour Cafe')
  await storeSession(page, user)
  await page.goto(`/projects/view/${key}`)
  await expect(heading(page, name)).toBeVisible()
  const bar = page.getByRole('navigation', { name: t(m.projects_tabs) })
  const list = bar.getByRole('list')
  await expect(list).toHaveAttribute('style', '--fade-start: 0px; --fade-end: 32px;')
  await bar.getByRole('link', { name: t(m.projects_settings), exact: true }).click()
  await expect(list).toHaveAttribute('style', '--fade-start: 32px; --fade-end: 0px;')
  await page.setViewportSize({ width: 1440, height: 844 })
  await expect(list).toHaveAttribute('style', '--fade-start: 0px; --fade-end: 0px;')
})
