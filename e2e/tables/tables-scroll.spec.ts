import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { insertProject, type TestDatabase } from '../harness/database.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

/** With a long and a short label. The reconciler leaves them alone: a change sorts the list. */
const states = [
  { state: 'failed_creating' },
  { state: 'ready', power: 'stopped', appliedGeneration: 1 },
] as const

const nameOf = (number: number) =>
  number === 20
    ? 'Garden'
    : number % 9 === 0
      ? `The web shop of number ${number}, with a long name`
      : `Site ${number}`

/** Inserts projects; the first one is last in the list. */
async function insertMany(database: TestDatabase, user: TestUser, count: number) {
  const { id: teamId } = await ownTeam(user)
  const now = Date.now()
  // One after the other: waiting for a connection of the pool has a timeout.
  for (let index = 0; index < count; index++)
    await insertProject(database, {
      teamId,
      name: nameOf(index + 1),
      ...(states[index % states.length] ?? states[0]),
      createdAt: new Date(now - (count - index) * 1000),
    })
}

const search = (page: Page, t: Translate) =>
  page.getByRole('searchbox', { name: t(m.tables_search_projects) })
const columnHeaders = (page: Page) => page.getByRole('columnheader')
const navigationEnd = (page: Page) =>
  page.evaluate<number>("document.querySelector('header').getBoundingClientRect().bottom")
const scrollTo = (page: Page, position: string) => page.evaluate(`scrollTo(0, ${position})`)
const scrollPosition = (page: Page) => page.evaluate<number>('Math.round(scrollY)')

const columnWidths = (page: Page) =>
  page.evaluate<number[]>(
    "[...document.querySelectorAll('thead th')].map((th) => Math.round(th.getBoundingClientRect().width))",
  )

/** Allows a pixel of difference: fractions of one are distributed by the rows that are rendered. */
async function expectWidths(page: Page, widths: readonly number[]) {
  const current = await columnWidths(page)
  expect(current).toHaveLength(widths.length)
  for (const [index, width] of current.entries())
    expect(Math.abs(width - (widths[index] ?? 0)), `column ${index}`).toBeLessThanOrEqual(1)
}

test.describe('a long list', () => {
  for (const count of [40, 300])
    test(`keeps its header and its search visible, with ${count} rows`, async ({
      page,
      t,
      newUser,
      database,
    }) => {
      const user = await newUser()
      await insertMany(database, user, count)
      await storeSession(page, user)
      await page.goto('/projects')
      await expect(
        page.getByText(t(m.tables_total_projects, { count }), { exact: true }),
      ).toBeVisible()
      await expect(page.locator('thead')).toHaveCSS('position', 'sticky')
      await expectAccessible(page)
      await scrollTo(page, 'document.documentElement.scrollHeight')
      await expect(page.getByRole('link', { name: nameOf(1), exact: true })).toBeInViewport()
      await expect(search(page, t)).toBeInViewport({ ratio: 1 })
      await expect(columnHeaders(page).nth(1)).toBeInViewport({ ratio: 1 })
      const field = await search(page, t).boundingBox()
      const names = await columnHeaders(page).nth(1).boundingBox()
      expect(field?.y).toBeGreaterThanOrEqual(await navigationEnd(page))
      expect(names?.y).toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0))

      // A search from further down shows its results from the first one.
      await search(page, t).fill('site')
      await expect(page).toHaveURL('/projects?search=site')
      const matches = page.getByRole('rowheader', { name: 'Site' })
      await expect(matches.first()).toBeInViewport({ ratio: 1 })
      expect((await matches.first().boundingBox())?.y).toBeGreaterThanOrEqual(
        (names?.y ?? 0) + (names?.height ?? 0) - 1,
      )
    })

  test('leaves the height of a low window to its rows, and keeps the search and the count on a phone', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertMany(database, user, 30)
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(page.locator('thead')).toHaveCSS('position', 'sticky')
    await page.setViewportSize({ width: 1280, height: 400 })
    await expect(page.locator('thead')).toHaveCSS('position', 'static')
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect(page.locator('thead')).toHaveCSS('position', 'sticky')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.locator('search')).toHaveCSS('position', 'sticky')
    await scrollTo(page, 'document.documentElement.scrollHeight')
    await expect(page.getByRole('link', { name: nameOf(1), exact: true })).toBeInViewport()
    await expect(search(page, t)).toBeInViewport({ ratio: 1 })
    await expect(
      page.getByText(t(m.tables_total_projects, { count: 30 }), { exact: true }),
    ).toBeInViewport({ ratio: 1 })
    expect((await search(page, t).boundingBox())?.y).toBeGreaterThanOrEqual(
      await navigationEnd(page),
    )
    await page.setViewportSize({ width: 390, height: 400 })
    await expect(page.locator('search')).toHaveCSS('position', 'static')
  })

  test('keeps the widths of its columns during a search', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertMany(database, user, 40)
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(page.getByRole('rowheader')).toHaveCount(40)
    const widths = await columnWidths(page)
    const field = search(page, t)
    await field.fill('number')
    await expect(page.getByRole('rowheader')).toHaveCount(4)
    await expectWidths(page, widths)
    await field.fill('garden')
    await expect(page.getByRole('rowheader')).toHaveCount(1)
    await expectWidths(page, widths)
    await field.fill('no such thing')
    await expect(page.getByRole('table')).toHaveCount(0)
    await field.fill('garden')
    await expect(page.getByRole('rowheader')).toHaveCount(1)
    await expectWidths(page, widths)
    await field.fill('')
    await expect(page.getByRole('rowheader')).toHaveCount(40)
    await expectWidths(page, widths)
  })

  test('keeps the widths of its columns while scrolling', async ({ page, newUser, database }) => {
    const user = await newUser()
    await insertMany(database, user, 300)
    await storeSession(page, user)
    await page.goto('/projects')
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '301')
    await expect(page.locator('thead')).toHaveCSS('position', 'sticky')
    const widths = await columnWidths(page)
    for (const position of [4000, 8000, 12_000]) {
      await scrollTo(page, `${position}`)
      await expect
        .poll(() => page.locator('tbody tr[data-index]').first().getAttribute('data-index'))
        .not.toBe('0')
      await expectWidths(page, widths)
    }
  })

  for (const { count, width } of [
    { count: 40, width: 1280 },
    { count: 300, width: 1280 },
    { count: 40, width: 390 },
  ])
    test(`restores the scroll position after a reload, ${count} rows at ${width} px`, async ({
      page,
      newUser,
      database,
    }) => {
      const user = await newUser()
      await insertMany(database, user, count)
      await page.setViewportSize({ width, height: 700 })
      await storeSession(page, user)
      await page.goto('/projects')
      await expect(page.getByRole('link', { name: nameOf(count), exact: true })).toBeVisible()
      await scrollTo(page, '1000')
      const link = page.getByRole('link', { name: nameOf(count - 18), exact: true })
      if (width > 600) await expect(link).toBeInViewport()
      await expect.poll(() => scrollPosition(page)).toBe(1000)
      await page.reload()
      // The heights of the rows have fractions of a pixel.
      await expect
        .poll(async () => Math.abs((await scrollPosition(page)) - 1000))
        .toBeLessThanOrEqual(1)
      if (width > 600) await expect(link).toBeInViewport()
    })
})
