import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../apps/server/src/testing/free-port.ts'
import { processesOf } from '../../../apps/server/src/testing/processes.ts'
import { until } from '../../../apps/server/src/testing/until.ts'
import { createDataDir } from '../../../bench/harness/server.ts'
import { insertUser } from '../../../e2e/harness/insert-user.ts'
import { operatorEmail } from '../../../e2e/harness/operator.ts'
import { startDatabase } from './database.ts'
import { startMailServer } from './mail-server.ts'
import { type Crash, superviseServer } from './role-process.ts'

export type Product = Awaited<ReturnType<typeof startProduct>>

/** Two web servers, a worker and a gateway on one PostgreSQL and one data folder. */
export async function startProduct() {
  const { dataDir, remove } = await createDataDir()
  const logs = await mkdtemp(join(tmpdir(), 'chaos-logs-'))
  const database = await startDatabase(dataDir)
  const mailServer = await startMailServer()
  const [firstPort, secondPort, sitesPort] = [await freePort(), await freePort(), await freePort()]
  const [workerPort, otherWorkerPort, gatewayPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const urls = [firstPort, secondPort].map((port) => `http://localhost:${port}`)
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PUBLIC_URL: `http://localhost:${firstPort}`,
    SITES_PORT: String(sitesPort),
    SMTP_URL: mailServer.url,
    RATE_LIMIT: '0',
    PICTURES_BROWSER: 'off',
    MAX_CONNECTIONS_PER_ADDRESS: '0',
    PROJECT_LIMIT: '4',
    DNS_SERVERS: '127.0.0.1:9',
    LOG_LEVEL: 'warn',
    OPERATOR_EMAILS: operatorEmail,
  }
  const operator = await insertUser(database, urls[0] ?? '', { email: operatorEmail })
  const crashes: Crash[] = []
  const run = (name: string, ROLE: string, port: number) =>
    superviseServer(
      name,
      join(logs, `${name}.log`),
      { ...env, ROLE, PORT: String(port) },
      (crash) => crashes.push(crash),
    )

  const web = [run('web-1', 'web', firstPort), run('web-2', 'web', secondPort)]
  const worker = run('worker', 'worker', workerPort)
  const gateway = run('gateway', 'gateway', gatewayPort)
  const roles = [...web, worker, gateway]
  const health = [...urls, `http://localhost:${workerPort}`, `http://localhost:${gatewayPort}`]

  const product = {
    dataDir,
    logs,
    database,
    mailServer,
    urls,
    sitesPort,
    operatorToken: operator.token,
    roles,
    worker,
    crashes,
    /** A second worker on the same data folder. */
    startOtherWorker: () => run('other-worker', 'worker', otherWorkerPort),
    untilReady: () =>
      until(async () => {
        const responses = await Promise.all(
          health.map((url) => fetch(`${url}/readyz`).catch(() => undefined)),
        )
        return responses.every((response) => response?.ok)
      }),
    async stop() {
      await Promise.all(roles.map((role) => role.stop('SIGINT')))
      for (const pid of await processesOf(dataDir)) process.kill(pid, 'SIGKILL')
      await mailServer.stop()
      await database.stop()
      await remove()
    },
  }
  await product.untilReady()
  return product
}
