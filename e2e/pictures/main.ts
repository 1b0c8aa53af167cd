import { mkdir, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '../../tools/chromium.mjs'
import { storeSession } from '../harness/auth-screens.ts'
import { createServer } from '../harness/server.ts'
import { textsIn } from '../harness/texts.ts'
import { album, type Chapter } from './album.ts'
import { type SavedPicture, writeContactSheet, writeSheets } from './contact-sheets.ts'
import { createExampleData } from './example-data.ts'
import { startProblemPages } from './gateway-pictures.ts'
import { exampleSeller } from './invoice-pictures.ts'
import {
  growToContent,
  type Look,
  loadTypeface,
  lookName,
  looks,
  openLook,
  shrink,
} from './looks.ts'
import type { Picture } from './picture.ts'
import { takeForReadme } from './readme-pictures.ts'

// `npm run pictures`: the pictures of the README, from the demo.
// `npm run pictures -- <folder> [--only=projects,billing] [--look=en.light.desktop]`: every screen
// in every state, on a phone and a desktop, light and dark, English and Turkish.

const demo = fileURLToPath(new URL('../../apps/server/dist/demo.js', import.meta.url))

async function takePicture(page: Page, look: Look, { show, inWindow }: Picture, file: string) {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.context().setOffline(false)
  await page.emulateMedia({ media: null, forcedColors: null })
  await show(page, textsIn(look.locale))
  await loadTypeface(page)
  if (!inWindow) await growToContent(page)
  // Pictures of sites below the window load when it has grown.
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete))
  await page.screenshot({ path: file })
  await shrink(page, look)
}

type Job = { look: Look; chapter: Chapter }
type Album = {
  url: string
  folder: string
  users: Awaited<ReturnType<typeof createExampleData>>['users']
}

/** Takes the pictures of a chapter in one look, and returns those that failed, too. */
async function takeChapter(browser: Browser, { url, folder, users }: Album, job: Job) {
  const { look, chapter } = job
  const page = await openLook(browser, url, look)
  // Long enough for a busy machine: this only ends a hang.
  page.setDefaultTimeout(45_000)
  if (chapter.user) await storeSession(page, users[chapter.user])
  const saved: SavedPicture[] = []
  const failures: string[] = []
  for (const picture of chapter.pictures) {
    const file = join(folder, `${picture.name}.${lookName(look)}.png`)
    try {
      await takePicture(page, look, picture, file)
      const { name } = picture
      saved.push({ area: chapter.area, name, look: lookName(look), device: look.device, file })
    } catch (error) {
      failures.push(`${picture.name}.${lookName(look)}: ${error}`)
      // Shows the page at the failure.
      await page
        .screenshot({ path: join(folder, `missed-${basename(file)}`) })
        .catch(() => undefined)
    }
    if (picture.delaysMutation) await page.goto('about:blank')
  }
  await page.context().close()
  return { saved, failures }
}

async function takeAll(browser: Browser, jobs: Job[], target: Album) {
  const queue = [...jobs]
  const results: Awaited<ReturnType<typeof takeChapter>>[] = []
  // A browser waits half of the time, so three of them share two cores.
  const workers = Array.from({ length: 3 }, async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      results[jobs.indexOf(job)] = await takeChapter(browser, target, job)
      process.stdout.write(`${lookName(job.look)} ${job.chapter.area}\n`)
    }
  })
  await Promise.all(workers)
  return results
}

const launch = async () => chromium.launch({ executablePath: await findChromium() })

async function takeReadmePictures() {
  const server = await createServer({
    mainFile: demo,
    env: { SITES_PORT: '8080', PICTURES_BROWSER: await findChromium() },
  })
  await server.start()
  const browser = await launch()
  try {
    await takeForReadme(browser, server.url)
  } finally {
    await browser.close()
    await server.remove()
    // The demo's data folder is beside the server's.
    await rm(`${server.dataDir}-demo`, { recursive: true, force: true })
  }
}

async function takeEveryScreen(folder: string, only: string[], lookNames: string[]) {
  await mkdir(folder, { recursive: true })
  // Without a worker, so that a creation stays as it is while its picture is taken.
  const server = await createServer({
    env: {
      ROLE: 'web',
      SITES_PORT: '8080',
      DOMAIN_PROOF: 'dns',
      ...exampleSeller,
      // For the steps of certificates. Nothing listens there, and no worker orders any.
      ACME_DIRECTORY: 'https://127.0.0.1:9/directory',
    },
  })
  await server.start()
  const problemPages = await startProblemPages()
  const browser = await launch()
  try {
    const data = await createExampleData(server.url, server.dataDir, browser)
    const chapters = album(data, problemPages.url).filter(
      ({ area }) => only.length === 0 || only.includes(area),
    )
    const jobs = looks
      .filter((look) => lookNames.length === 0 || lookNames.includes(lookName(look)))
      .flatMap((look) => chapters.map((chapter) => ({ look, chapter })))
    const { users } = data
    const results = await takeAll(browser, jobs, { url: server.url, folder, users })
    const saved = results.flatMap((result) => result.saved)
    await writeContactSheet(folder, saved)
    await writeSheets(browser, folder, saved)
    const failures = results.flatMap((result) => result.failures)
    process.stdout.write(`${saved.length} pictures: ${join(folder, 'index.html')}\n`)
    for (const each of failures) process.stderr.write(`Not saved: ${each}\n`)
    if (failures.length > 0) process.exitCode = 1
  } finally {
    await browser.close()
    problemPages.close()
    await server.remove()
  }
}

const list = (text = '') => text.split(',').filter((part) => part !== '')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, look: { type: 'string' } },
})
const [folder] = positionals
if (folder) await takeEveryScreen(resolve(folder), list(values.only), list(values.look))
else await takeReadmePictures()
