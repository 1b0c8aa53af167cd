import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import type { ProjectKey } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { logOut, storeSession } from '../harness/auth-screens.ts'
import { type FormCase, fieldValues, formOf, forms } from '../harness/form-cases.ts'
import { edit, insertOwnProject, openOwnProject, selectRegion } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

const submit = (form: Locator) => form.locator('[type=submit]')

const unsavedDialog = (page: Page, t: Translate) =>
  page.getByRole('alertdialog', { name: t(m.unsaved_title) })

const areaLink = (page: Page, t: Translate) =>
  page
    .getByRole('navigation', { name: t(m.shell_navigation) })
    .getByRole('link', { name: t(m.shell_teams), exact: true })

/** Submits several times, with the mouse and with Enter. */
async function submitRepeatedly(page: Page, form: Locator, confirm: Locator | undefined) {
  if (confirm) await submit(form).click()
  await (confirm ?? submit(form)).dblclick()
  await page.keyboard.press('Enter')
}

/** Navigates away and clicks a button of the dialog about unsaved changes. */
async function leave(page: Page, t: Translate, each: FormCase, choice: typeof m.unsaved_stay) {
  await (each.leave?.(page) ?? areaLink(page, t).click())
  await expect(unsavedDialog(page, t)).toContainText(each.unsavedLabel?.(t) ?? '')
  if (choice === m.unsaved_stay) await expectAccessible(page)
  await unsavedDialog(page, t)
    .getByRole('button', { name: t(choice) })
    .click()
  await expect(unsavedDialog(page, t)).toBeHidden()
}

for (const each of forms)
  test.describe(`the form of ${each.name}`, () => {
    test('focuses the first invalid field, submits once for several clicks, keeps the input on failure, and asks before discarding it', async ({
      page,
      t,
      service,
      database,
      newUser,
    }) => {
      const context = { page, t, url: service.url, database, newUser }
      const first = await each.open(context)
      const form = formOf(page, first)
      const delay = Promise.withResolvers<void>()
      const requests: string[] = []
      await page.route(`**/api${each.call.path.replace(/:\w+/g, '*')}`, async (route) => {
        requests.push(route.request().url())
        await delay.promise
        await route.fulfill({ status: 429, json: { code: 429, error: 'too_many_requests' } })
      })

      await each.makeInvalid?.(first, context)
      await submit(form).focus()
      await submit(form).click()
      await expect(first).toBeFocused()
      await expect(first).toHaveAttribute('aria-invalid', 'true')
      await expect(form.getByRole('alert').first()).toBeVisible()
      expect(requests).toEqual([])

      await each.fill(context)
      const typed = await fieldValues(form, each.retainedFields)
      if (each.unsavedLabel) {
        const values = await fieldValues(form)
        const url = page.url()
        await leave(page, t, each, m.unsaved_stay)
        await expect(page).toHaveURL(url)
        expect(await fieldValues(form)).toEqual(values)
      }
      await submitRepeatedly(page, form, each.confirm?.(context))
      await expect.poll(() => requests.length).toBe(1)
      delay.resolve()
      await expect(form.getByRole('alert')).toHaveText(t(m.error_too_many_requests))
      expect(await fieldValues(form, each.retainedFields)).toEqual(typed)
      expect(requests).toHaveLength(1)

      if (!each.unsavedLabel) return
      await leave(page, t, each, m.unsaved_leave)
      await expect(heading(page, t(m.teams_title))).toBeFocused()
    })
  })

const formsWithoutDialog = ['a new ticket', 'a message', 'a payment']

