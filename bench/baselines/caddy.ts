import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
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

/** Starts Caddy as a server of the files in `root` over TLS, with a certificate for `host`. */
export const startCaddyTlsFiles = (
  folder: string,
  root: string,
  { host, certificate, key }: { host: string; certificate: string; key: string },
) => startCaddy(folder, `tls ${certificate} ${key}\n  root * ${root}\n  file_server`, host)

async function startCaddy(folder: string, directives: string, tlsHost?: string) {
  const version = installedVersion()
  if (version === undefined) return undefined
  const port = await freePort()
  const origin = tlsHost ? `https://${tlsHost}:${port}` : `http://127.0.0.1:${port}`
  const config = join(folder, 'Caddyfile')
  await writeFile(
    config,
    `{
  admin off
  auto_https off
  servers {
    protocols h1 h2
  }
}
${origin} {
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
  const url = `${origin}/`
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
    })
  await processHandle.orExit(until(isListening))
  return { ...processHandle, url, port, version }
}
