import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { createProject, listProjects, type Project } from '@slipway/contract/projects'
import { createRelease, listReleases } from '@slipway/contract/releases'
import {
  createSiteBackup,
  downloadSiteBackup,
  listSiteBackups,
} from '@slipway/contract/site-backups'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { zipOf } from '../../apps/server/src/testing/archives.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { everyLocale } from '../harness/locales.ts'
import { rejectCalls } from '../harness/rejected-calls.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

/** A site that shows the name of its last guest, stored in a file. */
const guestBook = zipOf({
  'package.json': JSON.stringify({ scripts: { start: 'node server.js' } }),
  'server.js': `
    const { existsSync, readFileSync, writeFileSync } = require('node:fs')
    const file = '/data/guest.txt'
    require('node:http').createServer((request, response) => {
      const { searchParams } = new URL(request.url, 'http://site')
      if (searchParams.has('guest')) writeFileSync(file, searchParams.get('guest'))
      response.end(existsSync(file) ? readFileSync(file) : 'Nobody')
    }).listen(process.env.PORT)`,
})

const create = async (user: TestUser, runtime: 'node' | 'static') =>
  user.call(createProject, {
    body: {
      name: 'Old Mill',
      teamId: (await ownTeam(user)).id,
      regionId: 'eu',
      domain: null,
      runtime,
    },
  })

async function createGuestBook(user: TestUser) {
  const project = await create(user, 'node')
  const params = { id: project.id }
  const body = new Blob([new Uint8Array(guestBook)], { type: 'application/zip' })
  await user.call(createRelease, { params, query: {}, body })
  await until(async () => {
    const { items } = await user.call(listReleases, { params, query: {} })
    return items[0]?.state === 'live'
  })
  return project
}

/** Requests the page of a site, which a new guest may sign. */
async function visit({ defaultUrl }: Project, guest?: string) {
  const { hostname, port } = new URL(defaultUrl)
  const path = guest === undefined ? '/' : `/?guest=${guest}`
  return (await sitePage(Number(port), hostname, path)).body
}

/** Signs the guest book, as soon as the site responds. */
const sign = (project: Project, guest: string) =>
  expect.poll(() => visit(project, guest)).toBe(guest)

async function openBackups(page: Page, user: TestUser, { key }: Project) {
  await storeSession(page, user)
  await page.goto(paths.backups(key))
}

const backups = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 2 }) })

const restoreButton = (page: Page, t: Translate) =>
  backups(page)
    .last()
    .getByRole('button')
    .filter({ hasText: t(m.backups_restore) })

const backUpNow = (page: Page, t: Translate) =>
  page.getByRole('button', { name: t(m.backups_create) })

test.describe('/projects/view/{projectKey}/backups, of a site that writes files', () => {
  test.beforeAll(async () => {
    test.skip(!(await hasSandbox()), 'this machine has no sandbox')
  })

  for (const locale of everyLocale)
    test.describe(`in ${locale}`, () => {
      test.use({ locale })

      test('backs up the site, and restores it in place', async ({ page, t, newUser }) => {
        const user = await newUser()
        const project = await createGuestBook(user)
        await sign(project, 'Ada')
        await openBackups(page, user, project)
        await expect(page.getByText(t(m.backups_none), { exact: true })).toBeVisible()
        await expectAccessible(page)

        await backUpNow(page, t).click()
        await expect(restoreButton(page, t)).toBeVisible()
        await expect(page.getByRole('status').getByText(t(m.backups_ready_now))).toBeAttached()
        await expect(backups(page)).toContainText(`${t(m.backups_cause_manual)} · ${user.name} · `)
        await expectAccessible(page)

        await sign(project, 'Grace')
        await restoreButton(page, t).click()
        const dialog = page.getByRole('dialog')
        await expect(dialog.getByText(t(m.backups_restore_in_place))).toBeVisible()
        await expectAccessible(page)
        await dialog.getByRole('button', { name: t(m.backups_restore_confirm) }).click()
        await expect(dialog).toBeHidden()
        await expect(backups(page)).toHaveCount(2)
        await expect(backups(page).first()).toContainText(t(m.backups_cause_restore))
        await expect.poll(() => visit(project)).toBe('Ada')
        await expect(page.getByText(t(m.backups_restoring_visitors))).toBeHidden()

        await page.goto(paths.projectActivity(project.key))
        await expect(
          page.getByText(t(m.activity_backup_created, { actor: user.name })),
        ).toBeVisible()
      })
    })

  test('restores a backup into a new project, whose page opens', async ({ page, t, newUser }) => {
    const user = await newUser()
    const project = await createGuestBook(user)
    await sign(project, 'Ada')
    await openBackups(page, user, project)
    await backUpNow(page, t).click()
    await restoreButton(page, t).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t(m.backups_restore_new), { exact: true }).click()
    const name = t(m.backups_restore_name, { name: 'Old Mill' })
    const field = dialog.getByLabel(t(m.projects_name), { exact: true })
    await expect(field).toHaveValue(name)
    await field.fill('')
    await dialog.getByRole('button', { name: t(m.projects_create) }).click()
    await expect(field).toBeFocused()
    await expectAccessible(page)
    await field.fill(name)
    await dialog.getByRole('button', { name: t(m.projects_create) }).click()
    await expect(heading(page, name)).toBeVisible()
    const projects = await user.call(listProjects)
    const restored = projects.find((each) => each.name === name)
    if (!restored) throw new Error('there is no new project')
    await expect.poll(() => visit(restored)).toBe('Ada')
    await page.goto(paths.releases(restored.key))
    await expect(page.getByText(t(m.release_from_backup))).toBeVisible()
  })

  test('downloads a backup', async ({ page, t, newUser }) => {
    const user = await newUser()
    const project = await createGuestBook(user)
    await sign(project, 'Ada')
    await openBackups(page, user, project)
    await backUpNow(page, t).click()
    const downloaded = page.waitForEvent('download')
    await backups(page)
      .getByRole('button')
      .filter({ hasText: t(m.backups_download) })
      .click()
    const file = await downloaded
    expect(file.suggestedFilename()).toMatch(new RegExp(`^${project.key}-\\w+\\.tar\\.gz$`))
    const content = await readFile(await file.path())
    expect([...content.subarray(0, 2)], 'the signature of gzip').toEqual([0x1f, 0x8b])
  })

  test('says why a download failed', async ({ page, t, newUser }) => {
    const user = await newUser()
    const project = await createGuestBook(user)
    await sign(project, 'Ada')
    await openBackups(page, user, project)
    await backUpNow(page, t).click()
    await rejectCalls(
      page,
      downloadSiteBackup.path.replace(':id', project.id).replace(':backupId', '*'),
    )
    await backups(page)
      .getByRole('button')
      .filter({ hasText: t(m.backups_download) })
      .click()
    const message = t(m.error_too_many_requests)
    await expect(page.getByText(t(m.backups_download_failed, { message }))).toBeVisible()
  })

  test('says why the site cannot be backed up now', async ({ page, t, newUser }) => {
    const user = await newUser()
    const project = await createGuestBook(user)
    await openBackups(page, user, project)
    await page.route(`**/api${createSiteBackup.path.replace(':id', project.id)}`, (route) =>
      route.fulfill({
        status: 409,
        json: { code: 409, error: 'backup_not_possible', context: 'moving' },
      }),
    )
    await backUpNow(page, t).click()
    await expect(page.getByRole('alert')).toHaveText(t(m.error_backup_not_possible))
  })

  test('fits a phone, and is operated by keyboard', async ({ page, t, newUser }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    const user = await newUser()
    const project = await createGuestBook(user)
    await openBackups(page, user, project)
    await backUpNow(page, t).focus()
    await page.keyboard.press('Enter')
    await expect(restoreButton(page, t)).toBeVisible()
    await expect(backUpNow(page, t)).toBeFocused()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    await restoreButton(page, t).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('radio').first()).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(dialog.getByLabel(t(m.projects_name), { exact: true })).toBeVisible()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(restoreButton(page, t)).toBeFocused()
  })
})

