// Lighthouse with its settings for a phone, on a public page of the starter site in each design.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { writeDemoSite } from '../apps/server/src/demo/demo.sites.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { createSiteServer } from '../apps/site/src/server.ts'
import { openSite } from '../apps/site/src/site.ts'
import { findChromium } from '../tools/chromium.mjs'
import { startProcess } from './harness/child-process.ts'
import { installLighthouse } from './harness/lighthouse.ts'
import { createDataDir } from './harness/server.ts'
import { median } from './harness/statistics.ts'
import { type Measurement, print, printMeasurements, seconds } from './harness/table.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const budget = 100
const rounds = 3
/** The sites of the demo, one in each design. */
const names = ['Town Library', 'Harbour Cafe', 'Old Mill Museum']

type Audit = { score: number | null; numericValue?: number }
type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, Audit>
}

const { dataDir, remove } = await createDataDir()
const lighthouseCli = await installLighthouse()
const executablePath = await findChromium()
const log = { info: () => {}, warn: () => {}, error: () => {} }

async function startSite(name: string) {
  const folder = join(dataDir, name)
  const [settings, data] = [join(folder, 'site.json'), join(folder, 'data')]
  await mkdir(data, { recursive: true })
  await writeFile(settings, JSON.stringify({ key: 'example', name }))
  await writeDemoSite(data, name, new Date())
  const port = await freePort()
  const site = await openSite({ settings, data }, log)
  const server = createSiteServer(site).listen(port, '127.0.0.1')
  const { design } = site.website.current().look
  return { design, url: `http://localhost:${port}/`, close: () => server.close() }
}

async function measure(url: string, runName: string): Promise<Report> {
  const port = await freePort()
  const context = await chromium.launchPersistentContext(join(dataDir, runName), {
    executablePath,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [`--remote-debugging-port=${port}`],
  })
  const output = join(dataDir, `${runName}.json`)
  await startProcess(
    process.execPath,
    [
      ...[lighthouseCli, url, `--port=${port}`, `--only-categories=${categories}`],
      ...['--output=json', `--output-path=${output}`, '--quiet'],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  ).waitForExit()
  await context.close()
  return JSON.parse(await readFile(output, 'utf8'))
}

const measurements: Measurement[] = []
const failedAudits: string[] = []
for (const name of names) {
  const site = await startSite(name)
  const reports: Report[] = []
  for (let round = 0; round < rounds; round++)
    reports.push(await measure(site.url, `${site.design}-${round}`))
  site.close()

  const scores = categories.map((category) =>
    median(reports.map((report) => Math.round((report.categories[category]?.score ?? 0) * 100))),
  )
  const largestPaint = median(
    reports.map(({ audits }) => audits['largest-contentful-paint']?.numericValue ?? 0),
  )
  measurements.push({
    measure: site.design,
    value: `${scores.join(' / ')}, LCP ${seconds(largestPaint)}`,
    budget: categories.map(() => budget).join(' / '),
    met: scores.every((score) => score >= budget),
    ratio: '',
  })
  for (const { categories: results, audits } of reports)
    for (const category of categories)
      for (const { id, weight } of results[category]?.auditRefs ?? [])
        if (weight > 0 && (audits[id]?.score ?? 1) < 1)
          failedAudits.push(`${site.design}, ${category}: ${id}`)
}
print(`Lighthouse, mobile: ${categories.join(' / ')}, median of ${rounds} runs.`)
printMeasurements(measurements)
if (failedAudits.length > 0) {
  print(`\nAudits that lost points:\n${[...new Set(failedAudits)].join('\n')}`)
}
await remove()
