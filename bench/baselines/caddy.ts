import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { until } from '../../apps/server/src/testing/until.ts'
import { startProgram } from '../harness/child-process.ts'

const command = 'caddy'

function installedVersion() {
  try {
    return execFileSync(command, ['version'], { encoding: 'utf8' }).trim().split(' ')[0]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Caddy as a reverse proxy before a Unix socket; undefined when the machine has none. */
export async function startCaddy(folder: string, socket: string) {
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
  reverse_proxy unix/${socket}
}
`,
  )
  const program = startProgram(command, ['run', '--config', config, '--adapter', 'caddyfile'], {
    // What it keeps between runs stays in the folder that goes with the benchmark.
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const url = `http://127.0.0.1:${port}/`
  await program.unlessItEnds(until(async () => (await fetch(url).catch(() => undefined))?.ok))
  return { ...program, url, version }
}
