import type { Page } from '@playwright/test'
import { storeSession } from '../harness/auth-screens.ts'
import {
  createScene,
  forGuests,
  forUnverified,
  type Screen,
  signedInScreens,
} from '../harness/screen-list.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import type { Translate } from '../harness/texts.ts'

/** Records layout shifts and the moved elements (https://wicg.github.io/layout-instability). */
const recordShifts = `
  globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput)
        shifts.push({
          value,
          moved: sources.map(({ node, previousRect, currentRect }) => [
            (node?.outerHTML ?? node?.textContent ?? '').slice(0, 100),
            previousRect.y + ' -> ' + currentRect.y,
          ].join(' ')),
        })
  }).observe({ type: 'layout-shift', buffered: true })
`

type Shift = { value: number; moved: string[] }

/** The budget of a whole load: a fifth of 0.1, web.dev's limit for a good score. */
const budget = 0.02

/** Loads each screen, and expects that nothing jumps until its last part has loaded. */
async function expectStable(page: Page, t: Translate, screens: readonly Screen[]) {
  test.slow()
  await page.addInitScript(recordShifts)
  for (const { path, shows } of screens) {
    await page.goto(path)
    await expect(heading(page, shows(t))).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    // The links at the end of the page load last.
    await expect(page.getByRole('contentinfo').getByRole('link').first()).toBeAttached()
    const shifts = await page.evaluate<Shift[]>(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts))))',
    )
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    expect.soft(sum, `${path}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(budget)
  }
}

for (const [name, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1440, height: 900 }],
] as const)
  test.describe(`nothing jumps while a page loads on ${name}`, () => {
    test.use({ viewport })

    test('on the screens of visitors', async ({ page, t }) => {
      await expectStable(page, t, forGuests)
    })

    test('on the screen of an unverified user', async ({ page, t, newUser }) => {
      await storeSession(page, await newUser({ verified: false }))
      await expectStable(page, t, forUnverified)
    })

    for (const area of Object.keys(signedInScreens))
      test(`on the screens of ${area}`, async ({ page, t, newUser, operator, database }) => {
        const scene = await createScene({ newUser, operator, database }, 'Harbour Cafe', {
          isSettled: true,
        })
        await storeSession(page, scene.user)
        await expectStable(page, t, signedInScreens[area]?.(scene) ?? [])
      })
  })
