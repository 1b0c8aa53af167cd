import type { Page } from '@playwright/test'
import { limits } from '@slipway/contract/limits'
import { createProject, viewProject } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { pauseClock, runClockUntilVisible } from '../harness/clock.ts'
import { testedLocales } from '../harness/locales.ts'
import { insertOwnProject, openDeleteDialog, selectRegion } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { submitInvitation } from '../harness/team-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { newEmail, ownTeam } from '../harness/user.ts'

const toastIn = (page: Page, t: Translate) =>
  page.getByRole('region', { name: t(m.shell_notifications) }).getByRole('listitem')

/** Shows a toast while the clock is paused, and returns it. */
async function showToast(page: Page, t: Translate) {
  await page.clock.install()
  await page.goto('/account/profile')
  const button = page.getByRole('button', { name: t(m.account_delete) })
  await button.waitFor()
  await pauseClock(page)
  await button.click()
  const toast = toastIn(page, t)
  await runClockUntilVisible(page, toast)
  return toast
}

async function fillProject(page: Page, t: Translate, name: string) {
  await page.getByLabel(t(m.projects_name), { exact: true }).fill(name)
  await selectRegion(page)
}

const submit = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.projects_create) }).click()

test.describe('a toast', () => {
  test('disappears after its timeout, but not while the pointer is on it', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    const toast = await showToast(page, t)
    await toast.hover()
    await page.clock.fastForward(2 * limits.toastLifetime)
    await expect(toast).toBeVisible()
    await page.clock.resume()
    await expectAccessible(page)
    await heading(page, t(m.account_profile)).hover()
    await page.clock.fastForward(limits.toastLifetime)
    await expect(toast).toBeHidden()
  })

  test('stays while its button has the focus, even if a pointer crosses it', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    const toast = await showToast(page, t)
    const dismiss = toast.getByRole('button', { name: t(m.shell_dismiss) })
    await dismiss.focus()
    await toast.hover()
    await heading(page, t(m.account_profile)).hover()
    await page.clock.fastForward(2 * limits.toastLifetime)
    await expect(toast).toBeVisible()
    await dismiss.blur()
    await page.clock.resume()
    await page.clock.fastForward(limits.toastLifetime)
    await expect(toast).toBeHidden()
  })

  test('can be dismissed', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    const toast = await showToast(page, t)
    await toast.getByRole('button', { name: t(m.shell_dismiss) }).click()
    await page.clock.resume()
    await expect(toast).toBeHidden()
  })

  test('with the same text replaces the previous one', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    const toast = await showToast(page, t)
    const first = await toast.elementHandle()
    await page.getByRole('button', { name: t(m.account_delete) }).click()
    await page.clock.runFor(20)
    await expect(toast).toHaveCount(1)
    // The toast is a new element, so a screen reader announces it again.
    expect(await first?.evaluate((element) => element.isConnected)).toBe(false)
  })

  for (const width of [390, 1440])
    test(`is below the one before it, at ${width} px`, async ({ page, t, newUser }) => {
      const user = await newUser()
      const { id } = await ownTeam(user)
      await page.setViewportSize({ width, height: 844 })
      await storeSession(page, user)
      await page.clock.install()
      await page.goto(`/teams/view/${id}`)
      await page.getByRole('button', { name: t(m.teams_invite), exact: true }).waitFor()
      await pauseClock(page)
      const emails = [newEmail(), newEmail()]
      for (const email of emails) {
        await submitInvitation(page, t, email)
        const text = t(m.teams_invite_sent_toast, { email })
        await runClockUntilVisible(page, toastIn(page, t).filter({ hasText: text }))
      }
      await expect(toastIn(page, t)).toHaveCount(2)
      const boxes = await Promise.all(
        (await toastIn(page, t).all()).map((toast) => toast.boundingBox()),
      )
      const [upper, lower] = boxes.toSorted((one, other) => (one?.y ?? 0) - (other?.y ?? 0))
      expect(lower?.y).toBeGreaterThanOrEqual((upper?.y ?? 0) + (upper?.height ?? 0))
      expect(lower?.x).toBe(upper?.x)
    })

  for (const locale of testedLocales)
    test.describe(`in ${locale}`, () => {
      test.use({ locale })

      test("covers neither the navigation nor the page's heading and actions at 390, 768 and 1440 px", async ({
        page,
        t,
        newUser,
      }) => {
        await page.clock.install()
        await storeSession(page, await newUser())
        await page.goto('/projects/create')
        // With a name of the maximum length the toast has several lines.
        const name = 'The garden of the old mill by the river, with its museum and library '.padEnd(
          limits.nameMax,
          'and a cafe ',
        )
        await fillProject(page, t, name)
        await pauseClock(page)
        await submit(page, t)
        const toast = toastIn(page, t)
        const toastText = t(m.projects_ready_toast, { name: name.trim() })
        await runClockUntilVisible(page, toast.filter({ hasText: toastText }))
        const openLink = page.getByRole('link', {
          name: t(m.projects_visit_named, { name: name.trim() }),
        })
        await runClockUntilVisible(page, openLink)
        for (const width of [390, 768, 1440]) {
          await page.setViewportSize({ width, height: 844 })
          await page.getByRole('button', { name: t(m.shell_alpha_agree) }).click({ trial: true })
          for (const link of await page
            .getByRole('navigation', { name: t(m.shell_navigation) })
            .getByRole('link')
            .all())
            await link.click({ trial: true })
          await openLink.click({ trial: true })
          await page.getByRole('button', { name: t(m.projects_menu) }).click({ trial: true })
          const box = await toast.boundingBox()
          const title = await heading(page, name.trim()).boundingBox()
          expect(box?.y).toBeGreaterThanOrEqual((title?.y ?? Infinity) + (title?.height ?? 0))
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
          expect(box?.x).toBeGreaterThanOrEqual(0)
        }
      })
    })

  for (const width of [390, 1440])
    test(`covers no button of a list at ${width} px, even when scrolled`, async ({
      page,
      t,
      newUser,
      database,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      const user = await newUser()
      for (let count = 0; count < 6; count++) await insertOwnProject(database, user)
      await storeSession(page, user)
      const toast = await showToast(page, t)
      const navigation = page.getByRole('navigation', { name: t(m.shell_navigation) })
      await navigation.getByRole('link', { name: t(m.shell_projects) }).click()
      const create = page.getByRole('link', { name: t(m.projects_create) })
      await runClockUntilVisible(page, create)
      await expect(toast).toBeVisible()
      await create.click({ trial: true })
      await page.getByRole('button', { name: t(m.shell_alpha_agree) }).click()
      await create.click({ trial: true })
    })
})

