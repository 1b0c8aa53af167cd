import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Project } from '@slipway/contract/projects'
import { createRelease } from '@slipway/contract/releases'
import { m } from '@slipway/phrases'
import { signUpByForm } from '../harness/auth-screens.ts'
import { killDuring, untilServed, waitUntilSettled } from '../harness/deployments.ts'
import { dropFolder } from '../harness/drop-folder.ts'
import { folderOf } from '../harness/folder-of.ts'
import { everyLocale } from '../harness/locales.ts'
import { expectNothingLeft } from '../harness/nothing-left.ts'
import { connectionErrors, test } from '../harness/own-server.ts'
import {
  changePower,
  createByForm,
  deleteProject,
  rollBack,
  untilAsleep,
} from '../harness/project-journey.ts'
import { recentRelease } from '../harness/project-screens.ts'
import { waitUntilConnected } from '../harness/shell-screens.ts'
import { lifeEnv, shownStart, type UploadedKind, uploadedKinds } from '../harness/site-kinds.ts'
import { expect } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'
import { createUser } from '../harness/user.ts'

const runtimeLabels = {
  static: m.runtime_static,
  node: m.runtime_node,
  php: m.runtime_php,
} satisfies Record<UploadedKind['runtime'], unknown>

/** Expects a release to be the live one on the project's page. */
const expectLive = (page: Page, t: Translate, number: number) =>
  expect(recentRelease(page, t, number)).toContainText(t(m.release_state_live))

/** Visits the site in a tab until it shows a version, with its style sheet. */
async function expectVersion(site: Page, project: Project, kind: UploadedKind, version: number) {
  await expect(async () => {
    await site.goto(new URL(kind.path, project.defaultUrl).href)
    await expect(site.getByText(kind.text(version))).toBeVisible({ timeout: 1 })
  }).toPass()
  await expect(site.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(0, 128, 128)')
}

for (const locale of everyLocale)
  for (const kind of uploadedKinds)
    test.describe(`the life of a site of the runtime ${kind.runtime}, in ${locale}`, () => {
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
        const reason = await kind.missing()
        test.skip(reason !== null, reason ?? '')
        test.setTimeout(300_000)
        const sources = await mkdtemp(join(tmpdir(), 'slipway-life-'))
        const drop = async (version: number) => {
          const folder = await kind.build(sources, version)
          // Chromium accepts no files for a tab in the background.
          await page.bringToFront()
          await dropFolder(page, t, folder)
        }

        // One journey begins with nothing.
        const user =
          kind.runtime === 'static' && locale === everyLocale[0]
            ? await test.step('its owner signs up', () => signUpByForm(page, t, server.url))
            : await createUser(server.url)

        const project = await test.step('it is created', () =>
          createByForm(page, t, user, {
            name: 'Old Mill',
            runtime: t(runtimeLabels[kind.runtime]),
          }))
        const site = await context.newPage()
        const expectSite = async (version: number) => {
          await expectVersion(site, project, kind, version)
          if (kind.hasGuestBook) await expect(site.getByText('Ada')).toBeVisible()
        }

        await test.step('a folder is deployed', async () => {
          await drop(1)
          await expect(recentRelease(page, t, 1)).toBeVisible()
          // npm ci downloads packages.
          await waitUntilSettled(user, project)
          await expectLive(page, t, 1)
          // The customer's own program has no sign-in with the console.
          await expect(
            page.getByRole('link', { name: t(m.projects_open_named, { name: project.name }) }),
          ).toHaveCount(0)
          await expectVersion(site, project, kind, 1)
        })

        if (kind.hasGuestBook)
          await test.step('a visitor signs its guest book', async () => {
            await site.getByLabel('Name').fill('Ada')
            await site.getByRole('button', { name: 'Sign' }).click()
            await expect(site.getByText('Ada')).toBeVisible()
          })

        await test.step('a broken release changes nothing', async () => {
          const folder = await folderOf(kind.broken)
          await page.bringToFront()
          await dropFolder(page, t, folder)
          await expect(page.getByRole('alert')).toContainText(kind.brokenReason(t))
          await expectSite(1)
        })

        await test.step('a changed release replaces the first', async () => {
          await drop(3)
          await expectLive(page, t, 3)
          await expectSite(3)
        })

        await test.step('it is rolled back', async () => {
          await page.bringToFront()
          await rollBack(page, t, project, { to: 1, number: 4 })
          await expectSite(1)
        })

        await test.step('it is stopped, started and restarted', async () => {
          await page.bringToFront()
          await changePower(page, t, server, project, shownStart(server, project, kind))
          await expectSite(1)
        })

        if (kind.runtime !== 'static')
          await test.step('it sleeps, and a visit wakes it', async () => {
            await untilAsleep(server, project)
            await expectSite(1)
          })

        await test.step('the server is killed during a deployment, and finishes it', async () => {
          const uploadPath = `**/api${createRelease.path.replace(':id', project.id)}*`
          await killDuring(server, project, {
            instant: kind.instant,
            async deploy() {
              const uploaded = page.waitForResponse(uploadPath)
              await drop(5)
              await (await uploaded).finished()
            },
          })
          await server.start()
          const [text, previous] = [kind.text(5), kind.text(1)]
          const { path, instant } = kind
          await untilServed(server, project, { path, text, previous, title: instant.title })
          // The page, which was open all the time, connects again.
          await waitUntilConnected(page, t)
          await expectLive(page, t, 5)
          await expectSite(5)
        })

        await test.step('it is deleted, and nothing is left', async () => {
          await page.bringToFront()
          await deleteProject(page, t, project)
          await expectNothingLeft(server, project)
        })
      })
    })
