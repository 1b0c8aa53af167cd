import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Expects axe to find nothing on the page as it is: WCAG 2.0 to 2.2, A and AA, and best practices. */
export async function expectAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
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
