// JavaScript and CSS that a browser with an empty cache loads for each screen.

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Browser, Page, Request } from '@playwright/test'
import { createAccount, signUpOn } from './harness/account.ts'
import { startBrowser, storeSession } from './harness/browser.ts'
import { type BenchmarkedScreen, consoleRoutes } from './harness/routes.ts'
import { copyConsole, createDataDir, startServer } from './harness/server.ts'
import { kilobytes, type Measurement, print, printMeasurements, times } from './harness/table.ts'

const loginBudget = 120_000
const otherBudget = 180_000
/** The font for Latin-1, and its letters of other languages such as ğ. No other font is shipped. */
const fontBudgets: Record<string, number> = { latin: 30_000, 'latin-ext': 17_000 }
/** The smallest comparable pages of other consoles, measured in November 2026. */
const competitors: Record<string, { name: string; bytes: number }> = {
  '/auth/login': { name: 'Pterodactyl', bytes: 167_000 },
  '/projects': { name: 'Oxide', bytes: 290_000 },
}

const sizes = new Map<string, number>()

/** The size at Brotli's highest quality, independent of the server's compression. */
function compressed(url: string, content: Buffer) {
  const size =
    sizes.get(url) ??
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }).length
  sizes.set(url, size)
  return size
}

/** How long the network must be idle, in milliseconds. */
const idleTime = 500

/**
 * Opens a page and waits until the network is idle. Ignores event streams, such as the logs':
 * they never end.
 */
async function openUntilIdle(page: Page, url: string) {
  const openRequests = new Set<Request>()
  let idleSince = performance.now()
  const end = (request: Request) => {
    openRequests.delete(request)
    idleSince = performance.now()
  }
  page.on('request', (request) => {
    if (request.headers().accept !== 'text/event-stream') openRequests.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  await page.goto(url)
  while (openRequests.size > 0 || performance.now() - idleSince < idleTime) await sleep(50)
}

/** Loads a page until the network is idle, and adds up the sizes of its files by kind. */
async function coldLoad(browser: Browser, url: string, path: string, token?: string) {
  const context = await browser.newContext()
  if (token !== undefined) await storeSession(context, token)
  const page = await context.newPage()
  await openUntilIdle(page, url + path)
  await page.getByRole('heading').first().waitFor()
  const finalUrl = new URL(page.url())
  if (finalUrl.pathname !== path.split('?')[0])
    throw new Error(`${path} led to ${finalUrl.pathname}`)
  const files = await page.evaluate<{ name: string; initiatorType: string }[]>(
    "performance.getEntriesByType('resource').map(({ name, initiatorType }) => ({ name, initiatorType }))",
  )
  await context.close()
  const code = new Set(files.map(({ name }) => name).filter((name) => /\.(js|css)$/.test(name)))
  const total = { js: 0, css: 0, fonts: 0, files: code.size }
  // The style sheet is inlined in the page.
  const html = await (await fetch(url + path)).text()
  for (const [, style = ''] of html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g))
    total.css += compressed(`style of ${url}`, Buffer.from(style))
  for (const file of code) {
    const content = Buffer.from(await (await fetch(file)).arrayBuffer())
    total[file.endsWith('.css') ? 'css' : 'js'] += compressed(file, content)
  }
  // Fonts are compressed already, and have budgets of their own.
  for (const { name } of files.filter((file) => file.name.endsWith('.woff2')))
    total.fonts += (await (await fetch(name)).arrayBuffer()).byteLength
  return total
}

/** The size of each font of the console, also of one that no screen of this benchmark loads. */
async function fontMeasurements(consoleDir: string): Promise<Measurement[]> {
  const assets = join(consoleDir, 'assets')
  const fonts = (await readdir(assets)).filter((file) => file.endsWith('.woff2'))
  return Promise.all(
    fonts.map(async (file) => {
      const { size } = await stat(join(assets, file))
      const subset = file.match(/^geist-(.+)-wght-/)?.[1] ?? file
      const budget = fontBudgets[subset] ?? 0
      return {
        measure: `font ${subset}`,
        value: kilobytes(size),
        budget: `≤ ${kilobytes(budget)}`,
        met: size <= budget,
      }
    }),
  )
}

const { dataDir, remove } = await createDataDir()
const consoleCopy = await copyConsole(dataDir)
const server = await startServer(dataDir, consoleCopy)
const user = await createAccount(server.url)
const tokens: Record<BenchmarkedScreen['visitor'], string | undefined> = {
  guest: undefined,
  unverified: (await signUpOn(server.url)).token,
  user: user.token,
}
const browser = await startBrowser()

const measurements: Measurement[] = []
for (const { path, name, visitor } of await consoleRoutes(user)) {
  const { js, css, fonts, files } = await coldLoad(browser, server.url, path, tokens[visitor])
  const bytes = js + css
  const budget = name === '/auth/login' ? loginBudget : otherBudget
  const competitor = competitors[name]
  measurements.push({
    measure: name,
    value: `${kilobytes(bytes)} (CSS ${kilobytes(css)}, ${files} files; fonts ${kilobytes(fonts)})`,
    budget: `≤ ${kilobytes(budget)}`,
    met: bytes <= budget,
    ratio: `${times(bytes / budget)} the budget${
      competitor ? `, ${times(bytes / competitor.bytes)} ${competitor.name}` : ''
    }`,
  })
}
measurements.push(...(await fontMeasurements(consoleCopy.CONSOLE_DIR)))
print('JavaScript and CSS that Chromium loads with an empty cache, at Brotli 11.')
printMeasurements(measurements)

await browser.close()
await server.stop()
await remove()
