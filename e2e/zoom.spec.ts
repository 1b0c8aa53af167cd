import type { Page } from '@playwright/test'
import { markTicketRead } from '@slipway/contract/support'
import { m } from '@slipway/phrases'
import { addCard, cardNamed, cardNumbers, menuButton, overviewPath } from './billing-screens.ts'
import { expectAllInReach, expectAllThere } from './layout.ts'
import { askToDelete, insertOwnProject } from './project-screens.ts'
import { createScene, forGuests, forSignedIn, type Screen } from './screen-list.ts'
import { heading, signIn } from './screens.ts'
import { expect, test } from './test.ts'
import type { Say } from './wording.ts'

// A window of 1280 by 720 px at 200 %, in the language with the longer words (WCAG 1.4.4 and 1.4.10).
const zoomed = { width: 640, height: 360 }
const whole = { width: 1280, height: 720 }
test.use({ locale: 'tr-TR', viewport: zoomed, deviceScaleFactor: 2 })

const setTextSize = (page: Page, size: string) =>
  page.evaluate(`document.documentElement.style.fontSize = '${size}'`)

/** Looks at the page as it is now, at 200 %, and with letters alone that are twice as large. */
async function inBothWays(page: Page, look: (how: string) => Promise<void>) {
  await look('zoomed')
  await page.setViewportSize(whole)
  await setTextSize(page, '200%')
  await look('with large letters')
  await setTextSize(page, '')
  await page.setViewportSize(zoomed)
}

async function expectScreens(page: Page, say: Say, screens: readonly Screen[]) {
  for (const { path, shows } of screens) {
    await page.goto(path)
    await expect(heading(page, shows(say))).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await inBothWays(page, (how) => expectAllThere(page, how))
  }
}

test.describe('at 200 %, and with letters twice as large, every screen is all there', () => {
  test('for guests', async ({ page, say }) => {
    await expectScreens(page, say, forGuests)
  })

  test('for whoever has not verified their address', async ({ page, say, newPerson }) => {
    await signIn(page, await newPerson({ verified: false }))
    const shows = (words: Say) => words(m.auth_ask_verify_title)
    await expectScreens(page, say, [{ path: '/auth/ask-verify', shows }])
  })

  for (const [area, screensOf] of Object.entries(forSignedIn))
    test(`of ${area}`, async ({ page, say, newPerson, operator, database }) => {
      const scene = await createScene({ newPerson, operator, database })
      // The badges of the navigation stay while the tickets are looked at.
      await page.route(`**/api${markTicketRead.path.replace(':id', '*')}`, () => undefined)
      await signIn(page, scene.person)
      await expectScreens(page, say, screensOf(scene))
    })

  test('of what lies over a page', async ({ page, say, newPerson, database }) => {
    const person = await newPerson()
    const project = await insertOwnProject(database, person, { name: 'Harbour Cafe' })
    await addCard(person)
    await addCard(person, cardNumbers.troy)
    await signIn(page, person)
    const check = async (role: 'dialog' | 'alertdialog' | 'menu') => {
      await inBothWays(page, () => expectAllInReach(page, role))
      await page.keyboard.press('Escape')
      await expect(page.getByRole(role)).toHaveCount(0)
    }

    await page.goto(`/projects/view/${project.key}`)
    await expect(heading(page, project.name)).toBeVisible()
    await page.getByRole('button', { name: say(m.shell_user_menu) }).click()
    await check('menu')
    await page.keyboard.press('?')
    await check('dialog')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('option').first()).toBeVisible()
    await check('dialog')
    await askToDelete(page, say)
    await check('alertdialog')

    await page.goto(overviewPath)
    await menuButton(page, say, cardNamed(say, m.cards_visa, cardNumbers.visa)).click()
    await page.getByRole('menuitem', { name: say(m.cards_edit) }).click()
    await check('dialog')
  })
})