test.describe('/projects/view/{projectKey}/backups', () => {
  for (const locale of everyLocale)
    test.describe(`in ${locale}`, () => {
      test.use({ locale })

      test('leads from a static site to its releases', async ({ page, t, newUser }) => {
        const user = await newUser()
        const project = await create(user, 'static')
        await openBackups(page, user, project)
        await expect(page.getByText(t(m.backups_no_content), { exact: true })).toBeVisible()
        await expect(backUpNow(page, t)).toHaveCount(0)
        await expectAccessible(page)
        await page.getByRole('link', { name: t(m.release_show_all) }).click()
        await expect(page).toHaveURL(paths.releases(project.key))
      })
    })

  test('says what a restore does, and why one has failed', async ({ page, t, newUser }) => {
    const user = await newUser()
    const project = await create(user, 'node')
    const time = '2026-11-27T09:00:00.000Z'
    const restore = {
      backupId: project.id,
      backupCreatedAt: time,
      step: 'import',
      failure: null as string | null,
      requestedAt: time,
      finishedAt: null as string | null,
    }
    const pattern = `**/api${listSiteBackups.path.replace(':id', project.id)}*`
    await page.route(pattern, (route) =>
      route.fulfill({
        json: {
          items: [],
          currentPage: 1,
          totalPages: 0,
          perPage: 100,
          hasContent: true,
          restore,
        },
      }),
    )
    await openBackups(page, user, project)
    const notice = page.getByRole('status').filter({ hasText: t(m.backups_restoring_visitors) })
    await expect(notice).toBeVisible()
    await expectAccessible(page)
    Object.assign(restore, { step: null, failure: 'no_room', finishedAt: time })
    await page.reload()
    await expect(page.getByRole('alert')).toContainText(t(m.backups_restore_failure_no_room))
    await expect(notice).toHaveCount(0)
    await expectAccessible(page)
  })

  test('offers a retry when the backups cannot be loaded', async ({ page, t, newUser }) => {
    const user = await newUser()
    const project = await create(user, 'static')
    const path = listSiteBackups.path.replace(':id', project.id)
    const { allowAtClick } = await rejectCalls(page, `${path}*`)
    await openBackups(page, user, project)
    const failure = page.getByRole('alert')
    await expect(failure).toContainText(t(m.shell_loading_failed, { item: t(m.backups_item_list) }))
    await expectAccessible(page)
    await allowAtClick(failure.getByRole('button', { name: t(m.shell_retry) }))
    await expect(page.getByText(t(m.backups_no_content), { exact: true })).toBeVisible()
  })

  test("shows no backup of another team's project", async ({ page, t, newUser }) => {
    const owner = await newUser()
    const project = await create(owner, 'static')
    await openBackups(page, await newUser(), project)
    await expect(
      page.getByText(t(m.projects_missing, { key: project.key }), { exact: true }),
    ).toBeVisible()
  })
})
