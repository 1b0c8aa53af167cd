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

/** Expects axe to report nothing: WCAG 2.0 to 2.2, A and AA, and best practices. */
export const expectAccessible = (page: Page) =>
  expectNoViolations(page, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  })

export const expectContrast = (page: Page) =>
  expectNoViolations(page, { runOnly: ['color-contrast'] })

/** Expects enough contrast in light mode. The other rules have the same result in both modes. */
export async function expectContrastInLight(page: Page) {
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expectContrast(page)
  await page.emulateMedia({ colorScheme: 'dark' })
}

async function expectNoViolations(page: Page, rules: Rules) {
  const violations = await findViolations(page, rules)
  const messages = violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ html }) => !(id === 'region' && isMenu(html)))
      .map((node) => `${id}: ${help} at ${node.target.join(' ')}\n${node.html}`),
  )
  expect(messages, `accessibility of ${page.url()}`).toEqual([])
}

/** Injects axe once per document; reporting violations alone saves most of the time. */
async function findViolations(page: Page, { runOnly }: Rules) {
  if (await page.evaluate("typeof axe === 'undefined'")) await injectScript(page, axe)
  // In a scrolled page the navigation covers elements, and axe reports them as too small.
  await page.evaluate('scrollTo(0, 0)')
  // Base UI's focus guards forward the focus at once.
  const context = { include: [['html']], exclude: [['[data-base-ui-focus-guard]']] }
  // Our rules need neither style sheets nor media fetched again.
  const options = { runOnly, resultTypes: ['violations'], iframes: false, preload: false }
  return page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
}

/** One session per page. None is detached: that would end the page's offline mode. */
const sessions = new WeakMap<Page, CDPSession>()

/** Runs a long script over the protocol: Playwright would wrap and copy it twice. */
async function injectScript(page: Page, script: string) {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  await session.send('Runtime.evaluate', { expression: `${script}; 0`, silent: true })
}

/** An open menu belongs to its button, wherever it is in the document: no landmark is missing. */
const isMenu = (html: string) => /^<div [^>]*role="menu"/.test(html)
