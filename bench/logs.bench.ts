// A log of 10,000 lines in Chromium: frames while scrolling and while new lines arrive, and memory.
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createProject } from '@slipway/contract/projects'
import { writeRecord } from '../apps/server/src/logs/log-record.ts'
import { createAccount } from './harness/account.ts'
import { startBrowser, storeSession } from './harness/browser.ts'
import { copyConsole, createDataDir, startServer } from './harness/server.ts'
import { percentile } from './harness/statistics.ts'
import { megabytes, milliseconds, printMeasurements } from './harness/table.ts'

const lineCount = 10_000
/** Lines of the first page, and of each older one. */
const pageSize = 500
const frameCount = 300
/** A log may drop one frame in a hundred. */
const maxDropped = frameCount / 100
/** A frame that takes longer than this, in milliseconds, has dropped another one: twice 1/60 s. */
const maxFrameTime = 2000 / 60

const { dataDir, remove } = await createDataDir()
const server = await startServer(dataDir, await copyConsole(dataDir))
const account = await createAccount(server.url)
const body = { name: 'Example', teamId: account.teamId, regionId: 'eu', domain: null }
const project = await account.call(createProject, { body: { ...body, runtime: 'static' } })

/** Writes requests as the gateway does. */
async function write(from: number, count: number) {
  const folder = join(dataDir, 'logs', project.key, 'requests')
  await mkdir(folder, { recursive: true })
  const time = Date.now()
  const lines = Array.from({ length: count }, (_, index) =>
    writeRecord({
      time,
      request: {
        method: 'GET',
        host: `${project.key}.localhost`,
        path: `/products/${from + index}/a-name-of-a-product`,
        status: 200,
        bytes: 5_120,
        duration: 12,
        referrer: null,
        agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
    }),
  )
  const hour = new Date(time).toISOString().slice(0, 13).replace(/\D/g, '')
  await appendFile(join(folder, `${hour}.log`), lines.join(''))
}

/** The durations of frames in milliseconds, while `move` runs in each. */
const measure = (page: Page, move: string) =>
  page.evaluate<number[]>(`new Promise((resolve) => {
    const log = document.querySelector('[role=log]')
    const durations = []
    let last
    let step = -200
    function next(now) {
      if (last !== undefined) durations.push(now - last)
      last = now
      if (durations.length === ${frameCount}) return resolve(durations)
      ${move}
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })`)

/** Opens the log, and loads earlier lines until it shows `count`. */
async function openLog(count: number) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await storeSession(context, account.token)
  const page = await context.newPage()
  await page.goto(`${server.url}/projects/view/${project.key}/logs?source=requests`)
  const log = page.getByRole('log')
  await log.getByText(`/products/${written - 1}/`).waitFor()
  for (let loaded = pageSize; loaded < count; loaded += pageSize) {
    await log.evaluate((element) => element.scrollTo(0, 0))
    await page.getByRole('button', { name: 'Load earlier lines' }).click()
    await log.getByText(`/products/${written - loaded - 1}/`).waitFor({ state: 'attached' })
  }
  return { page, close: () => context.close() }
}

/** The JavaScript heap and the elements of a page, after a garbage collection. */
async function memoryOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const elements = await page.evaluate<number>("document.querySelectorAll('*').length")
  return { heap: usedSize, elements }
}

function smoothness(frames: readonly number[]) {
  const dropped = frames.filter((frame) => frame > maxFrameTime).length
  return {
    value: `p95 ${milliseconds(percentile(frames, 0.95))}, longest ${milliseconds(Math.max(...frames))}, ${dropped} of ${frames.length} dropped`,
    budget: `≤ ${maxDropped} dropped`,
    met: dropped <= maxDropped,
  }
}

let written = lineCount
await write(0, lineCount)
const browser = await startBrowser()

const short = await openLog(pageSize)
const shortMemory = await memoryOf(short.page)
const scroll = `
  if (log.scrollTop + step < 0 || log.scrollTop + step > log.scrollHeight - log.clientHeight) step = -step
  log.scrollBy(0, step)`
const shortScroll = await measure(short.page, scroll)
await short.close()

const long = await openLog(lineCount)
const longMemory = await memoryOf(long.page)
const longScroll = await measure(long.page, scroll)
await long.page.getByRole('log').evaluate((element) => element.scrollTo(0, element.scrollHeight))
const writer = setInterval(() => {
  void write(written, 10)
  written += 10
}, 100)
const following = await measure(long.page, '')
clearInterval(writer)
await long.close()

printMeasurements([
  { measure: `scrolling through ${lineCount} lines, 200 px a frame`, ...smoothness(longScroll) },
  { measure: `the same with ${pageSize}`, ...smoothness(shortScroll) },
  { measure: `following ${lineCount} lines, 100 new ones a second`, ...smoothness(following) },
  {
    measure: `heap with ${lineCount} lines`,
    value: `${megabytes(longMemory.heap)}, ${longMemory.elements} elements`,
    ratio: `${megabytes(shortMemory.heap)} and ${shortMemory.elements} with ${pageSize}`,
  },
])

await browser.close()
await server.stop()
await remove()
