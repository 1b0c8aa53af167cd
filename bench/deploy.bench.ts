// From the last byte of an uploaded static site to its release being live, while visits continue.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { createProject } from '@slipway/contract/projects'
import { unzip, zipOf } from '../apps/server/src/testing/archives.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { createAccount } from './harness/account.ts'
import { deployZip, startVisits } from './harness/deployment.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import { milliseconds, printMeasurements, seconds, times } from './harness/table.ts'

const budget = 1_000
const rounds = 20

/** A site of 5 MB: 300 pages of text and images that do not compress. */
function newSite() {
  const files: Record<string, string | Uint8Array> = {}
  const marker = randomBytes(8).toString('hex')
  const words = 'static site generator output with headings links and paragraphs '
  for (let page = 0; page < 250; page++)
    files[`docs/page-${page}.html`] = `<h1>${marker} ${page}</h1>${words.repeat(120)}`
  for (let image = 0; image < 50; image++) files[`img/${image}.webp`] = randomBytes(62_000)
  return zipOf({ ...files, 'index.html': marker })
}

/** The least work of any deployment: unpack, write and compress, in one process without a queue. */
async function bareDeployment(archive: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-bare-'))
  const started = performance.now()
  for (const [name, content] of Object.entries(unzip(archive))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
    if (!name.endsWith('.html')) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: 6 }
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(content, { params }))
    await writeFile(join(folder, `${name}.gz`), gzipSync(content, { level: 6 }))
  }
  return performance.now() - started
}

const { dataDir, remove } = await createDataDir()
const server = await startServer(dataDir)
const account = await createAccount(server.url)
const { id, key } = await account.call(createProject, {
  body: {
    name: 'Example',
    teamId: account.teamId,
    regionId: 'eu',
    domain: null,
    runtime: 'static',
  },
})
await until(async () => (await account.viewProject(key)).state === 'ready')

async function deploy(archive: Buffer) {
  const sentAt = await deployZip(server.url, account, id, archive)
  return performance.now() - sentAt
}

await deploy(newSite())
const visiting = startVisits(server.sitesPort, `${key}.localhost`)
const samples: number[] = []
const bare: number[] = []
for (let round = 0; round < rounds; round++) {
  const archive = newSite()
  samples.push(await deploy(archive))
  bare.push(await bareDeployment(archive))
}
const { failed, visits } = await visiting.stop()

const p95 = percentile(samples, 0.95)
printMeasurements([
  {
    measure: `5 MB static site, last byte → live, ${rounds} in a row`,
    value: `p95 ${milliseconds(p95)}, median ${milliseconds(median(samples))} (${range(samples, milliseconds)})`,
    budget: `p95 ≤ ${seconds(budget)}`,
    met: p95 <= budget,
    ratio: `${times(median(samples) / median(bare))} bare unpacking`,
  },
  {
    measure: 'failed visits meanwhile, at 100 a second',
    value: `${failed} of ${visits}`,
    budget: '0',
    met: failed === 0,
  },
])

await server.stop()
await remove()
