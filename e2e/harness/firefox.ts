import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Page } from 'puppeteer-core'

/** Starts Debian's Firefox. Playwright cannot drive it: it needs its own, patched builds. */
export async function startFirefox(executablePath: string) {
  const home = await mkdtemp(join(tmpdir(), 'slipway-firefox-'))
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    env: { ...process.env, HOME: home },
    defaultViewport: { width: 1280, height: 800 },
    extraPrefsFirefox: {
      'intl.accept_languages': 'en-GB',
      'ui.prefersReducedMotion': 1,
      // Nothing listens there: no request leaves this machine. Loopback addresses need no proxy.
      'network.proxy.type': 1,
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': 9,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': 9,
    },
  })
  const errors: string[] = []
  return {
    errors,
    async newPage() {
      const page = await browser.newPage()
      page.setDefaultTimeout(30_000)
      page.on('pageerror', (error) => errors.push(String(error)))
      return page
    },
    async close() {
      await browser.close()
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The element with this role and name in the accessibility tree. */
export const byRole = (page: Page, role: string, name: string) =>
  page.locator(`::-p-aria([name="${name}"][role="${role}"])`)

export const byText = (page: Page, text: string) => page.locator(`::-p-text(${text})`)
