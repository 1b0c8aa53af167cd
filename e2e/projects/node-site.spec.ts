import type { Page } from '@playwright/test'
import { listProjects } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { paths } from '../../apps/console/src/paths.ts'
import { zipOf } from '../../apps/server/src/testing/archives.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { everyLocale } from '../harness/locales.ts'
import { selectRegion } from '../harness/project-screens.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

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
  })
