import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import type { Locale } from '@slipway/phrases'
import { findChromium } from '../tools/chromium.mjs'
import { billingPictures, createExampleUsage, noBillingPictures } from './billing-pictures.ts'
import { connectTo } from './database.ts'
import { createExample } from './example-projects.ts'
import { createExampleTeams } from './example-teams.ts'
import { createExampleTickets } from './example-tickets.ts'
import { createExampleInvoices, invoicePictures, noInvoicePictures } from './invoice-pictures.ts'
import { createOperator } from './operator.ts'
import { createPerson, ownTeam } from './person.ts'
import { guestPictures, memberPictures, type Picture, waitingPictures } from './picture-list.ts'
import { signIn } from './screens.ts'
import { createServer } from './server.ts'
import { noSupportPictures, supportPictures } from './support-pictures.ts'
import { alonePictures, teamPictures } from './team-pictures.ts'
import { wordsIn } from './wording.ts'

// `node e2e/pictures.ts <folder>`: every screen on a phone and a desktop, light and dark, English and
// Turkish, for people to look at. `node e2e/pictures.ts --readme`: the one of the README.

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }
const modes = ['light', 'dark'] as const
const browserLocales: Record<Locale, string> = { en: 'en-GB', tr: 'tr-TR' }

type Look = { locale: Locale; mode: (typeof modes)[number]; device: keyof typeof sizes }

const looks: Look[] = (['en', 'tr'] as const).flatMap((locale) =>
  modes.flatMap((mode) =>
    (['phone', 'desktop'] as const).map((device) => ({ locale, mode, device })),
  ),
)

async function open(browser: Browser, url: string, { locale, mode, device }: Look) {
  const context = await browser.newContext({
    baseURL: url,
    locale: browserLocales[locale],
    timezoneId: 'Europe/Istanbul',
    colorScheme: mode,
    reducedMotion: 'reduce',
    viewport: sizes[device],
    hasTouch: device === 'phone',
  })
  const page = await context.newPage()
  await page.goto('/favicon.svg')
  await page.evaluate(() => localStorage.setItem('openAlphaAgreed', 'yes'))
  return { context, page }
}

/** Makes the window as high as the page. (A `fullPage` screenshot forgets that there are fingers.) */
async function growToContent(page: Page) {
  const size = page.viewportSize()
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  if (size && height > size.height) await page.setViewportSize({ ...size, height })
}

async function take(page: Page, look: Look, pictures: Picture[], folder: string) {
  for (const { name, show } of pictures) {
    await show(page, wordsIn(look.locale))
    const path = join(folder, `${name}.${look.device}.${look.mode}.${look.locale}.png`)
    await growToContent(page)
    await page.screenshot({ path })
    await page.setViewportSize(sizes[look.device])
  }
}

async function takeAll(browser: Browser, url: string, folder: string, example: Example) {
  const empty = await createPerson(url)
  const waiting = await createPerson(url, { verified: false })
  for (const look of looks) {
    const contexts: BrowserContext[] = []
    for (const [person, pictures] of [
      [undefined, guestPictures(waiting.email)],
      [waiting, waitingPictures],
      [example.person, memberPictures(example.keyOf)],
      [example.person, supportPictures(example.ticketIdOf)],
      [example.person, teamPictures(example.teamIds)],
      [example.person, billingPictures],
      [example.payer, invoicePictures(example.invoiceIds)],
      [
        empty,
        [
          {
            name: 'projects-empty',
            show: (page) => page.goto('/projects', { waitUntil: 'networkidle' }),
          },
          ...noSupportPictures,
          ...noBillingPictures,
          ...noInvoicePictures,
          ...alonePictures((await ownTeam(empty)).id),
        ],
      ],
    ] satisfies [typeof waiting | undefined, Picture[]][]) {
      const { context, page } = await open(browser, url, look)
      contexts.push(context)
      if (person) await signIn(page, person)
      await take(page, look, pictures, folder)
    }
    for (const context of contexts) await context.close()
    process.stdout.write(`${look.locale} ${look.mode} ${look.device}\n`)
  }
}

/** The picture that the README shows: the list, as it is after some weeks. */
async function takeForReadme(browser: Browser, url: string, example: Example) {
  const { context, page } = await open(browser, url, {
    locale: 'en',
    mode: 'light',
    device: 'desktop',
  })
  await signIn(page, example.person)
  await page.goto('/projects')
  await page.getByRole('rowheader').first().waitFor()
  await page.getByRole('button', { name: /: connected/ }).waitFor()
  await page.screenshot({
    path: fileURLToPath(new URL('../docs/images/console.png', import.meta.url)),
  })
  await context.close()
}

type Example = Awaited<ReturnType<typeof createAll>>

async function createAll(url: string, dataDir: string) {
  const database = connectTo(dataDir)
  const example = await createExample(url, database)
  const operator = await createOperator(url)
  const ticketIdOf = await createExampleTickets(database, example.person, operator.call)
  const teamIds = await createExampleTeams(url, database, example.person)
  await createExampleUsage(database, example.person)
  const payer = await createPerson(url)
  const invoiceIds = await createExampleInvoices(database, payer)
  await database.close()
  return { ...example, ticketIdOf, teamIds, payer, invoiceIds }
}

async function main(target: string) {
  // Without a worker, so that what is being created stays so while its picture is taken.
  const server = await createServer({ env: { ROLE: 'web', SITES_PORT: '8080' } })
  try {
    await server.start()
    const example = await createAll(server.url, server.dataDir)
    const browser = await chromium.launch({ executablePath: await findChromium() })
    if (target === '--readme') await takeForReadme(browser, server.url, example)
    else await takeAll(browser, server.url, resolve(target), example)
    await browser.close()
  } finally {
    await server.remove()
  }
}

const [target] = process.argv.slice(2)
if (!target) {
  process.stderr.write('Which folder should the pictures go to? node e2e/pictures.ts <folder>\n')
  process.exit(2)
}
await main(target)
