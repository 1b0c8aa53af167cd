import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { hasPhpFpm } from '../../apps/server/src/testing/has-php-fpm.ts'
import { hasSandbox } from '../../apps/server/src/testing/sandbox.ts'
import { everyLocale } from '../harness/locales.ts'
import { changePower, createByForm, deleteProject } from '../harness/project-journey.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

async function chooseFolder(page: Page, t: Translate, files: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-site-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: t(m.release_choose_folder) }).click()
  await (await chooser).setFiles(folder)
}

/** A guest book with this heading. */
const guestBook = (title: string) => ({
  'index.php': `<?php
    $file = '/data/guests';
    if ($_SERVER['REQUEST_METHOD'] === 'POST') file_put_contents($file, $_POST['name'] . "\\n", FILE_APPEND);
    $guests = is_file($file) ? file_get_contents($file) : '';
    ?><!doctype html><title>Guests</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/site.css">
    <h1>${title}</h1><form method="post"><input name="name" aria-label="Name"><button>Sign</button></form>
    <pre><?= htmlspecialchars($guests) ?></pre>`,
  'site.css': 'h1 { color: teal }',
})

for (const locale of everyLocale)
  test.describe(`a PHP site, in ${locale}`, () => {
    test.use({ locale })

    test('is created, uploaded, changed, stopped, started and deleted', async ({
      page,
      t,
      newUser,
      service,
    }) => {
      const canRun = (await hasSandbox()) && (await hasPhpFpm())
      test.skip(!canRun, 'php-fpm or the sandbox is missing')
      const user = await newUser()
      const project = await createByForm(page, t, user, {
        name: 'Old Mill',
        runtime: t(m.runtime_php),
      })
      await chooseFolder(page, t, guestBook('One'))
      await expect(page.getByText(t(m.release_live_now, { number: 1 })).first()).toBeVisible()
      // A program of the customer has no sign-in of ours.
      await expect(
        page.getByRole('link', { name: t(m.projects_open_named, { name: project.name }) }),
      ).toHaveCount(0)

      const site = await page.context().newPage()
      await site.goto(project.defaultUrl)
      await expect(site.getByRole('heading', { name: 'One' })).toHaveCSS(
        'color',
        'rgb(0, 128, 128)',
      )
      await site.getByLabel('Name').fill('Ada')
      await site.getByRole('button', { name: 'Sign' }).click()
      await expect(site.getByText('Ada')).toBeVisible()

      // Chromium does not take files for a tab in the background.
      await page.bringToFront()
      await chooseFolder(page, t, { 'index.php': '<?php missing_function();' })
      await expect(page.getByRole('alert')).toContainText(
        t(m.release_failure_unhealthy, { status: '500' }),
      )
      await chooseFolder(page, t, guestBook('Two'))
      await expect(page.getByText(t(m.release_live_now, { number: 3 })).first()).toBeVisible()
      await expect(async () => {
        await site.goto(project.defaultUrl)
        await expect(site.getByRole('heading', { name: 'Two' })).toBeVisible({ timeout: 1 })
      }).toPass()
      await expect(site.getByText('Ada')).toBeVisible()

      await changePower(page, t, service, project)
      await site.goto(project.defaultUrl)
      await expect(site.getByText('Ada')).toBeVisible()
      await deleteProject(page, t, service, project)
    })
  })
