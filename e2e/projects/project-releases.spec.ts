import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { changeProjectPower, createProject, type ProjectKey } from '@slipway/contract/projects'
import { createRelease, listReleases } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { tarOf, zipOf } from '../../apps/server/src/testing/archives.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { dropFolder } from '../harness/drop-folder.ts'
import { folderOf } from '../harness/folder-of.ts'
import { recentRelease } from '../harness/project-screens.ts'
import { rejectCalls } from '../harness/rejected-calls.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam, type TestUser } from '../harness/user.ts'

async function createStaticSite(user: TestUser) {
  const { id: teamId } = await ownTeam(user)
  return user.call(createProject, {
    body: { name: 'Old Mill', teamId, regionId: 'eu', domain: null, runtime: 'static' },
  })
}

/** Chooses files by a button of the page, as a user does. */
async function choose(page: Page, label: string, files: string | string[]) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: label }).click()
  await (await chooser).setFiles(files)
}

const expectLive = (page: Page, t: Translate, number: number) =>
  expect(recentRelease(page, t, number)).toContainText(t(m.release_state_live))

const chooseFolder = (page: Page, t: Translate, folder: string) =>
  choose(page, t(m.release_choose_folder), folder)

async function openProject(page: Page, user: TestUser, key: ProjectKey) {
  await storeSession(page, user)
  await page.goto(paths.project(key))
}

/** A held upload sends no bytes: the returned function reports the share that it has sent. */
async function replaceUploadProgress(page: Page) {
  await page.addInitScript(() => {
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      addEventListener('upload-progress', (event) => {
        const { detail: loaded } = event as CustomEvent<number>
        this.upload.dispatchEvent(new ProgressEvent('progress', { loaded, total: 1 }))
      })
      send.call(this, body)
    }
  })
  return (share: number) =>
    page.evaluate(
      (detail) => void dispatchEvent(new CustomEvent('upload-progress', { detail })),
      share,
    )
}

