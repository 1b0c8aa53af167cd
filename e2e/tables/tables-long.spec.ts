import { m } from '@slipway/phrases'
import { newId } from '../../apps/server/src/db/ids.ts'
import { projects } from '../../apps/server/src/modules/projects/projects.schema.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import type { TestDatabase } from '../harness/database.ts'
import { heading, tabTo } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

/** Inserts failed projects; the last one is first in the list. */
async function insertMany({ db }: TestDatabase, user: TestUser, count: number) {
  const { id: teamId } = await ownTeam(user)
  const now = Date.now()
  const batch = 1000
  for (let start = 0; start < count; start += batch)
    await db.insert(projects).values(
      Array.from({ length: Math.min(batch, count - start) }, (_, index) => {
        const number = start + index + 1
        const createdAt = new Date(now - (count - number) * 1000)
        const id = newId<'Project'>()
        return {
          id,
          teamId,
          // The key has no digits, so that a search by number only matches names.
          key: id.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? ''),
          regionId: 'eu',
          name: `Example ${number}`,
          state: 'failed_creating' as const,
          createdAt,
          updatedAt: createdAt,
        }
      }),
    )
}

test.describe('a list of 10,000 projects', () => {
  const rowCount = 10_000

  test('renders only the rows near the screen, at every scroll position', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertMany(database, user, rowCount)
    await storeSession(page, user)
    await page.goto('/projects')
    const table = page.getByRole('table')
    await expect(table).toHaveAttribute('aria-rowcount', `${rowCount + 1}`)
    const first = page.getByRole('row', { name: 'Example 10000' })
    await expect(first).toHaveAttribute('aria-rowindex', '2')
    expect(await page.getByRole('row').count()).toBeLessThan(80)
    await expectAccessible(page)

    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await expect(page.getByRole('link', { name: 'Example 1', exact: true })).toBeInViewport()
    expect(await page.getByRole('row').count()).toBeLessThan(80)

    await page.evaluate('scrollTo(0, 0)')
    await page.getByRole('searchbox', { name: t(m.tables_search_projects) }).fill('example 777')
    await expect(page.getByRole('search').getByRole('status')).toHaveText(
      t(m.tables_shown_of, { shown: 19, total: rowCount }),
    )
    await expect(page.getByRole('rowheader')).toHaveCount(19)
  })

  test('is navigated by keys and keeps the focus while it scrolls', async ({
    page,
    newUser,
    database,
  }) => {
    const user = await newUser()
    await insertMany(database, user, 300)
    await storeSession(page, user)
    await page.goto('/projects')
    const link = (number: number) =>
      page.getByRole('link', { name: `Example ${number}`, exact: true })
    await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '301')
    await link(290).focus()
    for (let number = 289; number > 240; number--) {
      await tabTo(link(number))
      await expect(link(number)).toBeInViewport()
    }
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await expect(link(1)).toBeInViewport()
    await expect(link(241)).toBeFocused()
    await tabTo(link(240))
    await expect(link(240)).toBeInViewport()
  })

  for (const width of [1280, 390])
    test(`restores the scroll position after Back, ${width} px wide`, async ({
      page,
      newUser,
      database,
    }) => {
      const user = await newUser()
      await insertMany(database, user, 1000)
      await page.setViewportSize({ width, height: 844 })
      await storeSession(page, user)
      await page.goto('/projects')
      await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '1001')
      const link = page.getByRole('link', { name: 'Example 500', exact: true })
      // Scrolls from the last rendered row to the next ones, so that each row is rendered and
      // measured.
      await page.evaluate(`new Promise((resolve) => {
        function findLink() {
          const links = [...document.querySelectorAll('tbody a')]
          if (links.some(({ textContent }) => textContent === 'Example 500')) return resolve()
          links.at(-1)?.scrollIntoView({ block: 'start' })
          requestAnimationFrame(findLink)
        }
        findLink()
      })`)
      await link.evaluate((element) => element.scrollIntoView({ block: 'center' }))
      const positionOfLink = async () => Math.round((await link.boundingBox())?.y ?? -1)
      // The position at the click, which may scroll first.
      await page.evaluate(`addEventListener('click', ({ target }) => {
        globalThis.yAtClick = Math.round(target.getBoundingClientRect().y)
      }, true)`)
      await link.click()
      await expect(heading(page, 'Example 500')).toBeVisible()
      await page.goBack()
      await expect(link).toBeInViewport()
      await expect.poll(positionOfLink).toBe(await page.evaluate<number>('globalThis.yAtClick'))
    })
})