test.describe('the toast about a project', () => {
  test('shows that it is being created, and then that it is ready', async ({
    page,
    t,
    newUser,
  }) => {
    const name = 'Toast Shop'
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    const delay = Promise.withResolvers<void>()
    await page.route(`**/api${viewProject.path.replace(':key', '*')}`, async (route) => {
      await delay.promise
      await route.continue()
    })
    await fillProject(page, t, name)
    await submit(page, t)
    const toast = toastIn(page, t)
    // Hovering keeps the toast open, however long the creation takes.
    await toast.hover()
    await expect(toast).toContainText([t(m.projects_created_toast, { name })])
    delay.resolve()
    await expect(toast).toContainText([t(m.projects_ready_toast, { name })])
    await expectAccessible(page)
  })

  test('also appears on other pages', async ({ page, t, newUser }) => {
    const name = 'Faraway Shop'
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    const delay = Promise.withResolvers<void>()
    await page.route(`**/api${createProject.path}`, async (route) => {
      await delay.promise
      await route.continue()
    })
    await fillProject(page, t, name)
    await submit(page, t)
    await page.getByRole('link', { name: t(m.shell_teams) }).click()
    await expect(heading(page, t(m.teams_title))).toBeVisible()
    delay.resolve()
    await toastIn(page, t).hover()
    await expect(toastIn(page, t)).toContainText([t(m.projects_ready_toast, { name })])
  })

  test('shows that a project is deleted', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    const { key, name } = await insertOwnProject(database, user)
    await storeSession(page, user)
    await page.goto(`/projects/view/${key}`)
    const dialog = await openDeleteDialog(page, t)
    await dialog.getByRole('button', { name: t(m.projects_delete_confirm) }).click()
    // Hovering keeps the toast open until the project is deleted.
    await toastIn(page, t).hover()
    await expect(toastIn(page, t)).toContainText([t(m.projects_deleted_toast, { name })])
  })
})