test.describe('/projects/view/{projectKey}', () => {
  test('deploys a chosen folder, and shows why a release failed', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { key, defaultUrl } = await createStaticSite(user)
    await openProject(page, user, key)
    const files = {
      'index.html': '<!doctype html><link rel="stylesheet" href="css/site.css"><h1>First</h1>',
      'css/site.css': 'h1 { color: teal }',
    }
    await chooseFolder(page, t, await folderOf(files))
    await expectLive(page, t, 1)
    await expectAccessible(page)

    const folderWithoutIndex = await folderOf({ 'page.txt': 'no index' })
    await choose(page, t(m.release_choose_files), join(folderWithoutIndex, 'page.txt'))
    const failure = page.getByRole('alert')
    await expect(failure).toContainText(t(m.release_failure_index_missing))
    await expect(failure).toContainText(t(m.release_stays_live, { number: 1 }))
    const list = page.getByRole('region', { name: t(m.release_title), exact: true })
    await expect(list.getByRole('listitem').first()).toContainText(
      t(m.release_failure_index_missing),
    )
    await expectLive(page, t, 1)
    await page.reload()
    await expect(failure).toContainText(t(m.release_stays_live, { number: 1 }))
    // Above everything else of the page.
    await expect(failure.locator('xpath=preceding-sibling::*')).toHaveCount(0)

    await page.goto(defaultUrl)
    await expect(page.getByRole('heading', { name: 'First' })).toHaveCSS(
      'color',
      'rgb(0, 128, 128)',
    )
  })

  for (const [name, archiveOf] of [
    ['site.zip', zipOf],
    ['site.tar.gz', tarOf],
  ] as const)
    test(`deploys a chosen ${name}`, async ({ page, t, newUser }) => {
      const user = await newUser()
      const { key, defaultUrl } = await createStaticSite(user)
      await openProject(page, user, key)
      const archive = await archiveOf({ 'index.html': `<h1>From ${name}</h1>` })
      const folder = await folderOf({ [name]: archive })
      await choose(page, t(m.release_choose_files), join(folder, name))
      await expectLive(page, t, 1)
      await page.goto(defaultUrl)
      await expect(page.getByRole('heading', { name: `From ${name}` })).toBeVisible()
    })

  test('says that an archive is too large before it is uploaded', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { id, key } = await createStaticSite(user)
    await openProject(page, user, key)
    const folder = await folderOf({ 'site.zip': '' })
    await truncate(join(folder, 'site.zip'), 200_000_001)
    await choose(page, t(m.release_choose_files), join(folder, 'site.zip'))
    await expect(page.getByRole('alert')).toContainText('200 MB')
    const { items } = await user.call(listReleases, { params: { id }, query: {} })
    expect(items).toEqual([])
  })

  test('shows the maximum size when the service rejects an archive as too large', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { id, key } = await createStaticSite(user)
    await page.route(`**/api${createRelease.path.replace(':id', id)}*`, (route) =>
      route.fulfill({
        status: 413,
        json: { code: 413, error: 'request_too_large', context: '100' },
      }),
    )
    await openProject(page, user, key)
    await chooseFolder(page, t, await folderOf({ 'index.html': 'x' }))
    await expect(page.getByRole('alert')).toContainText(
      t(m.release_upload_too_large, { found: '177 bytes', max: '100 bytes' }),
    )
  })

  test('deploys files that are dropped anywhere on the page', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { key } = await createStaticSite(user)
    await openProject(page, user, key)
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['<h1>Dropped</h1>'], 'index.html', { type: 'text/html' }))
      return transfer
    })
    const anywhere = page.getByRole('heading', { level: 1 })
    const dropHint = page.getByText(t(m.release_drop))
    await expect(page.getByText(t(m.release_first_title), { exact: true })).toBeVisible()
    await expect(dropHint).toHaveCount(0)
    await anywhere.dispatchEvent('dragover', { dataTransfer: dropped })
    await expect(dropHint).toHaveCount(1)
    await expectAccessible(page)
    await anywhere.dispatchEvent('drop', { dataTransfer: dropped })
    await expectLive(page, t, 1)
    await expect(dropHint).toHaveCount(0)
  })

  test('deploys a folder that is dropped on the page, with its folders', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { key, defaultUrl } = await createStaticSite(user)
    await openProject(page, user, key)
    // Chromium reads a folder in parts of at most a hundred entries.
    const pages = Array.from({ length: 120 }, (_, number) => [`articles/${number}.html`, 'x'])
    const folder = await folderOf({
      'index.html': '<!doctype html><link rel="stylesheet" href="css/site.css"><h1>Dropped</h1>',
      'css/site.css': 'h1 { color: teal }',
      ...Object.fromEntries(pages),
      '.env': 'SECRET=1',
      '.git/config': 'y',
    })
    await dropFolder(page, t, folder)
    await expectLive(page, t, 1)
    await page.getByRole('link', { name: t(m.release_show_all) }).click()
    await expect(
      page.getByText(t(m.release_size, { count: 122, files: '122', size: '' }).trim()),
    ).toBeVisible()
    await page.goto(defaultUrl)
    await expect(page.getByRole('heading', { name: 'Dropped' })).toHaveCSS(
      'color',
      'rgb(0, 128, 128)',
    )
  })

  test('does not say that there is no release while the releases cannot be loaded', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { id, key } = await createStaticSite(user)
    const { allowAtClick } = await rejectCalls(page, `${listReleases.path.replace(':id', id)}*`)
    const failure = page.getByRole('alert')
    const failureText = t(m.shell_loading_failed, { item: t(m.release_item_list) })
    await openProject(page, user, key)
    await expect(failure).toContainText(failureText)
    await page.goto(paths.releases(key))
    await expect(failure).toContainText(failureText)
    const noReleaseText = page.getByText(t(m.release_none), { exact: true })
    await expect(noReleaseText).toHaveCount(0)
    await expectAccessible(page)
    await allowAtClick(failure.getByRole('button', { name: t(m.shell_retry) }))
    await expect(noReleaseText).toBeVisible()
  })

  test('leaves out the files of a chosen folder that are not for visitors', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { key } = await createStaticSite(user)
    await openProject(page, user, key)
    const folder = await folderOf({ 'index.html': 'x', '.env': 'SECRET=1', '.git/config': 'y' })
    await chooseFolder(page, t, folder)
    await expectLive(page, t, 1)
    await page.getByRole('link', { name: t(m.release_show_all) }).click()
    await expect(
      page.getByText(t(m.release_size, { count: 1, files: '1', size: '' }).trim()),
    ).toBeVisible()
  })

  test('reports a drop that has no files', async ({ page, t, newUser }) => {
    const user = await newUser()
    const { key } = await createStaticSite(user)
    await openProject(page, user, key)
    const text = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.setData('text/plain', 'https://example.org')
      return transfer
    })
    const row = page.getByRole('group', { name: t(m.release_deploy) })
    await row.dispatchEvent('drop', { dataTransfer: text })
    await expect(page.getByRole('alert')).toHaveText(t(m.release_no_files))
    await expectAccessible(page)
  })

  test('shows the progress of an upload, keeps the focus, and asks before it is left', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { id, key } = await createStaticSite(user)
    const reportProgress = await replaceUploadProgress(page)
    await openProject(page, user, key)
    const isUpload = (url: URL) => url.pathname.includes('/release/create/')
    // The server never responds, so the upload does not end.
    await page.route(isUpload, () => undefined)
    const folder = await folderOf({ 'index.html': 'x' })
    const upload = page.waitForRequest((request) => isUpload(new URL(request.url())))
    await chooseFolder(page, t, folder)
    const zone = page.getByRole('group', { name: t(m.release_deploy) })
    const progress = zone.getByRole('progressbar')
    await expect(progress).toBeVisible()
    await upload
    for (const share of [0.25, 0.75]) {
      await reportProgress(share)
      await expect(progress).toHaveJSProperty('value', share)
    }
    await expect(zone).toBeFocused()
    await expect(page.getByRole('status').getByText(t(m.release_uploading))).toBeAttached()
    const size = page.viewportSize() ?? { width: 1280, height: 720 }
    await page.setViewportSize({ width: 320, height: 700 })
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    await page.setViewportSize(size)
    // The focus may have scrolled the tabs halfway below the header, which axe counts as too small.
    await page.evaluate(() => scrollTo(0, 0))
    await expectAccessible(page)

    const isPrevented = await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'missed.pdf'))
      const options = { dataTransfer, bubbles: true, cancelable: true }
      return !document.body.dispatchEvent(new DragEvent('drop', options))
    })
    expect(isPrevented, 'the browser does not open a file that is dropped meanwhile').toBe(true)

    await page.getByRole('link', { name: t(m.release_title), exact: true }).click()
    const prompt = page.getByRole('alertdialog')
    await expect(prompt).toBeVisible()
    await prompt.getByRole('button', { name: t(m.unsaved_stay) }).click()
    await expect(prompt).toBeHidden()
    await zone.getByRole('button').click()
    await expect(zone.getByRole('button', { name: t(m.release_choose_folder) })).toBeVisible()
    await expect(zone).toBeFocused()
    await page.unroute(isUpload)
    expect((await user.call(listReleases, { params: { id }, query: {} })).items).toEqual([])

    await chooseFolder(page, t, folder)
    await expect(
      page.getByRole('status').getByText(t(m.release_live_now, { number: 1 })),
    ).toBeAttached()
  })
})

