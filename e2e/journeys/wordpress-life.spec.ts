import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { findWordPress } from '../../apps/server/src/testing/wordpress.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { killDuring, starting, untilServed } from '../harness/deployments.ts'
import { everyLocale } from '../harness/locales.ts'
import { expectNothingLeft } from '../harness/nothing-left.ts'
import { connectionErrors, test } from '../harness/own-server.ts'
import {
  changePower,
  createByForm,
  deleteProject,
  recordedStart,
  rollBack,
  untilAsleep,
} from '../harness/project-journey.ts'
import { waitUntilConnected } from '../harness/shell-screens.ts'
import { lifeEnv } from '../harness/site-kinds.ts'
import { expect } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { createUser } from '../harness/user.ts'
import {
  addContent,
  addTestVersion,
  content,
  operatorToken,
  replacePicturesOfOthers,
  versionOf,
  versionText,
} from '../harness/wordpress.ts'

/** Updates the site to a version that an operator has added, by the page of its project. */
async function update(page: Page, t: Translate, number: number) {
  const version = versionOf(number)
  await page.reload()
  await page.getByRole('button', { name: t(m.release_update, { version }) }).click()
  const dialog = page.getByRole('alertdialog')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: t(m.release_update_confirm) }).click()
}

/** Expects the newest version to run, on the page of a project. */
async function expectUpdated(page: Page, t: Translate, number: number) {
  const version = versionOf(number)
  await expect(page.getByText(t(m.release_version, { version })).first()).toBeVisible()
  await expect(page.getByText(t(m.release_version_newest))).toBeVisible()
}

for (const locale of everyLocale)
  test.describe(`the life of a WordPress site, in ${locale}`, () => {
    test.use({
      locale,
      serverEnv: lifeEnv,
      expectedErrors: [connectionErrors],
    })

    test('leads from its creation to its deletion, and survives the kill of the server', async ({
      page,
      context,
      t,
      server,
    }) => {
      // The first use of WordPress installs Debian's packages, and unpacks WordPress.
      test.setTimeout(900_000)
      const canRun = (await hasSandbox()) && (await findWordPress()) !== null
      test.skip(!canRun, 'WordPress, php-fpm or the sandbox is missing')
      await replacePicturesOfOthers(context)
      const operator = await operatorToken(server.url)
      const digests = [await addTestVersion(server, operator, 1)]
      const user = await createUser(server.url)
      const name = 'Harbour Cafe'

      const project = await test.step('it is created with the newest version', async () => {
        const created = await createByForm(page, t, user, { name, runtime: t(m.runtime_wordpress) })
        await expectUpdated(page, t, 1)
        return created
      })

      const pictureUrl =
        await test.step('its owner adds a picture, a plugin and a post', async () => {
          const opened = page.waitForEvent('popup')
          await page.getByRole('link', { name: t(m.projects_open_named, { name }) }).click()
          const admin = await opened
          await expect(admin.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
          const address = await addContent(admin, project)
          await admin.close()
          return address
        })

      const site = await context.newPage()
      const expectContent = () =>
        test.step('visitors see the post, the plugin and the picture', async () => {
          const response = await site.goto(pictureUrl)
          expect(response?.headers()['content-type']).toBe('image/png')
          await site.goto(project.defaultUrl)
          await expect(site.getByRole('link', { name: content.post })).toBeVisible()
          await expect(site.getByText(content.notice)).toBeVisible()
          await page.bringToFront()
        })
      await expectContent()

      await test.step('it is updated to a new version', async () => {
        digests.push(await addTestVersion(server, operator, 2))
        await update(page, t, 2)
        await expectUpdated(page, t, 2)
      })
      await expectContent()

      await test.step('it is rolled back', async () => {
        await rollBack(page, t, project, { to: 1, number: 3 })
        const [text, previous] = [versionText(1), versionText(2)]
        await untilServed(server, project, { text, previous, title: 'rolled back' })
      })
      await expectContent()

      await test.step('it is stopped, started and restarted', () =>
        changePower(page, t, server, project, recordedStart(server, project)))

      await test.step('it sleeps, and a visit wakes it', async () => {
        await untilAsleep(server, project)
        await expectContent()
      })

      await test.step('the server is killed during an update, and finishes it', async () => {
        digests.push(await addTestVersion(server, operator, 3))
        await killDuring(server, project, { instant: starting, deploy: () => update(page, t, 3) })
        await server.start()
        const [text, previous] = [versionText(3), versionText(1)]
        await untilServed(server, project, { text, previous, title: starting.title })
        // The page, which was open all the time, connects again.
        await waitUntilConnected(page, t)
        await expectUpdated(page, t, 3)
      })
      await expectContent()

      await test.step('it is deleted, and nothing is left', async () => {
        await deleteProject(page, t, project)
        await expectNothingLeft(server, project, digests.sort())
      })
    })
  })
