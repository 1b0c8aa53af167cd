import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type CDPSession, expect, type Page } from '@playwright/test'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

type Rules = { runOnly: string[] }
type Violation = {
  id: string
  help: string
  nodes: { html: string; target: unknown[] }[]
}

/** Expects axe to find nothing on the page as it is: WCAG 2.0 to 2.2, A and AA, and best practices. */
export const expectAccessible = (page: Page) =>
  expectNothing(page, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  })

/** Expects the contrasts to be right in the light, too: all else is the same as in the dark. */
export async function expectContrastInLight(page: Page) {
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expectNothing(page, { runOnly: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'dark' })
}

async function expectNothing(page: Page, rules: Rules) {
  const violations = await look(page, rules)
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ html }) => !(id === 'region' && isMenu(html)))
      .map((node) => `${id}: ${help} at ${node.target.join(' ')}\n${node.html}`),
  )
  expect(found, `accessibility of ${page.url()}`).toEqual([])
}

/** A document is given axe once, and axe describes nothing but what is wrong: the rest takes most of its time. */
async function look(page: Page, { runOnly }: Rules) {
  if (await page.evaluate("typeof axe === 'undefined'")) await give(page, axe)
  // Base UI's guards: the focus does not rest on them, but goes on to the popup or past it.
  const where = { include: [['html']], exclude: [['[data-base-ui-focus-guard]']] }
  // No rule of ours needs style sheets or media fetched once more.
  const options = { runOnly, resultTypes: ['violations'], iframes: false, preload: false }
  return page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(where)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
}

/** Of the pages that were looked at. Ending one would end being offline, too, for the page. */
const sessions = new WeakMap<Page, CDPSession>()

/** Runs a long script in the page, by the protocol itself: Playwright would wrap it, and copy it twice. */
async function give(page: Page, script: string) {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  await session.send('Runtime.evaluate', { expression: `${script}; 0`, silent: true })
}

/** An open menu belongs to its button, wherever in the document it stands; no landmark is missing. */
const isMenu = (html: string) => /^<div [^>]*role="menu"/.test(html)
