// HTTPS of a static site through the site gateway, against Caddy's file server.
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createArtifactLayout } from '../apps/server/src/artifacts/artifact-layout.ts'
import { writeManifest } from '../apps/server/src/artifacts/manifest.ts'
import { createCertificateAuthority } from '../apps/server/src/testing/certificate-authority.ts'
import { hasDebianPackage } from '../apps/server/src/testing/debian-package.ts'
import { freePort } from '../apps/server/src/testing/free-port.ts'
import { startCaddyTlsFiles } from './baselines/caddy.ts'
import { runInterleaved } from './harness/load.ts'
import { pinTo } from './harness/one-core.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir, startServer } from './harness/server.ts'
import { median, range } from './harness/statistics.ts'
import { type Measurement, perSecond, print, printMeasurements, times } from './harness/table.ts'
import {
  connectionsPerSecond,
  http1PerSecond,
  http2PerSecond,
  type TlsTarget,
} from './harness/tls-load.ts'

const budget = 1
const rounds = 7
const artifact = 'a'.repeat(64)
const pageDigest = 'b'.repeat(64)

if (!(await hasDebianPackage('h2load', 'nghttp2-client'))) {
  print('Skipped: h2load is not installed (nghttp2-client).')
  process.exit(0)
}

const { dataDir, remove } = await createDataDir()
const database = await startDatabase(dataDir)
const serverDir = join(dataDir, 'server')
const { files: folder, manifest } = createArtifactLayout(serverDir).artifact(artifact)
await mkdir(folder, { recursive: true })
const page = Buffer.from(randomBytes(7_500).toString('base64'))
await writeFile(join(folder, 'index.html'), page)
const entry = { size: page.length, digest: pageDigest, encodings: {} }
await writeFile(manifest, writeManifest(new Map([['index.html', entry]])))
const [project] = await seedProjects(database.db, await seedTeam(database.db, 1), 1, 'example', {
  runtime: 'static',
  artifact,
})
if (!project) throw new Error('the project was not inserted')

const host = `${project.key}.localhost`
// ECDSA P-256, as in the certificates that the service orders.
const authority = await createCertificateAuthority()
const issued = await authority.issue('*.localhost')
const paths = { certificate: join(dataDir, 'chain.pem'), key: join(dataDir, 'key.pem') }
await writeFile(paths.certificate, issued.certificate)
await writeFile(paths.key, issued.key)

const tlsPort = await freePort()
const gateway = await startServer(serverDir, {
  DATABASE_URL: database.url,
  ROLE: 'gateway',
  SITES_TLS_PORT: String(tlsPort),
  SITES_TLS_CERTIFICATE: paths.certificate,
  SITES_TLS_KEY: paths.key,
})
const caddy = await startCaddyTlsFiles(dataDir, folder, { host, ...paths })
if (!caddy) print('Caddy is not installed on this machine: it is not measured.')
pinTo(0, gateway.pid)
if (caddy?.child.pid) pinTo(0, caddy.child.pid)
// h2load inherits the core.
pinTo(1, process.pid)

const ours = { host, port: tlsPort }
const measurements: Measurement[] = []

/** The ratios of two measurements, round by round. */
const ratiosOf = (values: readonly number[], baselines: readonly number[]) =>
  values.map((value, round) => {
    const baseline = baselines[round]
    if (!baseline) throw new Error(`the baseline has no rate in round ${round}`)
    return value / baseline
  })

async function compare(
  measure: string,
  load: (target: TlsTarget) => Promise<number>,
  { hasBudget = false } = {},
) {
  const targets: Record<string, TlsTarget> = {
    ours,
    ...(caddy && { caddy: { host, port: caddy.port } }),
  }
  const measures = Object.entries(targets).map(
    ([name, target]) => [name, () => load(target)] as const,
  )
  const { ours: rates = [], caddy: caddyRates } = await runInterleaved<string, number>(
    Object.fromEntries(measures),
    rounds,
  )
  const formatRates = (values: readonly number[]) =>
    `${perSecond(median(values))} (${range(values, perSecond)})`
  const ratio = caddyRates && median(ratiosOf(rates, caddyRates))
  measurements.push({
    measure,
    value: formatRates(rates),
    ...(hasBudget && ratio !== undefined
      ? { budget: `≥ ${times(budget)} Caddy`, met: ratio >= budget }
      : {}),
    ...(ratio === undefined ? {} : { ratio: `${times(ratio)} Caddy` }),
  })
  if (caddy && caddyRates)
    measurements.push({
      measure: `Caddy ${caddy.version}, the same`,
      value: formatRates(caddyRates),
    })
}

await compare('HTTPS, a 10 KB file, 50 connections, one core', http1PerSecond, {
  hasBudget: true,
})
await compare('HTTP/2, the same file, 10 connections of 10 streams, one core', http2PerSecond)
await compare('full handshakes with a response each, 500 at once, one core', connectionsPerSecond)
printMeasurements(measurements)

await caddy?.stop()
await gateway.stop()
await database.stop()
await remove()
