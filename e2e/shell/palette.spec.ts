import type { Page } from '@playwright/test'
import { createProject, listProjects } from '@slipway/contract/projects'
import { listRegions } from '@slipway/contract/regions'
import { createTicket } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

/** A user with two projects and a ticket. */
async function insertSearchableData(user: TestUser) {
  const team = await ownTeam(user)
  const [region] = await user.call(listRegions)
  if (!region) throw new Error('a service without a region')
  for (const name of ['Blue Garden Shop', 'Işık Çarşısı'])
    await user.call(createProject, {
      body: { name, teamId: team.id, regionId: region.id, domain: '' },
    })
  await user.call(createTicket, {
    body: { subject: 'The shop is slow', message: 'Since this morning, every page of it.' },
  })
  return { team, projects: await user.call(listProjects) }
}

const field = (page: Page, t: Translate) => page.getByRole('combobox', { name: t(m.palette_title) })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const searchButton = (page: Page, t: Translate) =>
  page.getByRole('banner').getByRole('button', { name: t(m.navigation_search) })

async function openPalette(page: Page, t: Translate) {
  await expect(searchButton(page, t)).toBeVisible()
  // The same keys close one that is still open.
  await expect(field(page, t)).toBeHidden()
  await page.keyboard.press('Control+k')
  await expect(field(page, t)).toBeFocused()
}

for (const locale of testedLocales)
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(`the command palette, ${colorScheme} in ${locale}`, () => {
      test.use({ locale, colorScheme })

      test('is accessible with results and without', async ({ page, t, newUser }) => {
        const user = await newUser()
        await insertSearchableData(user)
        await storeSession(page, user)
        await page.goto('/account/profile')
        await expect(heading(page, t(m.account_profile))).toBeVisible()
        await openPalette(page, t)
        await expect(
          page.getByRole('option', { name: t(m.projects_create), exact: true }),
        ).toBeVisible()
        // Results are grouped by kind; a result does not repeat the name of its group.
        await expect(
          page.getByRole('option', { name: t(m.teams_title), exact: true }),
        ).toBeVisible()
        await expectAccessible(page)
        await field(page, t).fill('shop')
        await expect(option(page, /^Blue Garden Shop/)).toBeVisible()
        await expectAccessible(page)
        await field(page, t).fill('no such thing')
        const none = t(m.palette_none, { query: 'no such thing' })
        await expect(page.getByRole('status').filter({ hasText: none })).toHaveCount(1)
        await expect(option(page, t(m.teams_title))).toBeVisible()
        await expectAccessible(page)
      })
    })

