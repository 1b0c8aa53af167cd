import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { startProcess } from '../harness/child-process.ts'

const command = 'caddy'

function installedVersion() {
  try {
    return execFileSync(command, ['version'], { encoding: 'utf8' }).trim().split(' ')[0]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Starts Caddy as a reverse proxy to a Unix socket; undefined if Caddy is not installed. */
export const startCaddyProxy = (folder: string, socket: string) =>
  startCaddy(folder, `reverse_proxy unix/${socket}`)

/** Starts Caddy as a server of the files in `root`; undefined if Caddy is not installed. */
export const startCaddyFiles = (folder: string, root: string) =>
  startCaddy(folder, `root * ${root}\n  file_server`)

async function startCaddy(folder: string, directives: string) {
  const version = installedVersion()
  if (version === undefined) return undefined
  const port = await freePort()
  const config = join(folder, 'Caddyfile')
  await writeFile(
    config,
    `{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  ${directives}
}
`,
  )
  const processHandle = startProcess(
    command,
    ['run', '--config', config, '--adapter', 'caddyfile'],
    {
      // Caddy's own files stay in the benchmark's folder.
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const url = `http://127.0.0.1:${port}/`
  await processHandle.orExit(until(async () => (await fetch(url).catch(() => undefined))?.ok))
  return { ...processHandle, url, version }
}
