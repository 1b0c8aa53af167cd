import { expect, type Locator, type Page } from '@playwright/test'
import { day } from '@slipway/contract/limits'

/** Pauses the page's clock: a toast stays, however slow the machine is. */
export const pauseClock = (page: Page) => page.clock.pauseAt(Date.now() + day)

/** Runs the paused clock until the element is visible. */
export async function runClockUntilVisible(page: Page, shown: Locator) {
  await expect(async () => {
    await page.clock.runFor(20)
    expect(await shown.isVisible()).toBe(true)
  }).toPass()
}