test.describe('the command palette', () => {
  test('finds a project by words in any order, by keys alone', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { projects } = await insertSearchableData(user)
    const shop = projects.find(({ name }) => name === 'Blue Garden Shop')
    await storeSession(page, user)
    await page.goto('/account/profile')
    await expect(heading(page, t(m.account_profile))).toBeVisible()
    await openPalette(page, t)
    await page.keyboard.type('shop blue')
    await expect(page.getByRole('option').first()).toContainText('Blue Garden Shop')
    await expect(page.getByRole('option').first()).toHaveAttribute('data-highlighted', '')
    await expect(
      page.getByRole('status').filter({ hasText: t(m.palette_count, { count: 1 }) }),
    ).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/projects/view/${shop?.key}`)
    await expect(field(page, t)).toBeHidden()
    await expect(heading(page, 'Blue Garden Shop')).toBeFocused()
  })

  test('finds Turkish text in any spelling', async ({ page, t, newUser }) => {
    const user = await newUser()
    await insertSearchableData(user)
    await storeSession(page, user)
    await page.goto('/projects')
    await openPalette(page, t)
    await page.keyboard.type('ISIK carsi')
    await expect(page.getByRole('option').first()).toContainText('Işık Çarşısı')
    await expect(
      page.getByRole('status').filter({ hasText: t(m.palette_count, { count: 1 }) }),
    ).toHaveCount(1)
  })

  test("finds the actions of a project by the project's name and by their own", async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { projects } = await insertSearchableData(user)
    const name = 'Blue Garden Shop'
    const shop = projects.find((project) => project.name === name)
    await storeSession(page, user)
    await page.goto('/account/profile')
    await expect(heading(page, t(m.account_profile))).toBeVisible()
    await openPalette(page, t)
    // Without a query the projects come before the pages.
    await expect(page.getByRole('group').first()).toContainText(name)
    await page.keyboard.type('blue')
    await expect(option(page, t(m.palette_project_deploy, { name }))).toBeVisible()
    await field(page, t).fill('logs blue')
    await expect(page.getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/projects/view/${shop?.key}/logs`)
  })

  test('finds tickets with their state, teams and commands', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { team } = await insertSearchableData(user)
    await storeSession(page, user)
    await page.goto('/projects')
    await openPalette(page, t)
    await page.keyboard.type('slow')
    await expect(option(page, 'The shop is slow')).toContainText(t(m.support_state_open))
    await field(page, t).fill(team.name)
    await expect(page.getByRole('option').first()).toContainText(team.name)
    await expect(option(page, t(m.palette_invite, { team: team.name }))).toBeVisible()
    await field(page, t).fill('create ticket')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/support/tickets/create')
  })

  test('leads to the invitation field of a team', async ({ page, t, newUser }) => {
    const user = await newUser()
    const team = await ownTeam(user)
    await storeSession(page, user)
    await page.goto('/projects')
    await openPalette(page, t)
    await page.keyboard.type(t(m.palette_invite, { team: team.name }))
    await expect(page.getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/teams/view/${team.id}#invite`)
    await expect(page.getByLabel(t(m.auth_email), { exact: true })).toBeFocused()
  })

  test('ignores Enter when nothing is found', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/account/profile')
    await openPalette(page, t)
    await page.keyboard.type('no such thing')
    await expect(page.getByText(t(m.palette_none_hint))).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(option(page, t(m.teams_title))).toBeVisible()
    await expect(page).toHaveURL('/account/profile')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(heading(page, t(m.projects_title))).toBeFocused()
  })

  test('restores the focus when it closes', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    const name = page.getByLabel(t(m.projects_name), { exact: true })
    await expect(name).toBeFocused()
    await page.keyboard.type('Half typed')
    await openPalette(page, t)
    await page.keyboard.press('Escape')
    await expect(field(page, t)).toBeHidden()
    await expect(name).toBeFocused()
    await expect(name).toHaveValue('Half typed')
    await openPalette(page, t)
    await page.keyboard.press('Control+k')
    await expect(field(page, t)).toBeHidden()
    await expect(name).toBeFocused()
  })

  test('opens a result in another tab with Ctrl, and stays open', async ({
    page,
    context,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await openPalette(page, t)
    await page.keyboard.type(t(m.support_title))
    const [newTab] = await Promise.all([
      context.waitForEvent('page'),
      page.keyboard.press('Control+Enter'),
    ])
    await expect(heading(newTab, t(m.support_title))).toBeVisible()
    await expect(page).toHaveURL('/projects')
    await expect(field(page, t)).toBeVisible()
  })

  test('shows the last used result first', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await openPalette(page, t)
    await page.keyboard.type(t(m.teams_invitations))
    await page.keyboard.press('Enter')
    await expect(heading(page, t(m.teams_invitations))).toBeVisible()
    await openPalette(page, t)
    await expect(page.getByRole('option').first()).toContainText(t(m.teams_invitations))
    await expect(page.getByRole('group', { name: t(m.palette_recent) })).toBeVisible()
  })

  test('changes the language and the color mode at once', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await openPalette(page, t)
    await page.keyboard.type(t(m.shell_color_dark))
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await openPalette(page, t)
    await page.keyboard.type('Türkçe')
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('lang', 'tr')
  })

  test('asks before it discards unsaved input', async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    await page.goto('/projects/create')
    await page.getByLabel(t(m.projects_name), { exact: true }).fill('Half typed')
    await openPalette(page, t)
    await page.keyboard.type(t(m.teams_title))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alertdialog')).toContainText(t(m.unsaved_title))
    await page.getByRole('button', { name: t(m.unsaved_stay) }).click()
    await expect(page.getByLabel(t(m.projects_name), { exact: true })).toHaveValue('Half typed')
    await expect(page).toHaveURL('/projects/create')
  })

  test('has a button in the navigation, and a button to close it on a phone', async ({
    page,
    t,
    newUser,
  }) => {
    await page.setViewportSize({ width: 390, height: 700 })
    await storeSession(page, await newUser())
    await page.goto('/projects')
    await searchButton(page, t).click()
    await expect(field(page, t)).toBeFocused()
    const box = await page.getByRole('dialog').boundingBox()
    expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 700 })
    await expectAccessible(page)
    await page.getByRole('button', { name: t(m.shell_dismiss) }).click()
    await expect(searchButton(page, t)).toBeFocused()
  })
})
