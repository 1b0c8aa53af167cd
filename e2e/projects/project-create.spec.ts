import type { Page } from '@playwright/test'
import { createProject, listProjects, type Project, viewProject } from '@slipway/contract/projects'
import { listRegions } from '@slipway/contract/regions'
import { listRuntimes, runtimes } from '@slipway/contract/runtimes'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { joinTeam } from '../harness/database.ts'
import { editButton, insertOwnProject, selectRegion } from '../harness/project-screens.ts'
import { heading, tabTo } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { newEmail, ownTeam } from '../harness/user.ts'

const newDomain = () => `${newEmail().split('@')[0]}.example.org`

async function fillProject(page: Page, t: Translate, values: { name: string; domain?: string }) {
  await page.getByLabel(t(m.projects_name), { exact: true }).fill(values.name)
  await selectRegion(page)
  await page.getByLabel(t(m.projects_domain_optional)).fill(values.domain ?? '')
}

const submit = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.projects_create) }).click()

const kindCards = (page: Page, t: Translate) =>
  page.getByRole('radiogroup', { name: t(m.runtime_choose) }).getByRole('radio')

test.describe('/projects/create', () => {
  test('offers five kinds of sites, and says that one is not available', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    // The operator has added no version of WordPress.
    const wordPress = `${t(m.runtime_wordpress)} ${t(m.runtime_not_available)}`
    await expect(page.getByRole('radio', { name: wordPress, exact: true })).toBeDisabled()
    await expect(kindCards(page, t)).toHaveCount(5)
    for (const label of [m.runtime_starter, m.runtime_static, m.runtime_node, m.runtime_php])
      await expect(page.getByRole('radio', { name: t(label) })).toBeVisible()
    await expectAccessible(page)
  })

  test('says to the operator what each unavailable kind of site needs', async ({
    page,
    t,
    service,
  }) => {
    await storeSession(page, {
      token: process.env.E2E_OPERATOR_TOKEN ?? '',
      serverUrl: service.url,
    })
    await page.goto('/projects/create')
    const needs = [
      [m.runtime_wordpress, m.runtime_missing_versions],
      [m.runtime_image, m.runtime_missing_kubernetes],
    ] as const
    for (const [label, reason] of needs) {
      const name = `${t(label)} ${t(reason)}`
      await expect(page.getByRole('radio', { name, exact: true })).toBeDisabled()
    }
    await expect(kindCards(page, t)).toHaveCount(6)
    await expectAccessible(page)
  })

  test('says what each kind of site is, or why it is not available', async ({
    page,
    t,
    newUser,
  }) => {
    const hints = {
      starter: [m.runtime_starter, m.runtime_starter_hint],
      static: [m.runtime_static, m.runtime_static_hint],
      node: [m.runtime_node, m.runtime_node_hint],
      php: [m.runtime_php, m.runtime_php_hint],
      wordpress: [m.runtime_wordpress, m.runtime_wordpress_hint],
      image: [m.runtime_image, m.runtime_image_hint],
    } as const
    let available = true
    await page.route(`**/api${listRuntimes.path}?*`, (route) =>
      route.fulfill({
        json: runtimes.map((id) => ({
          id,
          available,
          reason: available ? null : `No ${id} here.`,
          version: null,
        })),
      }),
    )
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    const card = (name: string) =>
      kindCards(page, t).and(page.getByRole('radio', { name, exact: true }))
    for (const [label, hint] of Object.values(hints))
      await expect(card(`${t(label)} ${t(hint)}`)).toBeEnabled()
    const pictures = page
      .getByRole('radiogroup', { name: t(m.runtime_choose) })
      .locator('label:has(input) svg')
    for (const picture of await pictures.all()) await expect(picture).toBeVisible()
    const drawings = await pictures.evaluateAll((icons) => icons.map((icon) => icon.innerHTML))
    expect(new Set(drawings).size, 'each card has its own picture').toBe(runtimes.length)
    available = false
    await page.reload()
    for (const id of runtimes)
      await expect(card(`${t(hints[id][0])} No ${id} here.`)).toBeDisabled()
  })

  test('shows the address that follows from the name', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Gümüş Kaşık')
    await expect(page.getByText('gumus-kasik-xxxxxx.localhost')).toBeVisible()
  })

  test('selects the region if there is only one', async ({ page, t, newUser }) => {
    await page.route(`**/api${listRegions.path}`, async (route) => {
      const response = await route.fetch()
      const regions: object[] = await response.json()
      await route.fulfill({ response, json: regions.slice(0, 1) })
    })
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    const regions = page.getByRole('radiogroup', { name: t(m.projects_region) }).getByRole('radio')
    await expect(regions).toHaveCount(1)
    await expect(regions).toBeChecked()
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Old Mill')
    await submit(page, t)
    await expect(heading(page, 'Old Mill')).toBeVisible()
  })

  test('names every missing field and focuses the first', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    await page.getByLabel(t(m.projects_name), { exact: true }).fill(' ab ')
    await submit(page, t)
    await expect(page.getByText(t(m.form_enter_name))).toBeVisible()
    await expect(page.getByText(t(m.form_select_region))).toBeVisible()
    await expect(page.getByLabel(t(m.projects_name), { exact: true })).toBeFocused()
    await expectAccessible(page)
  })

  for (const domain of ['https://example.org', 'example.org/path', 'example', '127.0.0.1'])
    test(`rejects ${domain} as a domain`, async ({ page, t, newUser }) => {
      await storeSession(page, await newUser())
      await page.goto('/projects/create')
      await fillProject(page, t, { name: 'Old Mill', domain })
      await submit(page, t)
      await expect(page.getByRole('alert')).toHaveText(t(m.form_enter_domain_without_scheme))
      await expect(page.getByLabel(t(m.projects_domain_optional))).toBeFocused()
    })

  test('accepts a domain in Unicode', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    const domain = `bäckerei.${newDomain()}`
    await fillProject(page, t, { name: 'Old Mill', domain: ` ${domain.toUpperCase()}./ ` })
    await submit(page, t)
    await expect(heading(page, 'Old Mill')).toBeVisible()
    await expect(page.getByRole('main').getByText(domain, { exact: true })).toBeVisible()
  })

  test('shows that a site is live when it was ready before its page opened', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    await storeSession(page, user)
    await page.goto('/projects/create')
    await fillProject(page, t, { name: 'Old Mill' })
    await page.route(`**/api${createProject.path}`, async (route) => {
      const response = await route.fetch()
      const { key }: Project = await response.json()
      await expect
        .poll(async () => (await user.call(viewProject, { params: { key } })).state)
        .toBe('ready')
      await route.fulfill({ response })
    })
    await submit(page, t)
    await expect(page.getByRole('heading', { name: t(m.projects_live_title) })).toBeVisible()
  })

  test('rejects a domain of the service', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    await fillProject(page, t, { name: 'Old Mill', domain: 'shop.localhost' })
    await submit(page, t)
    await expect(page.getByRole('alert')).toHaveText(t(m.form_domain_reserved))
    await expect(page.getByLabel(t(m.projects_domain_optional))).toBeFocused()
    await expectAccessible(page)
  })

  test('rejects the domain of another project and keeps the input', async ({
    page,
    t,
    newUser,
    database,
  }) => {
    const domain = newDomain()
    await insertOwnProject(database, await newUser(), { domain })
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    await fillProject(page, t, { name: 'Old Mill', domain })
    await submit(page, t)
    await expect(page.getByRole('alert')).toHaveText(t(m.error_domain_in_use))
    await expect(page.getByLabel(t(m.projects_domain_optional))).toHaveValue(domain)
    await expect(page.getByLabel(t(m.projects_name), { exact: true })).toHaveValue('Old Mill')
  })

  test("reports the team's project limit", async ({ page, t, newUser, database }) => {
    const user = await newUser()
    for (let count = 0; count < 10; count++) await insertOwnProject(database, user)
    await storeSession(page, user)
    await page.goto('/projects/create')
    await fillProject(page, t, { name: 'One too many' })
    await submit(page, t)
    await expect(page.getByRole('alert')).toHaveText(t(m.error_project_limit_reached))
    await expectAccessible(page)
  })

  test('asks for the team only if there are several', async ({ page, t, newUser, database }) => {
    const user = await newUser()
    const ownedTeam = await ownTeam(user)
    await storeSession(page, user)
    await page.goto('/projects/create')
    await expect(page.getByRole('radiogroup', { name: t(m.projects_region) })).toBeVisible()
    await expect(page.getByLabel(t(m.projects_team))).toBeHidden()

    const otherUser = await newUser({ name: 'Grace Example' })
    const otherTeam = await ownTeam(otherUser)
    await joinTeam(database, { userId: ownedTeam.userId, teamId: otherTeam.id })
    await page.reload()
    await fillProject(page, t, { name: 'Shared Garden' })
    await submit(page, t)
    await expect(page.getByRole('alert')).toHaveText(t(m.form_select_team))
    await page.getByLabel(t(m.projects_team)).selectOption(otherTeam.name)
    // Axe counts a target half under the sticky navigation as too small.
    await page.evaluate('scrollTo(0, 0)')
    await expectAccessible(page)
    await submit(page, t)
    await expect(heading(page, 'Shared Garden')).toBeVisible()
    await page
      .getByRole('link', { name: t(m.projects_title), exact: true })
      .first()
      .click()
    await expect(page.getByRole('row', { name: 'Shared Garden' })).toContainText(otherTeam.name)
  })

  test('works by keyboard alone', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await expect(page.getByText(t(m.projects_empty))).toBeVisible()
    await tabTo(page.getByRole('link', { name: t(m.projects_create) }))
    await page.keyboard.press('Enter')
    await expect(page.getByLabel(t(m.projects_name), { exact: true })).toBeFocused()
    await page.keyboard.type('Keyboard Shop')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('radio', { name: 'Europe' })).toBeFocused()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Keyboard Shop')).toBeVisible()
    await expect(heading(page, 'Keyboard Shop')).toBeFocused()
    await expect(
      page.getByRole('main').getByText(t(m.projects_state_ready), { exact: true }),
    ).toBeVisible()

    const edit = editButton(page, t, t(m.projects_name))
    await tabTo(edit)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('textbox', { name: t(m.projects_name) })).toBeFocused()
    await page.keyboard.type('Keyboard Store')
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Keyboard Store')).toBeVisible()
    await expect(edit).toBeFocused()

    await tabTo(page.getByRole('button', { name: t(m.projects_menu) }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem', { name: t(m.projects_delete) })).toBeFocused()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog')
    await expect(dialog.getByRole('textbox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: t(m.projects_menu) })).toBeFocused()
  })
})

test.describe('a lost response after the project was stored', () => {
  test.use({ expectedErrors: [/ERR_CONNECTION_RESET/] })

  test('keeps the form, and a retry leads to the one project', async ({ page, t, newUser }) => {
    const user = await newUser()
    await storeSession(page, user)
    await page.goto('/projects/create')
    await fillProject(page, t, { name: 'Lost and Found' })
    await page.route(`**/api${createProject.path}`, async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await submit(page, t)
    await expect(page.getByRole('alert')).toHaveText(t(m.error_network))
    expect(await user.call(listProjects)).toHaveLength(1)
    await page.unrouteAll()

    await submit(page, t)
    await expect(heading(page, 'Lost and Found')).toBeVisible()
    const projects = await user.call(listProjects)
    expect(projects.map(({ name }) => name)).toEqual(['Lost and Found'])
    await expect(page).toHaveURL(`/projects/view/${projects[0]?.key}`)
  })
})
