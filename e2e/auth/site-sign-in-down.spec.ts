import { join } from 'node:path'
import type { Route } from '@playwright/test'
import { urlOf } from '../../apps/server/src/db/embedded-connection.ts'
import { phrases } from '../../apps/site/src/phrases.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { databaseOf } from '../harness/database.ts'
import { testedLocales } from '../harness/locales.ts'
import { createReadyProject } from '../harness/ready-project.ts'
import { createServer } from '../harness/server.ts'
import { heading } from '../harness/shell-screens.ts'
import { test as base, expect } from '../harness/test.ts'
import { createUser } from '../harness/user.ts'

type SplitService = {
  /** Runs the sites, the gateway and the database; its own console is unused. */
  siteServer: Awaited<ReturnType<typeof createServer>>
  /** The console that the sites sign in with; it can be stopped alone. */
  web: Awaited<ReturnType<typeof createServer>>
}

const test = base.extend<{ splitService: SplitService }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the used fixtures from the pattern
  splitService: async ({}, use, testInfo) => {
    // Filled below: `web` reads it when it starts, and needs the ports of `siteServer`.
    const env: Record<string, string> = { ROLE: 'web' }
    const web = await createServer({ logFile: testInfo.outputPath('web.log'), env })
    const siteServer = await createServer({
      logFile: testInfo.outputPath('site-server.log'),
      env: { PUBLIC_URL: web.url },
    })
    env.SITES_PORT = String(siteServer.sitesPort)
    try {
      await siteServer.start()
      const connection = databaseOf(siteServer.dataDir)
      if (!connection) throw new Error('the database is not running')
      env.DATABASE_URL = urlOf(connection)
      env.SEALING_KEYS_FILE = join(siteServer.dataDir, 'keys/sealing-keys')
      await web.start()
      await use({ siteServer, web })
    } finally {
      await web.remove()
      await siteServer.remove()
    }
  },
})

for (const locale of testedLocales)
  test.describe(`a site while the console is down, in ${locale}`, () => {
    test.use({
      locale,
      // The sites stop before the page is closed, which may still load its icon.
      expectedErrors: [/status of 503|ERR_CONNECTION_REFUSED .*favicon/],
    })

    test('shows an error page with a link back, and signs in once the console is back', async ({
      page,
      t,
      splitService: { web },
    }) => {
      const words = phrases[t.locale]
      const user = await createUser(web.url)
      const { defaultUrl } = await createReadyProject(user, 'Example site')
      await storeSession(page, user)
      const start = `${defaultUrl}/yk/app/auth/oauth/cloud`
      const killConsole = async (route: Route) => {
        await web.kill()
        await route.continue()
      }
      await page.route(`${start}/callback?*`, killConsole, { times: 1 })
      await page.goto(start)
      await expect(heading(page, words.failures.unavailable.title)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: words.home }).click()
      await expect(heading(page, words.welcome.title)).toBeVisible()

      await page.goto(start)
      await expect(heading(page, words.failures.unavailable.title)).toBeVisible()
      await web.start()
      await page.getByRole('link', { name: words.signInAgain }).click()
      await expect(heading(page, words.editTitle)).toBeVisible()
    })

    test('rejects a save, and keeps its input', async ({ page, t, splitService: { web } }) => {
      const words = phrases[t.locale]
      const user = await createUser(web.url)
      const { defaultUrl } = await createReadyProject(user, 'Example site')
      await storeSession(page, user)
      await page.goto(`${defaultUrl}/yk/app/auth/oauth/cloud`)
      await expect(heading(page, words.editTitle)).toBeVisible()

      await page.getByLabel(words.title, { exact: true }).fill('Open every day')
      await web.kill()
      await page.getByRole('button', { name: words.save }).click()
      await expect(page.getByText(words.notChecked)).toBeVisible()
      await expect(page.getByLabel(words.title, { exact: true })).toHaveValue('Open every day')
      await expectAccessible(page)
    })
  })
