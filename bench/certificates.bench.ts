// From a proven domain to its certificate, with Pebble as the CA; and 10,000 certificates in the
// memory of a gateway.
import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createApp } from '../apps/server/src/app.ts'
import { newId } from '../apps/server/src/db/ids.ts'
import { listen } from '../apps/server/src/db/notifications.ts'
import { readEnv } from '../apps/server/src/env/env.ts'
import { createLog } from '../apps/server/src/log.ts'
import { createChallenges } from '../apps/server/src/modules/certificates/certificates.challenges.ts'
import { certificates } from '../apps/server/src/modules/certificates/certificates.schema.ts'
import {
  requestForProject,
  statusByHost,
} from '../apps/server/src/modules/certificates/certificates.service.ts'
import { channel } from '../apps/server/src/modules/certificates/certificates.store.ts'
import { createCertificateTable } from '../apps/server/src/modules/certificates/certificates.table.ts'
import { sealCertificate } from '../apps/server/src/modules/certificates/certificates.with-key.ts'
import {
  hasPebble,
  startChallengeServer,
  startPebble,
} from '../apps/server/src/modules/certificates/pebble.fixture.ts'
import { openSealing } from '../apps/server/src/modules/secrets/secrets.keys.ts'
import { until } from '../apps/server/src/testing/until.ts'
import { seedProjects, seedTeam, startDatabase } from './harness/seed.ts'
import { createDataDir } from './harness/server.ts'
import { median, percentile, range } from './harness/statistics.ts'
import {
  kibibytes,
  type Measurement,
  megabytes,
  milliseconds,
  printMeasurements,
} from './harness/table.ts'

const orderCount = 20
const storedCount = 10_000
const lookupCount = 1_000_000
const silent = createLog('silent')

if (!(await hasPebble())) process.exit(0)

/** The times from the proof of a host to its stored certificate, with the real jobs. */
async function orderAll(): Promise<number[]> {
  const { dataDir, remove } = await createDataDir()
  const database = await startDatabase(dataDir)
  const team = await seedTeam(database.db, 1)
  const [projectId] = (await seedProjects(database.db, team, 1, 'example')).map(({ id }) => id)
  if (!projectId) throw new Error('the project was not inserted')
  const challenges = await startChallengeServer((host, token) => orderChallenges.find(host, token))
  const pebble = await startPebble({ httpPort: challenges.port })
  const app = await createApp({
    env: readEnv({
      DATA_DIR: dataDir,
      PICTURES_BROWSER: 'off',
      ACME_DIRECTORY: pebble.directory,
      ACME_CA_FILE: pebble.caFile,
    }),
    database: database.connection,
    log: silent,
  })
  const { ctx } = app
  const orderChallenges = createChallenges(ctx)
  await ctx.jobs.work(ctx)
  const durations: number[] = []
  // The first order also loads the client and registers the account.
  for (let number = 0; number <= orderCount; number++) {
    const host = `shop-${number}.example`
    const started = performance.now()
    await ctx.write((tx) => requestForProject(ctx, tx, { host, projectId }))
    await until(async () => {
      const status = (await statusByHost(ctx.db, [host], ctx.clock.now())).get(host)
      if (status?.problem) throw new Error(`${host}: ${status.detail}`)
      return status?.state === 'active'
    })
    if (number > 0) durations.push(performance.now() - started)
  }
  await app.close()
  await pebble.close()
  await challenges.close()
  await database.stop()
  await remove()
  return durations
}

/** A PEM of random bytes, as long as a real one. */
const pem = (bytes: number) =>
  `-----BEGIN CERTIFICATE-----\n${randomBytes(bytes).toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

/** The memory of many certificates, and the times to read them and to look one up. */
async function measureTable() {
  const { dataDir, remove } = await createDataDir()
  const database = await startDatabase(dataDir)
  const env = readEnv({ DATA_DIR: dataDir })
  const sealing = await openSealing({ env, db: database.db })
  const stopping = new AbortController()
  const ctx = { db: database.db, sealing, log: silent, stopping: stopping.signal }
  const now = new Date()
  // The size of a chain of Let's Encrypt: a leaf of P-256, and the certificate of its issuer.
  const issuer = pem(1_300)
  for (let first = 0; first < storedCount; first += 1_000)
    await database.db.insert(certificates).values(
      Array.from({ length: 1_000 }, (_, index) => {
        const id = newId<'Certificate'>()
        const certificateWithKey = { chain: [pem(950), issuer], key: pem(138) }
        return {
          id,
          host: `shop-${first + index}.example`,
          challenge: 'http-01' as const,
          sealed: sealCertificate(sealing, id, certificateWithKey),
          fingerprint: randomBytes(32).toString('hex'),
          expiresAt: now,
          dueAt: now,
          createdAt: now,
        }
      }),
    )
  const notifications = await listen(database.connection, [channel], silent)
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const usedBytes = () => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = usedBytes()
  const started = performance.now()
  const table = await createCertificateTable(ctx, notifications)
  const readMs = performance.now() - started
  const bytes = usedBytes() - before
  const startedLookups = performance.now()
  let foundCount = 0
  for (let number = 0; number < lookupCount; number++)
    if (table.find(`shop-${number % (2 * storedCount)}.example`)) foundCount++
  const lookupMs = (performance.now() - startedLookups) / lookupCount
  if (foundCount !== lookupCount / 2) throw new Error(`${foundCount} of ${lookupCount} were found`)
  stopping.abort()
  await notifications.close()
  await database.stop()
  await remove()
  return { bytes, readMs, lookupMs }
}

const durations = await orderAll()
const { bytes, readMs, lookupMs } = await measureTable()
const measurements: Measurement[] = [
  {
    measure: `proven → certificate, ${orderCount} in a row`,
    value: `p95 ${milliseconds(percentile(durations, 0.95))}, median ${milliseconds(median(durations))} (${range(durations, milliseconds)})`,
  },
  {
    measure: `memory of ${storedCount.toLocaleString('en')} certificates in a gateway`,
    value: `${megabytes(bytes)}, ${kibibytes(bytes / storedCount)} each`,
  },
  { measure: 'reading them at the start', value: milliseconds(readMs) },
  {
    measure: 'a lookup by host; half of the hosts have no certificate',
    value: `${Math.round(lookupMs * 1e6)} ns`,
  },
]
printMeasurements(measurements)
