// A list of 10,000 projects in Chromium: time to its first rows, and frames while scrolling.
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { startBrowser, storeSession } from './harness/browser.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { copyConsole, createDataDir, startServer } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import { kilobytes, milliseconds, print, printMeasurements, times } from './harness/table.ts'

const rowCount = 10_000
const fewRows = 100
const rounds = 3
/** Steps of a scroll and the pixels of each: about as fast as a flick. */
const steps = 100
const step = 400

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const tokens: Record<number, string> = {}
for (const count of [rowCount, fewRows]) {
  const tenant = await seedTeam(database.db, 1)
  await seedProjects(database.db, tenant, count, `example${count}`)
  tokens[count] = tenant.token
}
const server = await startServer(`${dataDir}/server`, {
  ...(await copyConsole(dataDir)),
  DATABASE_URL: database.url,
  ROLE: 'web',
})
const browser = await startBrowser()

const list = `${server.url}/api/management/project/all`

/** Time and size of one response, without a browser. */
async function fetchList(count: number) {
  const started = performance.now()
  const response = await fetch(list, { headers: { authorization: `Bearer ${tokens[count]}` } })
  const body = Buffer.from(await response.arrayBuffer())
  return {
    duration: performance.now() - started,
    bytes: body.length,
    gzipped: gzipSync(body).length,
  }
}

/** Opens the list; `plain` blocks the virtual rows' chunk, so that all rows are rendered. */
async function openList(from: Browser, count: number, plain: boolean) {
  const context = await from.newContext({ viewport: { width: 1280, height: 800 } })
  await storeSession(context, tokens[count] ?? '')
  const page = await context.newPage()
  if (plain) await page.route('**/table-virtual-rows-*.js', (route) => route.abort())
  const started = performance.now()
  await page.goto(`${server.url}/projects`, { waitUntil: 'commit' })
  await page.getByRole('rowheader').first().waitFor({ timeout: 120_000 })
  const duration = performance.now() - started
  // Until the final number of rows is rendered.
  const last = plain || count <= fewRows ? page.locator('tbody tr').nth(count - 1) : undefined
  await (last ?? page.locator('table[aria-rowcount]')).waitFor({
    state: 'attached',
    timeout: 120_000,
  })
  return { page, duration, close: () => context.close() }
}

/** Scrolls one step per frame and back, and returns the duration of each frame in milliseconds. */
const scroll = (page: Page) =>
  page.evaluate<number[]>(`new Promise((resolve) => {
    const frames = []
    let last
    let down = ${step}
    function next(now) {
      if (last !== undefined) frames.push(now - last)
      last = now
      if (frames.length === ${steps}) return resolve(frames)
      const end = document.documentElement.scrollHeight - innerHeight
      if (scrollY + down > end || scrollY + down < 0) down = -down
      scrollBy(0, down)
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })`)

const kinds = {
  virtual: { count: rowCount, plain: false },
  plain: { count: rowCount, plain: true },
  short: { count: fewRows, plain: false },
}
type Kind = keyof typeof kinds
const opened: Record<Kind, number[]> = { virtual: [], plain: [], short: [] }
const frames: Record<Kind, number[]> = { virtual: [], plain: [], short: [] }
const elements: Record<Kind, number> = { virtual: 0, plain: 0, short: 0 }

for (let round = 0; round < rounds; round++)
  for (const [kind, { count, plain }] of Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][]) {
    // One round is enough: it takes minutes.
    if (plain && round > 0) continue
    const { page, duration, close } = await openList(browser, count, plain)
    opened[kind].push(duration)
    frames[kind].push(...(await scroll(page)))
    elements[kind] = await page.evaluate<number>("document.querySelectorAll('*').length")
    await close()
  }

const responses = []
for (let round = 0; round < rounds; round++) responses.push(await fetchList(rowCount))
const [sample] = responses
if (!sample) throw new Error('there are no responses')

const show = (all: readonly number[]) =>
  `${milliseconds(median(all))} (${range(all, milliseconds)})`
/** A frame of at least twice 1/60 s is dropped. */
const dropped = (all: readonly number[]) => all.filter((frame) => frame > 2000 / 60).length
const scrolled = (kind: Kind) =>
  `longest ${milliseconds(Math.max(...frames[kind]))}, p95 ${milliseconds(percentile(frames[kind], 0.95))}, ${dropped(frames[kind])} of ${frames[kind].length} dropped`

print(
  `${rowCount} projects: ${elements.virtual} elements on the page, ${elements.plain} with all rows.`,
)
printMeasurements([
  {
    measure: `first rows of ${rowCount} projects, cold`,
    value: show(opened.virtual),
    ratio: `${times(median(opened.virtual) / median(opened.short))} a list of ${fewRows}`,
  },
  {
    measure: `first rows of ${fewRows} projects, cold`,
    value: show(opened.short),
    ratio: times(1),
  },
  {
    measure: `scrolling through ${rowCount}`,
    value: scrolled('virtual'),
    ratio: `${times(Math.max(...frames.virtual) / Math.max(...frames.plain))} all rows`,
  },
  {
    measure: `the same with all ${rowCount} rows on the page`,
    value: scrolled('plain'),
    ratio: times(1),
  },
  { measure: `the same with ${fewRows}`, value: scrolled('short') },
  {
    measure: `GET /management/project/all, ${rowCount} rows`,
    value: `${show(responses.map(({ duration }) => duration))}, ${kilobytes(sample.bytes)}`,
    ratio: `${times(sample.gzipped / sample.bytes)} when gzipped`,
  },
])

await browser.close()
await server.stop()
await database.stop()
await remove()
