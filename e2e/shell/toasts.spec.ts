import type { Page } from '@playwright/test'
import { limits } from '@slipway/contract/limits'
import { createProject, viewProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { passTimeUntilShown, stopTime } from '../harness/clock.ts'
import { locales } from '../harness/locales.ts'
import { askToDelete, insertOwnProject } from '../harness/project-screens.ts'
import { heading, signIn, tabTo } from '../harness/screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Say } from '../harness/texts.ts'

const toastIn = (page: Page, say: Say) =>
  page.getByRole('region', { name: say(m.shell_notifications) }).getByRole('listitem')

/** Has a toast shown that stays, for time stands still; gives it. */
async function showToast(page: Page, say: Say) {
  await page.clock.install()
  await page.goto('/account/profile')
  const button = page.getByRole('button', { name: say(m.account_delete) })
  await button.waitFor()
  await stopTime(page)
  await button.click()
  const toast = toastIn(page, say)
  await passTimeUntilShown(page, toast)
  return toast
}

async function fillProject(page: Page, say: Say, name: string) {
  await page.getByLabel(say(m.projects_name), { exact: true }).fill(name)
  await page.getByLabel(say(m.projects_region)).selectOption('eu')
}

const send = (page: Page, say: Say) =>
  page.getByRole('button', { name: say(m.projects_create) }).click()

test.describe('a toast', () => {
  test('goes by itself, but not while the pointer is on it', async ({ page, say, newPerson }) => {
    await signIn(page, await newPerson())
    const toast = await showToast(page, say)
    await toast.hover()
    await page.clock.fastForward(2 * limits.toastLifetime)
    await expect(toast).toBeVisible()
    await page.clock.resume()
    await expectAccessible(page)
    await heading(page, say(m.account_profile)).hover()
    await page.clock.fastForward(limits.toastLifetime)
    await expect(toast).toBeHidden()
  })

  test('can be dismissed', async ({ page, say, newPerson }) => {
    await signIn(page, await newPerson())
    const toast = await showToast(page, say)
    await toast.getByRole('button', { name: say(m.shell_dismiss) }).click()
    await page.clock.resume()
    await expect(toast).toBeHidden()
  })

  test('that says the same again takes the place of the one before', async ({
    page,
    say,
    newPerson,
  }) => {
    await signIn(page, await newPerson())
    const toast = await showToast(page, say)
    const first = await toast.elementHandle()
    await page.getByRole('button', { name: say(m.account_delete) }).click()
    await page.clock.runFor(20)
    await expect(toast).toHaveCount(1)
    // It is another one, which a screen reader hears anew.
    expect(await first?.evaluate((element) => element.isConnected)).toBe(false)
  })

  for (const locale of locales)
    test.describe(`in ${locale}`, () => {
      test.use({ locale })

      test('leaves what the page can do free to press at every width', async ({
        page,
        say,
        newPerson,
      }) => {
        await page.clock.install()
        await signIn(page, await newPerson())
        await page.goto('/projects/create')
        // As long as names are: the toast has several lines.
        const name = 'The garden of the old mill by the river, with its museum and library '.padEnd(
          limits.nameMax,
          'and a cafe ',
        )
        await fillProject(page, say, name)
        await stopTime(page)
        await send(page, say)
        const toast = toastIn(page, say)
        const told = say(m.projects_ready_toast, { name: name.trim() })
        await passTimeUntilShown(page, toast.filter({ hasText: told }))
        const open = page.getByRole('link', {
          name: say(m.projects_visit_named, { name: name.trim() }),
        })
        await passTimeUntilShown(page, open)
        for (const width of [390, 768, 1440]) {
          await page.setViewportSize({ width, height: 844 })
          await page.getByRole('button', { name: say(m.shell_alpha_agree) }).click({ trial: true })
          for (const link of await page.getByRole('main').getByRole('link').all())
            await link.click({ trial: true })
          await page.getByRole('button', { name: say(m.projects_menu) }).click({ trial: true })
          const place = await toast.boundingBox()
          expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(width)
          expect(place?.x).toBeGreaterThanOrEqual(0)
        }
      })
    })

  for (const width of [390, 1440])
    test(`leaves the button of a list free to press at ${width} px, scrolled too`, async ({
      page,
      say,
      newPerson,
      database,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      const person = await newPerson()
      for (let made = 0; made < 6; made++) await insertOwnProject(database, person)
      await signIn(page, person)
      const toast = await showToast(page, say)
      const navigation = page.getByRole('navigation', { name: say(m.shell_navigation) })
      await navigation.getByRole('link', { name: say(m.shell_projects) }).click()
      const create = page.getByRole('link', { name: say(m.projects_create) })
      await passTimeUntilShown(page, create)
      await expect(toast).toBeVisible()
      await create.click({ trial: true })
      await page.getByRole('button', { name: say(m.shell_alpha_agree) }).click()
      await create.click({ trial: true })
    })

  test('hangs under the navigation while the keyboard is there', async ({
    page,
    say,
    newPerson,
  }) => {
    await signIn(page, await newPerson())
    const toast = await showToast(page, say)
    const header = page.getByRole('banner')
    const bottom = async () => {
      const box = await header.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    expect((await toast.boundingBox())?.y).toBeLessThan(await bottom())
    await tabTo(page.getByRole('button', { name: say(m.shell_user_menu) }), 'Shift+Tab')
    expect((await toast.boundingBox())?.y).toBeGreaterThanOrEqual(await bottom())
    await tabTo(page.getByRole('button', { name: say(m.account_delete) }))
    expect((await toast.boundingBox())?.y).toBeLessThan(await bottom())
  })
})

test.describe('the toast about a project', () => {
  test('says that it is being created until it is ready, and then that it is', async ({
    page,
    say,
    newPerson,
  }) => {
    const name = 'Toast Shop'
    await signIn(page, await newPerson())
    await page.goto('/projects/create')
    const held = Promise.withResolvers<void>()
    await page.route(`**/api${viewProject.path.replace(':key', '*')}`, async (route) => {
      await held.promise
      await route.continue()
    })
    await fillProject(page, say, name)
    await send(page, say)
    const toast = toastIn(page, say)
    await expect(toast).toContainText([say(m.projects_created_toast, { name })])
    await toast.hover()
    held.resolve()
    await expect(toast).toContainText([say(m.projects_ready_toast, { name })])
    await expectAccessible(page)
  })

  test('says so, too, to whoever has gone elsewhere', async ({ page, say, newPerson }) => {
    const name = 'Faraway Shop'
    await signIn(page, await newPerson())
    await page.goto('/projects/create')
    const held = Promise.withResolvers<void>()
    await page.route(`**/api${createProject.path}`, async (route) => {
      await held.promise
      await route.continue()
    })
    await fillProject(page, say, name)
    await send(page, say)
    await page.getByRole('link', { name: say(m.shell_teams) }).click()
    await expect(heading(page, say(m.teams_title))).toBeVisible()
    held.resolve()
    await toastIn(page, say).hover()
    await expect(toastIn(page, say)).toContainText([say(m.projects_ready_toast, { name })])
  })

  test('says that a project is deleted once it is', async ({ page, say, newPerson, database }) => {
    const person = await newPerson()
    const { key, name } = await insertOwnProject(database, person)
    await signIn(page, person)
    await page.goto(`/projects/view/${key}`)
    const dialog = await askToDelete(page, say)
    await dialog.getByRole('button', { name: say(m.projects_delete_confirm) }).click()
    // It stays under the pointer for as long as the deletion takes.
    await toastIn(page, say).hover()
    await expect(toastIn(page, say)).toContainText([say(m.projects_deleted_toast, { name })])
  })
})
