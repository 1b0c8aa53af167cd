import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Expects axe to find nothing on the page as it is: WCAG 2.0 to 2.2, A and AA, and best practices. */
export const expectAccessible = (page: Page) =>
  expectNothing(page, (axe) =>
    axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']),
  )

/** Expects the contrasts to be right in the light, too: all else is the same as in the dark. */
export async function expectContrastInLight(page: Page) {
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expectNothing(page, (axe) => axe.withRules(['color-contrast']))
  await page.emulateMedia({ colorScheme: 'dark' })
}

async function expectNothing(page: Page, what: (axe: AxeBuilder) => AxeBuilder) {
  const { violations } = await what(new AxeBuilder({ page }))
    // Base UI's: the focus does not rest on them, but goes on to the popup or past it.
    .exclude('[data-base-ui-focus-guard]')
    // Without frames there is nothing that the isolation of the newer way would protect.
    .setLegacyMode()
    .analyze()
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ html }) => !(id === 'region' && isMenu(html)))
      .map((node) => `${id}: ${help} at ${node.target.join(' ')}\n${node.html}`),
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}

/** An open menu belongs to its button, wherever in the document it stands; no landmark is missing. */
const isMenu = (html: string) => /^<div [^>]*role="menu"/.test(html)
