import type { Page } from '@playwright/test'
import { createProject, listProjects } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { zipOf } from '../../apps/server/src/testing/archives.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { sitePage } from '../../apps/server/src/testing/site-page.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { everyLocale } from '../harness/locales.ts'
import { projectRow, recentRelease, selectRegion } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { ownTeam } from '../harness/user.ts'

let canRun = false

test.beforeAll(async () => {
  canRun = await hasSandbox()
  if (!canRun) process.stdout.write('Tests of Node apps are skipped: there is no sandbox.\n')
})

/** A Node app whose server is this program. */
const archiveOf = (program: string) => ({
  name: 'app.zip',
  mimeType: 'application/zip',
  buffer: zipOf({
    'package.json': JSON.stringify({ scripts: { start: 'node server.js' } }),
    'server.js': program,
  }),
})

/** A page with this heading, which the program prints at its start and at each visit. */
const shop = (title: string) =>
  archiveOf(`
    console.log('${title} opens')
    require('node:http').createServer((request, response) => {
      if (request.url === '/visit') console.log('${title} has a visit')
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><html lang="en"><title>Shop</title><h1>${title}</h1>')
    }).listen(process.env.PORT)`)

/** A page that ends its program for good once /break is visited. */
const breakable = archiveOf(`
  const { existsSync, writeFileSync } = require('node:fs')
  const end = () => {
    console.log('The wheel is broken')
    process.exit(1)
  }
  if (existsSync('/data/broken')) end()
  require('node:http').createServer((request, response) => {
    if (request.url === '/break') {
      writeFileSync('/data/broken', '')
      end()
    }
    response.end('Second mill')
  }).listen(process.env.PORT)`)

/** Uploads an archive by the button of the page, as a user does. */
async function upload(page: Page, t: Translate, archive: ReturnType<typeof archiveOf>) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: t(m.release_choose_files) }).click()
  await (await chooser).setFiles(archive)
}

const release = (page: Page, t: Translate, number: number) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({
      has: page.getByRole('heading', { name: t(m.release_number, { number }), exact: true }),
    })