test.describe('/projects/view/{projectKey}, while the connection fails', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] })

  test('offers a retry after a lost connection, which makes one release', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { key } = await createStaticSite(user)
    await openProject(page, user, key)
    const isUpload = (url: URL) => url.pathname.includes('/release/create/')
    await page.route(isUpload, async (route) => {
      // The server receives the upload; only its response is lost.
      await route.fetch()
      await route.abort()
    })
    await chooseFolder(page, t, await folderOf({ 'index.html': 'x' }))
    await expect(page.getByRole('alert')).toBeVisible()
    await page.unroute(isUpload)
    await page.getByRole('button', { name: t(m.shell_retry) }).click()
    await expect(page.getByRole('alert')).toBeHidden()
    await expectLive(page, t, 1)
  })
})

test.describe('/projects/view/{projectKey}/releases', () => {
  test('follows a release that is deployed in another tab', async ({
    page,
    context,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { key } = await createStaticSite(user)
    await storeSession(page, user)
    await page.goto(paths.releases(key))
    await expect(page.getByText(t(m.release_none), { exact: true })).toBeVisible()
    const otherTab = await context.newPage()
    await otherTab.goto(paths.project(key))
    await chooseFolder(otherTab, t, await folderOf({ 'index.html': 'x' }))
    await expect(page.getByText(t(m.release_state_live), { exact: true })).toBeVisible()
    await expect(
      page.getByRole('status').getByText(t(m.release_live_now, { number: 1 })),
    ).toBeAttached()
  })

  test('says that a release of a stopped site is deployed and runs once it is started', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { id, key } = await createStaticSite(user)
    await user.call(changeProjectPower, { params: { id }, body: { power: 'stopped' } })
    await storeSession(page, user)
    await page.goto(paths.releases(key))
    await expect(page.getByText(t(m.release_none), { exact: true })).toBeVisible()
    await chooseFolder(page, t, await folderOf({ 'index.html': 'x' }))
    await expect(page.getByText(t(m.release_state_deployed), { exact: true })).toBeVisible()
    await expect(
      page.getByRole('status').getByText(t(m.release_deployed, { number: 1 })),
    ).toBeAttached()
  })

  test('says that a live release has warnings, which its log explains', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { key } = await createStaticSite(user)
    await storeSession(page, user)
    await page.goto(paths.releases(key))
    await expect(page.getByText(t(m.release_none), { exact: true })).toBeVisible()
    await chooseFolder(page, t, await folderOf({ 'index.html': 'x', _redirects: '/old /old' }))
    const release = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') })
    await expect(release).toContainText(t(m.release_state_live))
    await expect(release).toContainText(t(m.release_warnings, { count: 1, number: '1' }))
    await page.getByRole('button', { name: t(m.release_log_title, { number: 1 }) }).click()
    const reason = t(m.release_rule_endless)
    await expect(
      page
        .getByRole('dialog')
        .getByText(t(m.release_log_rule, { file: '_redirects', number: '1', reason })),
    ).toBeVisible()
    await expectAccessible(page)
  })

  test('gives a release the time of its start, as the overview does', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { id, key } = await createStaticSite(user)
    await openProject(page, user, key)
    await chooseFolder(page, t, await folderOf({ 'index.html': 'x' }))
    await expectLive(page, t, 1)
    const { items } = await user.call(listReleases, { params: { id }, query: {} })
    const startedAt = items[0]?.createdAt ?? ''
    await expect(recentRelease(page, t, 1).locator('time')).toHaveAttribute('datetime', startedAt)
    await page.goto(paths.releases(key))
    await expect(page.getByRole('main').locator('time')).toHaveAttribute('datetime', startedAt)
  })

  test('lists what each release changed, and rolls back to an earlier one', async ({
    page,
    t,
    newUser,
  }) => {
    const user = await newUser()
    const { key, defaultUrl } = await createStaticSite(user)
    await storeSession(page, user)
    await page.goto(paths.releases(key))
    await expect(page.getByText(t(m.release_none), { exact: true })).toBeVisible()

    const items = page.getByRole('main').getByRole('listitem')
    const release = (number: number) =>
      items.filter({
        has: page.getByRole('heading', { name: t(m.release_number, { number }), exact: true }),
      })
    await chooseFolder(page, t, await folderOf({ 'index.html': 'one', 'a.css': 'a' }))
    await expect(release(1)).toContainText(t(m.release_state_live))
    await page.getByRole('button', { name: t(m.release_log_title, { number: 1 }) }).click()
    const log = page.getByRole('dialog', { name: t(m.release_log_title, { number: 1 }) })
    await expect(log.getByRole('listitem').last()).toContainText(t(m.release_log_live))
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(log).toBeHidden()
    const second = { 'index.html': 'two', 'b.css': 'b', 'c.css': 'c' }
    await chooseFolder(page, t, await folderOf(second))
    await expect(release(2)).toContainText(t(m.release_state_live))
    await expect(release(2)).toContainText(t(m.release_files_added, { count: 2, files: '2' }))
    await expect(release(2)).toContainText(t(m.release_files_changed, { count: 1, files: '1' }))
    await expect(release(2)).toContainText(t(m.release_files_removed, { count: 1, files: '1' }))
    await expect(release(1)).toContainText(t(m.release_state_superseded))
    for (const [number, count, size] of [
      [1, 2, '4 bytes'],
      [2, 3, '5 bytes'],
    ] as const) {
      await expect(release(number)).toContainText(user.name)
      const sizeText = t(m.release_size, { count, files: `${count}`, size })
      await expect(release(number)).toContainText(sizeText)
    }

    const rollBack = page.getByRole('button', {
      name: t(m.release_roll_back_named, { number: 1 }),
      exact: true,
    })
    await rollBack.click()
    await expect(rollBack).toBeFocused()
    await expect(release(3)).toContainText(t(m.release_state_live))
    await expect(release(3)).toContainText(t(m.release_rollback_of, { number: 1 }))
    // Its files run again: only the other release can be rolled back to.
    await expect(rollBack).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(
      page.getByRole('button', { name: t(m.release_roll_back_named, { number: 2 }), exact: true }),
    ).toBeVisible()
    await until(async () => {
      await page.goto(defaultUrl)
      return (await page.textContent('body'))?.trim() === 'one'
    })
  })
})