test.describe('leaving a form', () => {
  for (const each of forms.filter(({ name }) => formsWithoutDialog.includes(name)))
    test(`does not ask when ${each.name} stores its draft`, async ({
      page,
      t,
      service,
      database,
      newUser,
    }) => {
      const context = { page, t, url: service.url, database, newUser }
      await each.open(context)
      await each.fill(context)
      await areaLink(page, t).click()
      await expect(heading(page, t(m.teams_title))).toBeFocused()
    })

  test('does not ask when the input is unchanged or was canceled', async ({
    page,
    t,
    database,
    newUser,
  }) => {
    const { name } = await openOwnProject(page, database, await newUser())
    const field = await edit(page, t, t(m.projects_name))
    await field.fill('Another name')
    await field.fill(name)
    await areaLink(page, t).click()
    await expect(heading(page, t(m.teams_title))).toBeFocused()
    await page.goBack()
    await (await edit(page, t, t(m.projects_name))).fill('Another name')
    await page.keyboard.press('Escape')
    await areaLink(page, t).click()
    await expect(heading(page, t(m.teams_title))).toBeFocused()
  })

  test('does not ask once the input is saved', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await page.getByRole('link', { name: t(m.projects_create) }).click()
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Harbour Cafe')
    await selectRegion(page)
    await page.getByRole('button', { name: t(m.projects_create) }).click()
    await expect(heading(page, 'Harbour Cafe')).toBeVisible()
    await (await edit(page, t, t(m.projects_name))).fill('Harbour Cafe 2')
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Harbour Cafe 2')).toBeVisible()
    await areaLink(page, t).click()
    await expect(heading(page, t(m.teams_title))).toBeFocused()
  })

  test('by Back asks, and keeps the URL when the user stays', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/teams')
    // Before the bundle runs, a link is a full page load, and so is Back.
    await expect(heading(page, t(m.teams_title))).toBeVisible()
    await page.getByRole('link', { name: t(m.shell_projects), exact: true }).click()
    await page.getByRole('link', { name: t(m.projects_create) }).click()
    const name = page.getByLabel(t(m.projects_name), { exact: true })
    await name.fill('Harbour Cafe')
    await page.goBack()
    await unsavedDialog(page, t)
      .getByRole('button', { name: t(m.unsaved_stay) })
      .click()
    await expect(page).toHaveURL('/projects/create')
    await expect(name).toHaveValue('Harbour Cafe')
    await expect(name).toBeFocused()
    await page.goBack()
    await unsavedDialog(page, t)
      .getByRole('button', { name: t(m.unsaved_leave) })
      .click()
    await expect(heading(page, t(m.projects_title))).toBeFocused()
    await expect(unsavedDialog(page, t)).toBeHidden()
    await page.goBack()
    await expect(heading(page, t(m.teams_title))).toBeFocused()
    await expect(page).toHaveURL('/teams')
  })

  test('by logging out asks, and keeps the session when the user stays', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Harbour Cafe')
    await logOut(page, t)
    await unsavedDialog(page, t)
      .getByRole('button', { name: t(m.unsaved_stay) })
      .click()
    await page.reload()
    await expect(heading(page, t(m.projects_create_title))).toBeVisible()
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Harbour Cafe')
    await logOut(page, t)
    await unsavedDialog(page, t)
      .getByRole('button', { name: t(m.unsaved_leave) })
      .click()
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
    await expect(page).toHaveURL('/auth/login')
  })

  for (const isChanged of [true, false])
    test(`by closing the tab ${isChanged ? 'makes the browser ask' : 'does not ask while nothing was typed'}`, async ({
      page,
      t,
      newUser,
    }) => {
      await storeSession(page, await newUser())
      await page.goto('/projects/create')
      const name = page.getByLabel(t(m.projects_name), { exact: true })
      // Browsers show the dialog only after an interaction with the page.
      await name.press('a')
      if (!isChanged) await name.press('Backspace')
      const requests: string[] = []
      page.on('dialog', async (dialog) => {
        requests.push(dialog.type())
        await dialog.accept()
      })
      const closed = page.waitForEvent('close')
      await page.close({ runBeforeUnload: true })
      await closed
      expect(requests).toEqual(isChanged ? ['beforeunload'] : [])
    })

  test('does not ask when the session ends, because nothing could be saved', async ({
    page,
    context,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Harbour Cafe')
    const other = await context.newPage()
    await other.goto('/projects')
    await logOut(other, t)
    await expect(heading(page, t(m.auth_login_title))).toBeVisible()
  })
})

test('a click outside a dialog keeps its input', async ({
  page,
  t,
  service,
  database,
  newUser,
}) => {
  const card = forms.find(({ name }) => name === 'the address of a card')
  if (!card) throw new Error('no such form')
  const name = await card.open({ page, t, url: service.url, database, newUser })
  await name.fill('Example Ltd')
  await page.mouse.click(5, 400)
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(name).toHaveValue('Example Ltd')
  await name.fill('Ada Example')
  await page.mouse.click(5, 400)
  await expect(page.getByRole('dialog')).toBeHidden()
})

test.describe('a dialog on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('is a sheet as wide as the screen: title, Close and its buttons stay while it scrolls', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const user = await newUser()
    const { key } = await insertOwnProject(database, user)
    await storeSession(page, user)
    await page.goto(paths.projectSettings(key as ProjectKey))
    const opener = page.getByRole('button', { name: t(m.environment_add) })
    await opener.click()
    const dialog = page.getByRole('dialog')
    const boxOf = () => dialog.boundingBox()
    await expect.poll(async () => (await boxOf())?.width).toBe(390)
    const box = await boxOf()
    expect([box?.x, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([0, 844])
    await expectAccessible(page)

    const scrolled = await page.evaluate(() => scrollY)
    await page.mouse.move(200, 20)
    await page.mouse.wheel(0, 300)
    // As if the keyboard of the phone covered the rest.
    await page.setViewportSize({ width: 390, height: 280 })
    const close = dialog.getByRole('button', { name: t(m.shell_close), exact: true })
    const save = dialog.getByRole('button', { name: t(m.shell_save), exact: true })
    for (const end of ['top', 'bottom']) {
      await dialog.evaluate((element, to) => {
        element.scrollTop = to === 'top' ? 0 : element.scrollHeight
      }, end)
      await expect(dialog.getByRole('heading')).toBeInViewport({ ratio: 1 })
      await expect(close).toBeInViewport({ ratio: 1 })
      await expect(save).toBeInViewport({ ratio: 1 })
    }
    expect(await page.evaluate(() => scrollY)).toBe(scrolled)

    await close.click()
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()
  })
})

/**
 * Forms with several steps, or on a cluster, tested in security.spec.ts, tokens.spec.ts,
 * project-settings.spec.ts, sign-in-clients.spec.ts and image-site.spec.ts.
 */
const testedElsewhere = [
  'account/security/password-card.tsx',
  'account/tokens/device.page.tsx',
  'account/tokens/new-token-dialog.tsx',
  'projects/backups/restore-dialog.tsx',
  'projects/releases/image/deploy-image-dialog.tsx',
  'projects/settings/sign-in-client-dialog.tsx',
  'projects/settings/variable-dialog.tsx',
  'teams/registry-dialog.tsx',
]

test('the list of form cases has every form of the console', async () => {
  const features = fileURLToPath(new URL('../../apps/console/src/features', import.meta.url))
  let count = 0
  for (const name of await readdir(features, { recursive: true })) {
    if (!/\.tsx?$/.test(name) || testedElsewhere.includes(name)) continue
    const source = await readFile(join(features, name), 'utf8')
    count += source.match(/\buseForm\(|<EditableField\b/g)?.length ?? 0
  }
  expect(forms).toHaveLength(count)
})
