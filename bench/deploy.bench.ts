// From the last byte of an uploaded static site to its release being live, while visits continue.
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { createProject } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import autocannon from 'autocannon'
import { unzip, zipOf } from '../apps/server/src/testing/archives.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { createAccount } from './harness/account.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import { milliseconds, printFigures, seconds, times } from './harness/table.ts'

const budget = 1_000
const rounds = 20
const visitsPerSecond = 100

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

/** What any deployment has to do: unpack, write and compress, in one process without a queue. */
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
await until(async () => (await account.view(key)).state === 'ready')

async function deploy(archive: Buffer) {
  const body = new Blob([new Uint8Array(archive)], { type: 'application/zip' })
  // The response follows the last byte at once.
  const { number } = await account.call(createRelease, { params: { id }, query: {}, body })
  const started = performance.now()
  const params = { id, number: String(number) }
  const { state, failure } = await until(async () => {
    const release = await account.call(viewRelease, { params })
    return release.state !== 'checking' && release
  })
  if (state !== 'live') throw new Error(`the release failed: ${failure}`)
  return performance.now() - started
}

await deploy(newSite())
const visited = Promise.withResolvers<autocannon.Result>()
const visits = autocannon(
  {
    url: `http://127.0.0.1:${server.sitesPort}/`,
    headers: { host: `${key}.localhost` },
    connections: 10,
    overallRate: visitsPerSecond,
    duration: 600,
  },
  (error, result) => (error ? visited.reject(error) : visited.resolve(result)),
)
const samples: number[] = []
const bare: number[] = []
for (let round = 0; round < rounds; round++) {
  const archive = newSite()
  samples.push(await deploy(archive))
  bare.push(await bareDeployment(archive))
}
visits.stop()
const { non2xx, errors, requests } = await visited.promise

const p95 = percentile(samples, 0.95)
printFigures([
  {
    measure: `5 MB static site, last byte → live, ${rounds} in a row`,
    figure: `p95 ${milliseconds(p95)}, median ${milliseconds(median(samples))} (${range(samples, milliseconds)})`,
    budget: `p95 ≤ ${seconds(budget)}`,
    met: p95 <= budget,
    ratio: `${times(median(samples) / median(bare))} bare unpacking`,
  },
  {
    measure: `failed visits meanwhile, at ${visitsPerSecond} a second`,
    figure: `${non2xx + errors} of ${requests.total}`,
    budget: '0',
    met: non2xx + errors === 0,
  },
])

await server.stop()
await remove()