for (const locale of everyLocale)
  test.describe(`a Node app, in ${locale}`, () => {
    test.use({ locale })

    test('is created, uploaded, survives a broken upload, is rolled back, and shows its output', async ({
      page,
      t,
      newUser,
    }) => {
      test.skip(!canRun, 'this machine has no sandbox')
      const user = await newUser()
      await storeSession(page, user)
      await page.goto(paths.createProject())
      await page.getByText(t(m.runtime_node), { exact: true }).click()
      await page.getByLabel(t(m.projects_name), { exact: true }).fill('Old Mill')
      await selectRegion(page)
      await page.getByRole('button', { name: t(m.projects_create) }).click()
      await expect(heading(page, 'Old Mill')).toBeVisible()
      const [project] = await user.call(listProjects)
      if (!project) throw new Error('the form created no project')
      const { key, defaultUrl } = project

      await upload(page, t, shop(`First mill ${key}`))
      await expect(
        page
          .getByRole('main')
          .getByText(t(m.release_live_now, { number: 1 }))
          .first(),
      ).toBeVisible()
      // The version of the software, and who deployed the last release.
      await expect(page.getByRole('definition').getByText(/^Node \d+\.\d+/)).toBeVisible()
      await expect(recentRelease(page, t, 1)).toContainText(t(m.release_state_live))
      await expect(recentRelease(page, t, 1)).toContainText(user.name)
      await expectAccessible(page)
      const site = await page.context().newPage()
      await site.goto(defaultUrl)
      await expect(site.getByRole('heading', { name: `First mill ${key}` })).toBeVisible()

      await upload(page, t, archiveOf(`console.log('No flour ${key}'); process.exit(7)`))
      await expect(page.getByRole('alert')).toContainText(
        t(m.release_failure_program_exited, { code: '7' }),
      )
      await site.goto(defaultUrl)
      await expect(site.getByRole('heading', { name: `First mill ${key}` })).toBeVisible()

      await upload(page, t, shop(`Third mill ${key}`))
      await expect(
        page
          .getByRole('main')
          .getByText(t(m.release_live_now, { number: 3 }))
          .first(),
      ).toBeVisible()
      const siteTitle = async () => {
        await site.goto(defaultUrl)
        return site.getByRole('heading').textContent()
      }
      await expect.poll(siteTitle).toBe(`Third mill ${key}`)

      await page.goto(paths.releases(key))
      await page.getByRole('button', { name: t(m.release_log_title, { number: 2 }) }).click()
      const log = page.getByRole('dialog', { name: t(m.release_log_title, { number: 2 }) })
      await expect(log.getByText(`No flour ${key}`)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(log).toBeHidden()
      await page
        .getByRole('button', { name: t(m.release_roll_back_named, { number: 1 }), exact: true })
        .click()
      await expect(release(page, t, 4)).toContainText(t(m.release_state_live))
      await expect.poll(siteTitle).toBe(`First mill ${key}`)

      await page.goto(paths.logs(key))
      const output = page.getByRole('log')
      await expect(output.getByText(`Third mill ${key} opens`)).toBeVisible()
      await site.goto(new URL('/visit', defaultUrl).href)
      await expect(output.getByText(`First mill ${key} has a visit`)).toBeVisible()
    })

    test('shows that it keeps stopping, and its last output, until it is rolled back', async ({
      page,
      t,
      newUser,
      otherBrowser,
    }) => {
      test.skip(!canRun, 'this machine has no sandbox')
      const user = await newUser()
      const { id: teamId } = await ownTeam(user)
      const { key, defaultUrl } = await user.call(createProject, {
        body: { name: 'Old Mill', teamId, regionId: 'eu', domain: null, runtime: 'node' },
      })
      await storeSession(page, user)
      await page.goto(paths.project(key))
      await upload(page, t, shop('First mill'))
      await expect(recentRelease(page, t, 1)).toContainText(t(m.release_state_live))
      await upload(page, t, breakable)
      await expect(recentRelease(page, t, 2)).toContainText(t(m.release_state_live))
      // The same files again: a rollback to the release before would change nothing.
      await upload(page, t, breakable)
      await expect(recentRelease(page, t, 3)).toContainText(t(m.release_state_live))
      const { hostname, port } = new URL(defaultUrl)
      const visit = (path?: string) => sitePage(Number(port), hostname, path)
      await expect.poll(async () => (await visit()).body).toBe('Second mill')

      await visit('/break')
      const notice = page.getByRole('alert')
      await expect(notice).toContainText(t(m.projects_crashing))
      await expect(notice).toContainText('The wheel is broken')
      await expect(notice.getByRole('link', { name: t(m.logs_title) })).toBeVisible()
      const main = page.getByRole('main')
      await expect(main.getByText(t(m.projects_state_crashing), { exact: true })).toBeVisible()
      await expectAccessible(page)
      const list = await otherBrowser()
      await storeSession(list, user)
      await list.goto(paths.projects())
      await expect(projectRow(list, 'Old Mill')).toContainText(t(m.projects_state_crashing))

      await notice
        .getByRole('button', { name: t(m.release_roll_back_named, { number: 1 }) })
        .click()
      await expect(recentRelease(page, t, 4)).toContainText(t(m.release_state_live))
      await expect(notice).toBeHidden()
      await expect(main.getByText(t(m.projects_state_ready), { exact: true })).toBeVisible()
      await expect(projectRow(list, 'Old Mill')).toContainText(t(m.projects_state_ready))
    })

    test('is offered as the runtime when the files of a static site look like a Node app', async ({
      page,
      t,
      newUser,
    }) => {
      test.skip(!canRun, 'this machine has no sandbox')
      const user = await newUser()
      const { id: teamId } = await ownTeam(user)
      const { key } = await user.call(createProject, {
        body: { name: 'Old Mill', teamId, regionId: 'eu', domain: null, runtime: 'static' },
      })
      await storeSession(page, user)
      await page.goto(paths.project(key))
      await upload(page, t, shop('First mill'))
      const offer = page.getByRole('status').filter({ hasText: t(m.release_like_node) })
      const deployAs = offer.getByRole('button', { name: t(m.release_deploy_as_node) })
      await expect(deployAs).toBeVisible()
      await expectAccessible(page)
      await deployAs.click()
      await expect(recentRelease(page, t, 2)).toContainText(t(m.release_state_live))
      await expect(offer).toHaveCount(0)

      const files = {
        name: 'page.zip',
        mimeType: 'application/zip',
        buffer: zipOf({ 'index.html': 'A page' }),
      }
      await upload(page, t, files)
      await expect(recentRelease(page, t, 3)).toContainText(t(m.release_state_failed))
      // A reload discards the chosen files.
      await page.reload()
      await page.getByRole('button', { name: t(m.release_deploy_as_static) }).click()
      await expect(page.getByText(t(m.release_choose_again))).toBeVisible()
      await upload(page, t, files)
      await expect(recentRelease(page, t, 4)).toContainText(t(m.release_state_live))
    })
  })
