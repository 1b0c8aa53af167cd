import { existsSync } from 'node:fs'
import { m } from '@slipway/phrases'
import { createLayout } from '../../apps/server/src/engines/hosting/local/files/layout.ts'
import { zipOf } from '../../apps/server/src/testing/archives.ts'
import { processesOf } from '../../apps/server/src/testing/processes.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { findWordPress, wordPressArtifact } from '../../apps/server/src/testing/wordpress.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { everyLocale } from '../harness/locales.ts'
import { changePower, createByForm, deleteProject } from '../harness/project-journey.ts'
import { createServer, type Server } from '../harness/server.ts'
import { expect, test } from '../harness/test.ts'
import { createUser } from '../harness/user.ts'
import { addVersion, operatorToken } from '../harness/wordpress.ts'

/** A red picture of one pixel. */
const picture = {
  name: 'red.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
}

const plugin = {
  name: 'harbour-notice.zip',
  mimeType: 'application/zip',
  buffer: zipOf({
    'harbour-notice/harbour-notice.php': `<?php
/** Plugin Name: Harbour Notice */
add_action('wp_footer', function () { echo '<p>The quay is open</p>'; });`,
  }),
}

/** The same WordPress, as if it were another version. */
const asVersion = (text: string) => text.replace(/\$wp_version = '.*?'/, "$wp_version = '99.1'")

type Artifact = Awaited<ReturnType<typeof wordPressArtifact>>

let server: Server | undefined
let token: string
let update: Artifact

test.beforeAll(async () => {
  // Its first use installs Debian's packages, and unpacks WordPress.
  test.setTimeout(600_000)
  const sources = (await hasSandbox()) ? await findWordPress() : null
  if (!sources) return
  // A separate server, whose sites sleep after seconds.
  server = await createServer({ env: { SLEEP_AFTER: '3' } })
  await server.start()
  token = await operatorToken(server.url)
  const artifact = await wordPressArtifact(sources)
  await artifact.install(server.dataDir)
  await addVersion(server.url, token, artifact)
  update = await wordPressArtifact(sources, asVersion)
  await update.install(server.dataDir)
})
test.afterAll(() => server?.remove())

for (const locale of everyLocale)
  test.describe(`a WordPress, in ${locale}`, () => {
    test.use({ locale })

    test('gets a post, a picture, a plugin and a new version, and sleeps, wakes and is deleted', async ({
      page,
      context,
      t,
    }) => {
      test.skip(!server, 'WordPress, php-fpm or the sandbox is missing')
      if (!server) return
      test.setTimeout(300_000)
      // WordPress shows pictures of other services.
      await context.route(/gravatar\.com|s\.w\.org/, (route) =>
        route.fulfill({ contentType: 'image/png', body: picture.buffer }),
      )
      const user = await createUser(server.url)
      const name = 'Harbour Cafe'
      const project = await createByForm(page, t, user, { name, runtime: t(m.runtime_wordpress) })
      const { defaultUrl, key } = project
      await expect(page.getByText(t(m.release_version_newest))).toBeVisible()

      const opened = page.waitForEvent('popup')
      await page.getByRole('link', { name: t(m.projects_open_named, { name }) }).click()
      const admin = await opened
      await expect(admin.getByRole('heading', { name: 'Dashboard' })).toBeVisible()

      await admin.goto(`${defaultUrl}/wp-admin/media-new.php?browser-uploader`)
      await admin.locator('#async-upload').setInputFiles(picture)
      await admin.locator('#html-upload').click()
      await expect(admin).toHaveURL(/upload\.php/)
      await expect(admin.getByRole('checkbox', { name: 'red' })).toBeVisible()

      await admin.goto(`${defaultUrl}/wp-admin/plugin-install.php?tab=upload`)
      await admin.locator('#pluginzip').setInputFiles(plugin)
      await admin.getByRole('button', { name: 'Install Now' }).click()
      await admin.getByRole('link', { name: 'Activate Plugin' }).click()
      await expect(admin.getByText('Plugin activated.')).toBeVisible()

      await admin.goto(`${defaultUrl}/wp-admin/post-new.php`)
      await admin
        .getByRole('button', { name: 'Close dialog' })
        .or(admin.getByRole('button', { name: 'Close', exact: true }))
        .click()
      await admin.getByRole('textbox', { name: 'Add title' }).fill('First coffee')
      await admin.getByRole('button', { name: 'Publish', exact: true }).click()
      const panel = admin.getByLabel('Editor publish')
      await panel.getByRole('button', { name: 'Publish', exact: true }).click()
      await expect(panel.getByText('is now live')).toBeVisible()
      await admin.close()

      const site = await context.newPage()
      async function expectContent() {
        await site.goto(defaultUrl)
        await expect(site.getByRole('link', { name: 'First coffee' })).toBeVisible()
        await expect(site.getByText('The quay is open')).toBeVisible()
      }
      await expectContent()

      await addVersion(server.url, token, update)
      await page.reload()
      await page.getByRole('button', { name: t(m.release_update, { version: '99.1' }) }).click()
      const dialog = page.getByRole('alertdialog')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: t(m.release_update_confirm) }).click()
      await expect(page.getByText(t(m.release_version, { version: '99.1' })).first()).toBeVisible()
      await expect(page.getByText(t(m.release_version_newest))).toBeVisible()
      await expectContent()

      await changePower(page, t, server, project)
      const { asleep, folder } = createLayout(server.dataDir).site(key)
      await until(async () => existsSync(asleep) && (await processesOf(folder)).length === 0)
      await expectContent()
      await deleteProject(page, t, server, project)
    })
  })
