import type { Page } from '@playwright/test'
import { m } from '@slipway/phrases'
import { expectAccessible } from '../harness/accessibility.ts'
import { signIn } from '../harness/auth-screens.ts'
import { locales } from '../harness/locales.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'

/** The bundle's entry file, the last file that the page requests. */
const programFile = '**/assets/index-*.js'

const breakProgram = (page: Page) =>
  page.route(programFile, (route) => route.fulfill({ status: 503 }))

test.describe('a bundle that fails to load', () => {
  test.use({ expectedErrors: [/status of 503|Failed to fetch dynamically imported module/] })

  for (const locale of locales)
    test.describe(`in ${locale}`, () => {
      test.use({ locale })

      test('is reported to a visitor, whose page continues once it loads', async ({ page, t }) => {
        await breakProgram(page)
        await page.goto('/auth/login')
        const alert = page.getByRole('alert')
        await expect(alert).toHaveText(t(m.navigation_program_waits))
        const place = await alert.evaluate((element) => {
          const { left, right, bottom } = element.getBoundingClientRect()
          return { left, right: innerWidth - right, bottom: innerHeight - bottom }
        })
        expect(place, 'its distance from the edges of the window').toEqual({
          left: 16,
          right: 16,
          bottom: 16,
        })
        await expectAccessible(page)
        await page.unroute(programFile)
        await expect(page.getByRole('alert')).toHaveCount(0)
        await expect(heading(page, t(m.auth_login_title))).toBeVisible()
      })
    })

  test('is reported to a signed-in user, whose page continues once it loads', async ({
    page,
    t,
    newUser,
  }) => {
    await signIn(page, await newUser())
    await breakProgram(page)
    await page.goto('/projects')
    await expect(page.getByRole('alert')).toHaveText(t(m.navigation_program_waits))
    await page.unroute(programFile)
    await expect(heading(page, t(m.projects_title))).toBeVisible()
  })

  test('that throws is reported, and causes no endless reload', async ({ page, t }) => {
    await page.route(programFile, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("no such feature")' }),
    )
    await page.goto('/auth/login')
    await expect(page.getByRole('alert')).toHaveText(t(m.navigation_program_failed))
  })
})
