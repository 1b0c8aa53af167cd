import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@slipway/contract/client'
import { listProjects } from '@slipway/contract/projects'
import { listRuntimes, type Runtime } from '@slipway/contract/runtimes'
import { login } from '@slipway/contract/sessions'
import { listTickets } from '@slipway/contract/support'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findPostmaster } from '../db/postmaster.ts'
import { demoProgram, serverProgram } from '../testing/built-programs.ts'
import { freePort } from '../testing/free-port.ts'
import { sitePage } from '../testing/site-page.ts'
import { until } from '../testing/until.ts'
import { findWordPress } from '../testing/wordpress.ts'

let folder: string
let port: number
let sitesPort: number
let running: ChildProcess[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-demo-'))
  await chmod(folder, 0o711)
  port = await freePort()
  sitesPort = await freePort()
  running = []
})
afterEach(async () => {
  for (const program of running) await end(program, 'SIGINT')
  // After a kill of the demo its database stops with a delay.
  await until(() => findPostmaster(demoDatabase()) === undefined)
  await rm(folder, { recursive: true, force: true })
})

const demoDatabase = () => join(folder, 'data-demo', 'database')

async function end(program: ChildProcess, signal: NodeJS.Signals) {
  if (program.exitCode !== null || program.signalCode !== null) return
  const exit = once(program, 'exit')
  program.kill(signal)
  await exit
}

/** Starts the demo or the server with the folder's `data` as DATA_DIR, and collects its output. */
function launch(program: string, overrides: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: join(folder, 'data'),
      PICTURES_BROWSER: 'off',
      PORT: String(port),
      SITES_PORT: String(sitesPort),
      // The demo must ignore this setting of the service.
      OPERATOR_EMAILS: 'another.user@example.com',
      ...overrides,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk
    })
  /** Waits for this output or the exit. */
  const says = (part: string) =>
    until(() => {
      if (child.exitCode !== null && !output.text.includes(part)) throw new Error(output.text)
      return output.text.includes(part)
    })
  return { child, output, says }
}

/** Signs in with the printed email and password. */
async function signIn(printed: string) {
  const email = /\S+@example\.com/.exec(printed)?.[0] ?? ''
  const password = /password (\S+)/.exec(printed)?.[1] ?? ''
  const base = `http://localhost:${port}/api`
  const { token } = await createClient({ base, token: () => null, locale: () => 'en' })(login, {
    body: { email, password },
  })
  return createClient({ base, token: () => token, locale: () => 'en' })
}

const filling = 'Filling the demo'
const signInPrinted = 'with the password'

// Each test starts and fills the demo several times, which takes minutes on a busy machine.
describe('npm run demo', { timeout: 300_000 }, () => {
  it('starts over after a kill, prints the sign-in, runs the sites, and keeps them after a restart', async () => {
    const killed = launch(demoProgram)
    await killed.says(filling)
    await end(killed.child, 'SIGKILL')
    const wordPress = await findWordPress()
    const { child, output, says } = launch(demoProgram)
    await says(signInPrinted)
    expect(output.text).toContain(filling)
    const call = await signIn(output.text)
    const projects = await call(listProjects)
    expect(new Set(projects.map(({ name }) => name)).size).toBe(projects.length)
    const ready = projects.filter(({ state }) => state === 'ready')
    // The Node app needs the sandbox, the guest book also PHP, and the site of walks WordPress.
    const runtimes = await call(listRuntimes, { query: { regionId: 'eu' } })
    const programs: Runtime[] = ['node', 'php', 'wordpress']
    const available = runtimes.filter((each) => each.available && programs.includes(each.id))
    expect(available.some(({ id }) => id === 'wordpress')).toBe(wordPress !== null)
    expect(ready).toHaveLength(7 + available.length)
    for (const { defaultUrl, name } of ready) {
      const { hostname } = new URL(defaultUrl)
      const page = await until(async () => {
        const response = await sitePage(sitesPort, hostname)
        return response.status === 200 && response
      })
      expect(page.body).toContain(name)
      if (name === 'Old Town Walks') expect(page.body).toContain('The lamplighter walk is back')
    }
    const tickets = await call(listTickets)
    await end(child, 'SIGINT')
    const secondStart = launch(demoProgram)
    await secondStart.says(signInPrinted)
    expect(secondStart.output.text).not.toContain(filling)
    expect(await (await signIn(secondStart.output.text))(listTickets)).toEqual(tickets)
  })

  it('Ctrl-C while filling stops all processes, and the next start fills again', async () => {
    const first = launch(demoProgram)
    await first.says(filling)
    await end(first.child, 'SIGINT')
    expect(first.child.exitCode).toBe(130)
    await until(() => findPostmaster(demoDatabase()) === undefined)
    const second = launch(demoProgram)
    await second.says(filling)
  })

  it('uses its own data folder, and rejects one of another service', async () => {
    const service = launch(serverProgram, { DATA_DIR: join(folder, 'data-demo') })
    await service.says('Slipway is running')
    await end(service.child, 'SIGINT')
    const { child, output } = launch(demoProgram)
    await once(child, 'close')
    expect(child.exitCode).toBe(1)
    expect(output.text).toMatch(/^The demo cannot start: DATA_DIR must be /)
  })

  it('reports a used port before it fills the database', async () => {
    const otherServer = createServer()
    await once(otherServer.listen(port, '127.0.0.1'), 'listening')
    const { child, output } = launch(demoProgram)
    await once(child, 'close')
    expect(child.exitCode).toBe(1)
    expect(output.text).toMatch(/^The demo cannot start: PORT must be a free port/)
    otherServer.close()
  })

  it('rejects an environment that would make it reachable from other machines', async () => {
    const { child, output } = launch(demoProgram, { HOST: '0.0.0.0', SMTP_URL: 'smtp://localhost' })
    await once(child, 'close')
    expect(child.exitCode).toBe(1)
    expect(output.text).toMatch(/^The demo cannot start: HOST and PUBLIC_URL must be /)
  })
})
