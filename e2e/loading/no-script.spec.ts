import { locales, m } from '@slipway/phrases'
import { expect, test } from '../harness/test.ts'
import { textsIn } from '../harness/texts.ts'

// Not `javaScriptEnabled`: Chromium would still parse the page as one with scripts, and so show no
// `noscript`.
test.use({
  launchOptions: {
    executablePath: process.env.CHROMIUM_PATH,
    args: ['--blink-settings=scriptEnabled=false'],
  },
})

for (const path of ['/', '/auth/sign-up'])
  test(`without JavaScript, ${path} says in every language that it is required`, async ({
    page,
  }) => {
    await page.goto(path)
    for (const locale of locales) {
      // Playwright's text selectors skip `noscript`.
      const text = page.locator(`noscript [lang=${locale}]`)
      await expect(text).toHaveText(textsIn(locale)(m.navigation_no_script))
      await expect(text).toBeVisible()
    }
  })
