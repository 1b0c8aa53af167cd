import type { Page } from '@playwright/test'
import { listProjects } from '@slipway/contract/projects'
import { markTicketRead } from '@slipway/contract/support'
import { type Locale, m } from '@slipway/phrases'
import { expectAccessible, expectContrastInLight } from '../harness/accessibility.ts'
import { storeSession } from '../harness/auth-screens.ts'
import {
  expectLargeTargets,
  expectPasteablePasswords,
  expectVisibleFocus,
} from '../harness/input-accessibility.ts'
import { atBothZooms, expectIntactLayout } from '../harness/layout.ts'
import {
  createScene,
  forGuests,
  forUnverified,
  type Screen,
  signedInScreens,
} from '../harness/screen-list.ts'
import { heading } from '../harness/shell-screens.ts'
import { expect, test } from '../harness/test.ts'
import { type Translate, textsIn } from '../harness/texts.ts'

/** Expects the page to fit: nothing scrolls sideways. */
async function expectToFit(page: Page, widths: readonly number[]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await expect
      .poll(() => page.evaluate<number>('document.documentElement.scrollWidth'), {
        message: `${page.url()} at ${width}`,
      })
      .toBeLessThanOrEqual(width)
  }
}

/** Expects the title of the tab to name the page and the pages above it. */
async function expectTitle(page: Page, t: Translate, { title, within }: Screen) {
  const name = title(t)
  if (name instanceof RegExp) return
  const names = [name, ...within.map((above) => above(t)), 'Slipway']
  await expect(page).toHaveTitle(names.join(' · '))
}

/**
 * Turkish has the longer texts, so it is checked at most widths; axe runs once, at the last one.
 * 640 px are 1280 px at 200 %, 320 px are 1280 px at 400 % (WCAG 1.4.4 and 1.4.10).
 */
const looks: { locale: Locale; widths: readonly number[]; checksAccessibility: boolean }[] = [
  { locale: 'tr', widths: [1024, 768, 640, 390, 360, 320], checksAccessibility: false },
  { locale: 'en', widths: [640, 390], checksAccessibility: true },
]

async function expectIntactAndAccessible(page: Page, screens: readonly Screen[]) {
  // One browser for an area is far faster than one for each screen and width.
  test.slow()
  for (const { locale, widths, checksAccessibility } of looks) {
    const t = textsIn(locale)
    await page.goto('/favicon.svg')
    await page.evaluate((value) => localStorage.setItem('preferredLocale', value), locale)
    for (const screen of screens) {
      await page.goto(screen.path)
      await expect(heading(page, screen.shows(t))).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      if (!checksAccessibility) {
        await expectTitle(page, t, screen)
        await atBothZooms(page, (condition) => expectIntactLayout(page, condition))
      }
      await expectToFit(page, widths)
      if (!checksAccessibility) continue
      await expectAccessible(page)
      await expectContrastInLight(page)
      await expectLargeTargets(page)
      await expectVisibleFocus(page)
      await expectPasteablePasswords(page)
    }
  }
}

test.describe('every screen fits every window, is complete at 200 % and is accessible in the dark', () => {
  // Touch screens have larger controls.
  test.use({ colorScheme: 'dark', hasTouch: true })

  test('the screens of visitors', async ({ page }) => {
    await expectIntactAndAccessible(page, forGuests)
  })

  test('the screen of an unverified user', async ({ page, newUser }) => {
    await storeSession(page, await newUser({ verified: false }))
    await expectIntactAndAccessible(page, forUnverified)
  })

  for (const [area, screensOf] of Object.entries(signedInScreens))
    test(`the screens of ${area}`, async ({ page, newUser, operator, database }) => {
      const scene = await createScene({ newUser, operator, database })
      // The badges in the navigation stay, although the tickets are opened.
      await page.route(`**/api${markTicketRead.path.replace(':id', '*')}`, () => undefined)
      await storeSession(page, scene.user)
      await expectIntactAndAccessible(page, screensOf(scene))
    })
})

// Every test checks that no page violates the policy: a violation is an error in the browser.
test.describe('the content security policy', () => {
  test("allows only the console's own files", async ({ page, t, newUser }) => {
    await storeSession(page, await newUser())
    const response = await page.goto('/projects/create')
    await expect(heading(page, t(m.projects_create_title))).toBeVisible()
    const policy = new Map(
      (response?.headers()['content-security-policy'] ?? '').split(';').map((directive) => {
        const [name = '', ...sources] = directive.trim().split(/\s+/)
        return [name, sources]
      }),
    )
    expect(policy.get('default-src')).toEqual(["'none'"])
    expect(policy.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy.get('base-uri')).toEqual(["'none'"])
    for (const directive of ['script-src', 'style-src']) {
      const sources = policy.get(directive) ?? []
      expect(sources.length, directive).toBeGreaterThan(0)
      for (const source of sources) expect(source).toMatch(/^'(self|sha256-.+)'$/)
    }
  })
})

test.describe('motion', () => {
  for (const reducedMotion of ['reduce', 'no-preference'] as const)
    test.describe(`with prefers-reduced-motion: ${reducedMotion}`, () => {
      test.use({ contextOptions: { reducedMotion } })

      test(`is ${reducedMotion === 'reduce' ? 'off' : 'on'} while a page loads`, async ({
        page,
        t,
        newUser,
      }) => {
        await storeSession(page, await newUser())
        let respond = () => {}
        const delay = new Promise<void>((resolve) => {
          respond = resolve
        })
        await page.route(`**/api${listProjects.path}`, async (route) => {
          await delay
          await route.continue()
        })
        await page.goto('/projects')
        await expect(page.getByRole('table', { name: t(m.projects_list_caption) })).toBeVisible()
        const animations = await page.evaluate<number>('document.getAnimations().length')
        if (reducedMotion === 'reduce') expect(animations).toBe(0)
        else expect(animations).toBeGreaterThan(0)
        respond()
        await expect(page.getByText(t(m.projects_empty))).toBeVisible()
      })
    })
})
