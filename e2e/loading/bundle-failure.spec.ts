import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import { testedLocales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

/** The bundle's entry file, the last file that the page requests. */
const entryFile = '**/assets/index-*.js'

const breakBundle = (page: Page) => page.route(entryFile, (route) => route.fulfill({ status: 503 }))

test.describe('a bundle that fails to load', () => {
  test.use({ expectedErrors: [/status of 503|Failed to fetch dynamically imported module/] })

  for (const locale of testedLocales)
    test.describe(`in ${locale}`, () => {
      test.use({ locale })

      test('is reported to a visitor, whose page continues once it loads', async ({ page, t }) => {
        await breakBundle(page)
        await page.goto('/auth/login')
        const alert = page.getByRole('alert')
        await expect(alert).toHaveText(t(m.navigation_bundle_retrying))
        const box = await alert.evaluate((element) => {
          const { left, right, bottom } = element.getBoundingClientRect()
          return { left, right: innerWidth - right, bottom: innerHeight - bottom }
        })
        expect(box, 'its distance from the edges of the window').toEqual({
          left: 16,
          right: 16,
          bottom: 16,
        })
        await expectAccessible(page)
        await page.unroute(entryFile)
        await expect(page.getByRole('alert')).toHaveCount(0)
        await expect(heading(page, t(m.auth_login_title))).toBeVisible()
      })
    })

  test('is reported to a signed-in user, whose page continues once it loads', async ({
    page,
    t,
    newUser,
  }) => {
    await storeSession(page, await newUser())
    await breakBundle(page)
    await page.goto('/projects')
    await expect(page.getByRole('alert')).toHaveText(t(m.navigation_bundle_retrying))
    await page.unroute(entryFile)
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })

  test('is reported when it throws, and causes no endless reload', async ({ page, t }) => {
    await page.route(entryFile, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("no such feature")' }),
    )
    await page.goto('/auth/login')
    await expect(page.getByRole('alert')).toHaveText(t(m.navigation_bundle_failed))
  })
})
