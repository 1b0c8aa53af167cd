// Lighthouse with its settings for a phone, on every screen or on some: `node
// bench/lighthouse.bench.ts /projects`. The service terminates TLS itself, as in production, so
// the browser uses HTTP/2.
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { getProfile } from '@slipway/contract/account'
import { paths } from '../apps/console/src/paths.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { findChromium } from '../tools/chromium.mjs'
import { createAccount, signUpOn } from './harness/account.ts'
import { startProcess } from './harness/child-process.ts'
import { installLighthouse } from './harness/lighthouse.ts'
import { type BenchmarkedScreen, consoleRoutes } from './harness/routes.ts'
import { seedInvoice, startDatabase } from './harness/seed.ts'
import { copyConsole, createDataDir, startServer } from './harness/server.ts'
import { median } from './harness/statistics.ts'
import {
  type Measurement,
  milliseconds,
  print,
  printMeasurements,
  seconds,
} from './harness/table.ts'

const categories = ['performance', 'accessibility', 'best-practices'] as const
type Category = (typeof categories)[number]

const loginBudget = { performance: 98, largestPaint: 1500 }
const otherBudget = { performance: 95, largestPaint: 2500 }
const budget: Record<Exclude<Category, 'performance'>, number> = {
  accessibility: 100,
  'best-practices': 100,
}
/** The best comparable console, measured in November 2026. */
const competitor = { name: 'Dokploy', performance: 92 }
const rounds = { login: 5, other: 3 }

type Audit = {
  title: string
  score: number | null
  scoreDisplayMode: string
  numericValue?: number
}
type Report = {
  categories: Record<
    Category,
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >
  audits: Record<string, Audit>
  finalDisplayedUrl: string
  runtimeError?: { message: string }
}
/**
 * Starts a Chromium with an empty cache and, with a token, a session. A new one for every run,
 * because Lighthouse clears the cache and the session only together.
 */
async function startChromium(folder: string, token: string | undefined) {
  const port = await freePort()
  const context = await chromium.launchPersistentContext(folder, {
    executablePath,
    chromiumSandbox: process.getuid?.() !== 0,
    // The certificate is self-signed.
    args: [`--remote-debugging-port=${port}`, '--ignore-certificate-errors'],
  })
  if (token !== undefined) await storeToken(context, token)
  return { port, close: () => context.close() }
}

/** Stores the session as the console does, on a page without scripts. */
async function storeToken(context: BrowserContext, token: string) {
  const page = await context.newPage()
  await page.goto(`${publicUrl}/favicon.svg`)
  await page.evaluate(
    `localStorage.setItem('token', ${JSON.stringify(token)}); localStorage.setItem('openAlphaAgreed', 'yes')`,
  )
  await page.close()
}

const percent = (score: number | null) => Math.round((score ?? 0) * 100)

/** Lighthouse advises another run after an unreadable trace. */
const maxAttempts = 3

async function measure(route: BenchmarkedScreen): Promise<Report> {
  for (let attempt = 1; ; attempt++) {
    const report = await run(route)
    if (!report.runtimeError) return report
    if (attempt === maxAttempts) throw new Error(`${route.path}: ${report.runtimeError.message}`)
  }
}

async function run(route: BenchmarkedScreen): Promise<Report> {
  const { path, token } =
    route.name === paths.verify()
      ? await mailedLink()
      : { path: route.path, token: tokens[route.visitor] }
  const folder = await mkdtemp(join(dataDir, 'profile-'))
  const output = join(folder, 'lighthouse.json')
  const { port, close } = await startChromium(folder, token)
  // Lighthouse's default: a phone on a slow network, with a throttled processor.
  await startProcess(
    process.execPath,
    [
      ...[cli, publicUrl + path, `--port=${port}`, `--only-categories=${categories}`],
      ...['--output=json', `--output-path=${output}`, '--disable-storage-reset', '--quiet'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  ).waitForExit()
  await close()
  const report: Report = JSON.parse(await readFile(output, 'utf8'))
  const finalPath = new URL(report.finalDisplayedUrl).pathname
  if (!report.runtimeError && finalPath !== path.split('?')[0])
    throw new Error(`${path} led to ${finalPath}`)
  return report
}

/** The path and session of a new user with an unused verification link. */
async function mailedLink() {
  const { token, mailedToken } = await signUpOn(server.url)
  return { path: `${paths.verify()}?token=${await mailedToken()}`, token }
}

/** The audits that cost a category points. */
const lostAudits = ({ categories: results, audits }: Report, category: Category) =>
  results[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => id)

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const tlsPort = await freePort()
const publicUrl = `https://localhost:${tlsPort}`
const server = await startServer(`${dataDir}/server`, {
  PUBLIC_URL: publicUrl,
  SITES_TLS_PORT: String(tlsPort),
  ...(await copyConsole(dataDir)),
  DATABASE_URL: database.url,
})
const user = await createAccount(server.url)
const { id: userId } = await user.call(getProfile)
const unverified = await signUpOn(server.url)
const selectedNames = process.argv.slice(2)
const invoiceOf = (key: string) => seedInvoice(database.db, userId, key)
const routes = (await consoleRoutes(user, invoiceOf)).filter(
  ({ name }) => selectedNames.length === 0 || selectedNames.includes(name),
)
const cli = await installLighthouse()
const executablePath = await findChromium()
const tokens: Record<BenchmarkedScreen['visitor'], string | undefined> = {
  guest: undefined,
  unverified: unverified.token,
  user: user.token,
}

const measurements: Measurement[] = []
const failedAudits: string[] = []
for (const route of routes) {
  const isLogin = route.name === '/auth/login'
  const reports: Report[] = []
  for (let round = 0; round < (isLogin ? rounds.login : rounds.other); round++)
    reports.push(await measure(route))

  const score = (category: Category) =>
    median(reports.map((report) => percent(report.categories[category].score)))
  const largestPaint = median(
    reports.map((report) => report.audits['largest-contentful-paint']?.numericValue ?? 0),
  )
  const blockingTime = median(
    reports.map((report) => report.audits['total-blocking-time']?.numericValue ?? 0),
  )
  const speedBudget = isLogin ? loginBudget : otherBudget
  const [performance, accessibility, practices] = categories.map(score) as [number, number, number]
  measurements.push({
    measure: route.name,
    value: `${performance} / ${accessibility} / ${practices}, LCP ${seconds(largestPaint)}, blocked ${milliseconds(blockingTime)}`,
    budget: `≥ ${speedBudget.performance} / 100 / 100, LCP ≤ ${seconds(speedBudget.largestPaint)}`,
    met:
      performance >= speedBudget.performance &&
      accessibility >= budget.accessibility &&
      practices >= budget['best-practices'] &&
      largestPaint <= speedBudget.largestPaint,
    ratio: isLogin
      ? `${(performance / competitor.performance).toFixed(2)}x ${competitor.name}`
      : '',
  })
  for (const category of categories) {
    const audits = [...new Set(reports.flatMap((report) => lostAudits(report, category)))]
    if (audits.length > 0) failedAudits.push(`${route.name}, ${category}: ${audits.join(', ')}`)
  }
}
print('Lighthouse, mobile: performance / accessibility / best practices, median of the runs.')
printMeasurements(measurements)
if (failedAudits.length > 0) print(`\nAudits that lost points:\n${failedAudits.join('\n')}`)

await server.stop()
await database.stop()
await remove()
