import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from './testing/free-port.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

/** A user without an entry in /etc/passwd, as in a container with `--user 54321`. */
const nameless = { uid: 54_321, gid: 54_321 }
const isRoot = process.getuid?.() === 0
// False when the repository is in a folder of root.
const othersMayRead = isRoot && spawnSync('test', ['-r', main], nameless).status === 0
// Containers often remove this limit.
const minPort = othersMayRead
  ? Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'))
  : 0

let dataDir: string
let port: number
let sitesPort: number
let metricsPort: number
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'slipway-check-'))
  // As root the sites run as other users, who must be able to enter.
  await chmod(dataDir, 0o711)
  port = await freePort()
  sitesPort = await freePort()
  metricsPort = await freePort()
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** The output of a server that must not start. */
async function failureOutput(
  overrides: Record<string, string> = {},
  account: Partial<typeof nameless> = {},
) {
  const server = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      PICTURES_BROWSER: 'off',
      PORT: String(port),
      SITES_PORT: String(sitesPort),
      ...overrides,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const [code] = await once(server, 'close')
  expect(code).toBe(1)
  expect(output).toMatch(/^Slipway cannot start: [^\n]+\n$/)
  return output.slice('Slipway cannot start: '.length, -1)
}

describe('preflight checks', () => {
  it('a data folder whose restore did not finish stops the start', async () => {
    await writeFile(join(dataDir, 'restore.unfinished'), '')
    expect(await failureOutput()).toContain(
      `DATA_DIR must have a complete service, but the restore into ${dataDir} did not finish: empty it`,
    )
  })

  it('a wrong value stops the start with one line that names the variable', async () => {
    expect(await failureOutput({ PORT: 'eighty' })).toBe(
      'PORT must be a port, 1 to 65535, but is "eighty"',
    )
  })

  it.each([
    ['CONSOLE_DIR', '/nowhere', 'but /nowhere does not exist'],
    ['CONSOLE_DIR', tmpdir(), 'has no index.html'],
    ['DATA_DIR', main, `but ${main} is a file`],
    ['DATABASE_URL', 'postgres://x:hunter2@no.invalid/db', 'but no.invalid:5432/db cannot'],
    // RFC 5737 §3: an address for documentation.
    ['HOST', '203.0.113.7', 'but is "203.0.113.7"'],
    ['HOST', 'no.invalid', 'but is "no.invalid"'],
  ])('%s=%s is rejected before anything starts', async (name, value, reason) => {
    const reachable = { SMTP_URL: 'smtp://localhost', PAYMENT_GATEWAY: 'sandbox' }
    const output = await failureOutput({ ...reachable, [name]: value })
    expect(output).toContain(`${name} must `)
    expect(output).toContain(reason)
    expect(output).not.toContain('hunter2')
    expect(await readdir(dataDir)).toEqual([])
  })

  it.each([
    ['PORT', () => port],
    ['SITES_PORT', () => sitesPort],
    ['METRICS_PORT', () => metricsPort],
  ])('a %s in use is rejected', async (name, usedPort) => {
    const otherServer = createServer()
    await once(otherServer.listen(usedPort(), '127.0.0.1'), 'listening')
    expect(await failureOutput({ METRICS_PORT: String(metricsPort) })).toContain(
      `${name} must be a free port, but ${usedPort()} is in use`,
    )
    expect(await readdir(dataDir)).toEqual([])
    otherServer.close()
  })

  it('a cluster whose context the kubeconfig does not have is rejected', async () => {
    const clusters = { ENGINE: 'kubernetes', KUBERNETES_CLUSTERS: 'one=eu:first,two=us:second' }
    expect(await failureOutput(clusters)).toBe('KUBECONFIG must be set when KUBERNETES_CLUSTERS is')
    const file = join(dataDir, 'kubeconfig')
    const first = '{ name: first, context: { cluster: first, user: first } }'
    await writeFile(file, `apiVersion: v1\nkind: Config\ncontexts: [${first}]\n`)
    expect(await failureOutput({ ...clusters, KUBECONFIG: file })).toContain(
      'KUBERNETES_CLUSTERS must have contexts of KUBECONFIG, but two has second',
    )
  })

  it.runIf(isRoot)("a DATA_DIR that the sites' users cannot enter is rejected", async () => {
    await chmod(dataDir, 0o700)
    expect(await failureOutput({ DATABASE_URL: 'postgres://localhost' })).toMatch(
      /^DATA_DIR must be .* but they cannot enter .*: run chmod o\+x /,
    )
  })

  it.runIf(othersMayRead)('the embedded database needs a user with a name', async () => {
    await chown(dataDir, nameless.uid, nameless.gid)
    expect(await failureOutput({}, nameless)).toMatch(
      /^DATABASE_URL must be set, because .* user 54321 has none in \/etc\/passwd/,
    )
  })

  it.runIf(othersMayRead && minPort > 0)('a privileged port is rejected', async () => {
    expect(await failureOutput({ PORT: String(minPort - 1) }, nameless)).toContain(
      `PORT must be a port that this user may listen on, but ${minPort - 1} is not`,
    )
  })
})
