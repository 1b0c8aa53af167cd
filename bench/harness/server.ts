import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { startProcess } from './child-process.ts'
import { usageReader } from './usage.ts'

const main = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url))
const builtConsole = fileURLToPath(new URL('../../apps/console/dist', import.meta.url))
const probe = fileURLToPath(new URL('usage-probe.ts', import.meta.url))

/** Creates a data folder that the sites' users can enter. */
export async function createDataDir() {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'))
  await chmod(dataDir, 0o711)
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) }
}

/** Copies the built console, so that a later build does not change it during a measurement. */
export async function copyConsole(dataDir: string) {
  const copy = join(dataDir, 'console')
  await cp(builtConsole, copy, { recursive: true })
  return { CONSOLE_DIR: copy }
}

/** Starts a server as `npm start` does, on free ports, and waits until it is ready. */
export async function startServer(dataDir: string, extraEnv: Record<string, string> = {}) {
  const [port, sitesPort] = [await freePort(), await freePort()]
  const processHandle = startProcess(
    process.execPath,
    ['--enable-source-maps', '--expose-gc', '--import', probe, main],
    {
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: process.env.BENCH_SERVER_OPTIONS,
        DATA_DIR: dataDir,
        PORT: String(port),
        SITES_PORT: String(sitesPort),
        RATE_LIMIT: '0',
        PICTURES_BROWSER: 'off',
        MAX_CONNECTIONS_PER_ADDRESS: '0',
        LOG_LEVEL: 'warn',
        ...extraEnv,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  const url = `http://localhost:${port}`
  await processHandle.orExit(
    until(async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok),
  )
  return {
    url,
    port,
    sitesPort,
    pid: processHandle.child.pid ?? 0,
    child: processHandle.child,
    orExit: processHandle.orExit,
    stop: processHandle.stop,
    ...usageReader(processHandle),
  }
}
