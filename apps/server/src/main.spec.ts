import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { signUp, verifyEmail } from '@slipway/contract/auth'
import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import { createClient } from '@slipway/contract/client'
import { type LogSource, viewProjectLogs } from '@slipway/contract/logs'
import { createPaymentMethod } from '@slipway/contract/payment-method-forms'
import { createProject, listProjects, type ProjectId } from '@slipway/contract/projects'
import { createRelease, viewRelease } from '@slipway/contract/releases'
import { listRuntimes, type Runtime } from '@slipway/contract/runtimes'
import { listTeams } from '@slipway/contract/teams'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { startConnectionProxy } from './db/connection-proxy.fixture.ts'
import { createLayout } from './engines/hosting/local/files/layout.ts'
import { tryLock } from './file-lock.ts'
import { cardForm } from './modules/payment-methods/payment-methods.fixture.ts'
import { type ArchiveFiles, zipOf } from './testing/archives.ts'
import { serverProgram } from './testing/built-programs.ts'
import { createDatabase } from './testing/database.ts'
import { freePort, freePrivilegedPorts } from './testing/free-port.ts'
import { hasPhpFpm } from './testing/has-php-fpm.ts'
import { httpGet, httpsGet } from './testing/http-get.ts'
import { errorCodeOf } from './testing/matchers.ts'
import { expectNoProcesses } from './testing/processes.ts'
import { hasSandbox } from './testing/sandbox.ts'
import { sitePage } from './testing/site-page.ts'
import { until } from './testing/until.ts'

const rotateKeys = fileURLToPath(new URL('rotate-keys.ts', import.meta.url))

/** Changes the limits of a running process. */
const prlimit = '/usr/bin/prlimit'

const nobody = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0
const canRunPrograms = isRoot && (await hasSandbox()) && (await hasPhpFpm())
// False when the repository is in a folder of root.
const othersMayRead = isRoot && spawnSync('test', ['-r', serverProgram], nobody).status === 0

let dataDir: string
let port: number
let sitesPort: number
let running: ChildProcess[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'slipway-main-'))
  await chmod(dataDir, 0o711)
  port = await freePort()
  sitesPort = await freePort()
  running = []
})
afterEach(async () => {
  for (const server of running) if (isAlive(server)) await stop(server)
  await expectNoProcesses(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

const isAlive = (server: ChildProcess) => server.exitCode === null && server.signalCode === null

/** A server as `npm start` runs it, and its output. */
function launch(overrides: Record<string, string> = {}, args = [serverProgram], account = {}) {
  const server = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATA_DIR: dataDir,
      PICTURES_BROWSER: 'off',
      PORT: String(port),
      SITES_PORT: String(sitesPort),
      RATE_LIMIT: '0',
      SHUTDOWN_DELAY: '0',
      ...overrides,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  running.push(server)
  const output = { text: '' }
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk
    })
  return { server, output }
}

const isReady = async () => {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return response?.status === 200
}

async function start(overrides: Record<string, string> = {}, args = [serverProgram], account = {}) {
  const launched = launch(overrides, args, account)
  await until(async () => {
    if (!isAlive(launched.server)) throw new Error(launched.output.text)
    return isReady()
  })
  return launched
}

/** Resolves once all parts of the server have started: it is ready before. */
const untilStarted = (output: { text: string }) =>
  until(() => output.text.includes('Slipway is running'))

/** Stops a server and its sites as Ctrl-C does, or with another signal. */
async function stop(server: ChildProcess, signal: NodeJS.Signals = 'SIGINT') {
  const exit = once(server, 'exit')
  server.kill(signal)
  return (await exit)[0]
}

async function kill(server: ChildProcess) {
  const exit = once(server, 'exit')
  server.kill('SIGKILL')
  await exit
}

/** A user who signed up and followed the emailed link from the mailbox page. */
async function signUpUser() {
  let token: string | null = null
  const base = `http://127.0.0.1:${port}`
  const call = createClient({ base: `${base}/api`, token: () => token, locale: () => 'en' })
  const challenge = await call(getCaptchaChallenge)
  const session = await call(signUp, {
    body: {
      name: 'Some Body',
      email: 'somebody@example.com',
      password: 'Correct-horse7',
      __captcha_solution__: { ...challenge, number: solveCaptcha(challenge) ?? 0 },
    },
  })
  token = session.token
  const page = async (path: string) => (await fetch(base + path)).text()
  const mail = await until(async () => /\/mailbox\/[0-9a-f-]{36}/.exec(await page('/mailbox'))?.[0])
  const link = /verify\?token=([\w-]+)/.exec(await page(mail))?.[1] ?? ''
  await call(verifyEmail, { body: { token: link } })
  const [team] = await call(listTeams)
  if (!team) throw new Error('a user without a team')
  const create = (name: string, runtime?: Runtime) =>
    call(createProject, { body: { name, teamId: team.id, regionId: 'eu', domain: null, runtime } })
  return {
    headers: () => ({ authorization: `Bearer ${token}` }),
    list: () => call(listProjects),
    addCard: () => call(createPaymentMethod, { body: cardForm() }),
    runtimes: () => call(listRuntimes, { query: { regionId: 'eu' } }),
    create,
    entries: async (id: ProjectId, source: LogSource) =>
      (await call(viewProjectLogs, { params: { id }, query: { source } })).items,
    /** A project of these files, once it is live. */
    async deploy(name: string, runtime: Runtime, files: ArchiveFiles) {
      const { id, key, defaultUrl } = await create(name, runtime)
      await until(async () => {
        const project = (await call(listProjects)).find((each) => each.id === id)
        return project?.state === 'ready'
      })
      const body = new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })
      const { number } = await call(createRelease, { params: { id }, query: {}, body })
      const params = { id, number: String(number) }
      const release = await until(async () => {
        const viewed = await call(viewRelease, { params })
        return viewed.state !== 'checking' && viewed
      })
      expect(release).toMatchObject({ state: 'live' })
      return { id, key, host: new URL(defaultUrl).hostname }
    },
  }
}

/** Processes whose command line names the data folder: the database and the sites. */
async function processesOf(folder: string) {
  const commands: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(folder)) commands.push(command.replaceAll('\0', ' '))
  }
  return commands
}

describe('server process', () => {
  it('twenty concurrent creations respect the limit, become ready, and leave no process after stop', async () => {
    const { server, output } = await start()
    const { create, list } = await signUpUser()
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => create(`Site number ${number}`)),
    )
    expect(tries.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(10)
    await until(async () => (await list()).every(({ state }) => state === 'ready'))
    for (const { defaultUrl, name } of await list()) {
      const page = await sitePage(sitesPort, new URL(defaultUrl).hostname)
      expect(page.body).toContain(name)
    }
    expect(await stop(server)).toBe(0)
    expect(output.text).not.toContain('did not close cleanly')
    if (process.platform === 'linux') expect(await processesOf(dataDir)).toEqual([])
  })

  it('projects become ready after a kill and a restart during their creation', async () => {
    const first = await start()
    const { create, list } = await signUpUser()
    const created = await Promise.all([create('First site'), create('Second site')])
    await kill(first.server)
    await start()
    await until(async () => (await list()).every(({ state }) => state === 'ready'))
    const projects = await list()
    expect(projects.map(({ id }) => id).sort()).toEqual(created.map(({ id }) => id).sort())
    for (const { defaultUrl } of projects)
      expect((await sitePage(sitesPort, new URL(defaultUrl).hostname)).status).toBe(200)
  })

  it('says in one line that the development stand-ins are on', async () => {
    const { output } = await start()
    const lines = output.text.split('\n').filter((line) => line.includes('stand-ins are on'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('the mailbox page and the stand-in for Google')
  })

  it('SIGTERM leaves the sites running, and the next server uses the same processes', async () => {
    const first = await start()
    const { create, list } = await signUpUser()
    const { defaultUrl } = await create('Lasting site')
    await until(async () => (await list()).every(({ state }) => state === 'ready'))
    expect(await stop(first.server, 'SIGTERM')).toBe(0)
    const siteProcesses = await processesOf(dataDir)
    expect(siteProcesses).toHaveLength(1)
    const { output } = await start()
    const { hostname } = new URL(defaultUrl)
    expect((await sitePage(sitesPort, hostname)).status).toBe(200)
    expect(await processesOf(`${dataDir}/sites/`)).toEqual(siteProcesses)
    expect(output.text).not.toContain('A site started')
  })

  it.runIf(process.platform === 'linux')(
    'a restart with the sockets of a service manager fails no visit and no call: they wait',
    async () => {
      const owner = fileURLToPath(new URL('testing/socket-owner.fixture.ts', import.meta.url))
      const tlsPort = await freePort()
      const { server: manager } = await start({ SITES_TLS_PORT: `${tlsPort}` }, [
        ...[owner, serverProgram, '2'],
        ...[port, sitesPort, tlsPort].map(String),
      ])
      const serverPid = async () => {
        const { pid = 0 } = manager
        return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
      }
      onTestFinished(async () => {
        const pid = await serverPid().catch(() => 0)
        manager.kill('SIGKILL')
        if (pid > 0) process.kill(pid, 'SIGINT')
      })
      const { create, list, headers } = await signUpUser()
      const { defaultUrl } = await create('Lasting site')
      await until(async () => (await list()).every(({ state }) => state === 'ready'))
      const { hostname: host } = new URL(defaultUrl)
      const kinds = [
        () => httpGet({ port: sitesPort }, '/', { host }),
        () => httpsGet(tlsPort, '/', host),
        () => httpGet({ port }, '/api/management/project/all', headers()),
      ]
      const requests: Promise<number | string>[] = []
      const timer = setInterval(() => {
        const send = kinds[requests.length % kinds.length]
        if (!send) return
        requests.push(
          send().then(
            ({ status }) => status,
            (error: Error) => error.message,
          ),
        )
      }, 50)

      const first = await serverPid()
      const sites = await processesOf(`${dataDir}/sites`)
      process.kill(first, 'SIGTERM')
      await until(async () => (await serverPid()) !== first && (await isReady()))
      clearInterval(timer)

      expect((await Promise.all(requests)).filter((status) => status !== 200)).toEqual([])
      expect(requests.length).toBeGreaterThan(20)
      expect(await processesOf(`${dataDir}/sites`)).toEqual(sites)
      const exit = once(manager, 'exit')
      process.kill(await serverPid(), 'SIGINT')
      expect((await exit)[0]).toBe(0)
    },
  )

  it('npm stop stops the sites of a stopped server, and fails while one runs', async () => {
    const first = await start()
    const { create, list } = await signUpUser()
    await create('Lasting site')
    await until(async () => (await list()).every(({ state }) => state === 'ready'))
    const stopSites = async () => {
      const child = spawn(process.execPath, [fileURLToPath(new URL('stop.ts', import.meta.url))], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, PICTURES_BROWSER: 'off' },
      })
      const output = Promise.all([child.stdout.toArray(), child.stderr.toArray()])
      const [code] = await once(child, 'close')
      return { code, output: (await output).flat().join('') }
    }
    expect(await stopSites()).toEqual({
      code: 1,
      output: expect.stringContaining(`a server runs the sites of ${dataDir}`),
    })
    await stop(first.server, 'SIGTERM')
    expect(await stopSites()).toEqual({ code: 0, output: 'Sites stopped: 1\n' })
    expect(await processesOf(dataDir)).toEqual([])
  })

  it('data survives a clean stop, and the sites start again', async () => {
    const first = await start()
    const { create, list } = await signUpUser()
    const { defaultUrl } = await create('Lasting site')
    await until(async () => (await list()).every(({ state }) => state === 'ready'))
    expect(await stop(first.server)).toBe(0)
    await start()
    const { hostname } = new URL(defaultUrl)
    await until(async () => (await sitePage(sitesPort, hostname)).status === 200)
    expect((await list())[0]?.state).toBe('ready')
  })

  it('a database that dies is restarted', async () => {
    const { server, output } = await start()
    await untilStarted(output)
    const { create, list } = await signUpUser()
    const [pid] = (await readFile(join(dataDir, 'database/postmaster.pid'), 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
    await until(async () => !(await isReady()))
    await until(isReady)
    await create('After the crash')
    await until(async () => (await list()).every(({ state }) => state === 'ready'))
    expect(await stop(server)).toBe(0)
    if (process.platform === 'linux') expect(await processesOf(dataDir)).toEqual([])
  })

  it.skipIf(!existsSync(prlimit))(
    'survives a time without file descriptors (needs prlimit of util-linux)',
    async () => {
      const { server, output } = await start()
      await untilStarted(output)
      const limits = await readFile(`/proc/${server.pid}/limits`, 'utf8')
      const [, openFiles] = /^Max open files +(\d+)/m.exec(limits) ?? []
      const limitFiles = (count: string) =>
        execFileSync(prlimit, ['--pid', String(server.pid), `--nofile=${count}:`])

      const opened = (await readdir(`/proc/${server.pid}/fd`)).map(Number)
      limitFiles(String(Math.max(...opened) + 1))
      const clients = Array.from({ length: 400 }, () =>
        connect(port, '127.0.0.1').on('error', () => {}),
      )
      await until(() => output.text.includes('The PostgreSQL server cannot be checked'))
      expect(isAlive(server)).toBe(true)

      for (const client of clients) client.destroy()
      limitFiles(openFiles ?? '')
      await until(isReady)
      expect(await stop(server)).toBe(0)
      expect(await processesOf(dataDir)).toEqual([])
    },
  )

  it('listens and is ready before it may start its sites', async () => {
    const lock = tryLock(createLayout(dataDir).lock)
    const { output } = await start()
    await until(() => output.text.includes('waiting for its end'))
    expect((await httpGet({ port: sitesPort }, '/', { host: 'unknown.localhost' })).status).toBe(
      404,
    )
    const { create, list } = await signUpUser()
    await create('Waiting site')
    lock?.release()
    await until(async () => (await list()).every(({ state }) => state === 'ready'))
  })

  it.skipIf(isRoot && !othersMayRead)(
    'runs no programs of customers without root, and says that sites run as its own user',
    async () => {
      if (isRoot) await chown(dataDir, nobody.uid, nobody.gid)
      // Only operators read the reason.
      const env = { OPERATOR_EMAILS: 'somebody@example.com' }
      const { output } = await start(env, [serverProgram], isRoot ? nobody : {})
      await until(() => output.text.includes('sites run as the user of this server'))
      const { create, list, runtimes } = await signUpUser()
      const offered = await runtimes()
      expect(offered.filter(({ available }) => available).map(({ id }) => id)).toEqual([
        'starter',
        'static',
      ])
      for (const id of ['node', 'php', 'wordpress'] as const) {
        const reason = expect.stringContaining('must run as root')
        expect(offered).toContainEqual(expect.objectContaining({ id, reason }))
        expect(await errorCodeOf(create('A program', id))).toBe('runtime_not_available')
      }
      await create('A starter site')
      await until(async () => (await list()).every(({ state }) => state === 'ready'))
    },
  )

  it('a second server on the same folder does not start', async () => {
    await start()
    const otherServer = launch({
      PORT: String(await freePort()),
      SITES_PORT: String(await freePort()),
    })
    const [code] = await once(otherServer.server, 'exit')
    expect(code).not.toBe(0)
    expect(otherServer.output.text).toContain(dataDir)
    expect(await isReady()).toBe(true)
  })

  it('logs JSON only, and no own URL but PUBLIC_URL', async () => {
    const { server, output } = await start()
    const loginUrl = `http://localhost:${port}/api/auth/oauth/redirect?provider=google&state=${'a'.repeat(32)}`
    const response = await fetch(loginUrl, { redirect: 'manual' })
    expect(response.headers.get('location')).toContain('/stand-in/google/')
    await stop(server)
    // The greeting is indented.
    const lines = output.text.split('\n').filter((line) => line !== '' && !line.startsWith('  '))
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow()
    expect(output.text).toContain(`the console and the API are at http://localhost:${port}`)
    expect(output.text).not.toContain(`127.0.0.1:${port}`)
  })

  it('SIGTERM during the start stops the server and leaves no process', async () => {
    for (const stage of ['database/postmaster.pid', 'sites']) {
      const { server } = launch()
      await until(() => !isAlive(server) || existsSync(join(dataDir, stage)))
      expect(await stop(server, 'SIGTERM')).toBe(0)
      if (process.platform === 'linux') expect(await processesOf(dataDir)).toEqual([])
    }
  })

  it('a shutdown ends in spite of clients that neither finish nor close', async () => {
    const { server, output } = await start()
    const clients = [
      'POST /api/auth/email/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\n',
    ].map((bytes) => {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      client.on('error', () => {})
      client.write(bytes)
      return client.resume()
    })
    await Promise.all(clients.map((client) => once(client, 'connect')))
    expect(await isReady()).toBe(true)
    expect(await stop(server)).toBe(0)
    expect(output.text).not.toMatch(/did not close|took too long/)
    if (process.platform === 'linux') expect(await processesOf(dataDir)).toEqual([])
    for (const client of clients) client.destroy()
  })

  it('is not ready for SHUTDOWN_DELAY before it stops listening', async () => {
    const { server } = await start({ SHUTDOWN_DELAY: '3' })
    const exit = once(server, 'exit')
    server.kill('SIGTERM')
    const health = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    await until(async () => (await health('/readyz')).status === 503)
    const response = await health('/healthz')
    expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
    expect((await exit)[0]).toBe(0)
  })

  it('a failed start logs the reason and stops the database', async () => {
    await writeFile(join(dataDir, 'sites'), '')
    const { server, output } = launch()
    const [code] = await once(server, 'close')
    expect(code).toBe(1)
    expect(output.text).toMatch(/"level":"fatal".*"stack":/)
    expect(output.text).toMatch(/^Slipway cannot start: .*EEXIST.*$/m)
    if (process.platform === 'linux') expect(await processesOf(dataDir)).toEqual([])
  })
})

describe('service in several processes', () => {
  it('the worker creates what the web process accepted, and the gateway serves it', async () => {
    const database = inject('postgres')
    const newDatabase = await createDatabase()
    const url = new URL(
      `postgresql://${database.user}:${database.password}@localhost/${newDatabase.options.database}`,
    )
    url.searchParams.set('host', database.host)
    const DATABASE_URL = url.href
    launch({ ROLE: 'worker', DATABASE_URL, PORT: String(await freePort()) })
    launch({ ROLE: 'gateway', DATABASE_URL, PORT: String(await freePort()) })
    await start({ ROLE: 'web', DATABASE_URL })
    const { create, list } = await signUpUser()
    const { defaultUrl } = await create('Split site')
    await until(async () => (await list()).every(({ state }) => state === 'ready'))
    expect((await sitePage(sitesPort, new URL(defaultUrl).hostname)).body).toContain('Split site')
    for (const server of running) expect(await stop(server)).toBe(0)
    await newDatabase.drop()
  })

  it.runIf(process.getuid?.() === 0)(
    'a web process and a gateway give up root, follow a rotation of the keys, and a worker says why it keeps root',
    async () => {
      const newDatabase = await createDatabase()
      const proxy = await startConnectionProxy(newDatabase.options)
      const { user, password, database } = newDatabase.options
      const DATABASE_URL = `postgresql://${user}:${password}@127.0.0.1:${proxy.options.port}/${database}`
      const worker = launch({ ROLE: 'worker', DATABASE_URL, PORT: String(await freePort()) })
      const gateway = launch({ ROLE: 'gateway', DATABASE_URL, PORT: String(await freePort()) })
      const web = await start({ ROLE: 'web', DATABASE_URL })
      await until(() => web.output.text.includes('this process gave up root'))
      await until(() => gateway.output.text.includes('this process gave up root'))
      await until(() => worker.output.text.includes('this process keeps root: each site runs as'))
      const { uid, status } = await unprivilegedStatus(web.server)
      expect(status).toMatch(new RegExp(`^Groups:\\s+${uid}\\s*$`, 'm'))
      expect((await unprivilegedStatus(gateway.server)).uid).toBe(uid)

      const env = {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        DATABASE_URL,
        PICTURES_BROWSER: 'off',
      }
      // Not synchronous: the proxy runs in this process.
      await promisify(execFile)(process.execPath, [rotateKeys], { env })
      const { addCard, create, list } = await signUpUser()
      await addCard()
      const rows = await connectTo(newDatabase.options, 'select sealed_token from payment_methods')
      const [key] = await connectTo(newDatabase.options, 'select id from sealing_keys')
      expect(rows).toEqual([{ sealed_token: expect.stringContaining(`v1:${key?.id}:`) }])
      await create('Split site')
      await until(async () => (await list()).every(({ state }) => state === 'ready'))
      for (const server of running) expect(await stop(server)).toBe(0)
      await proxy.close()
      await newDatabase.drop()
    },
  )

  it.runIf(canRunPrograms)(
    'a gateway without root serves static, Node and PHP sites on privileged ports, wakes them and logs (needs root, bubblewrap and php-fpm)',
    async () => {
      const newDatabase = await createDatabase()
      const proxy = await startConnectionProxy(newDatabase.options)
      const { user, password, database } = newDatabase.options
      const DATABASE_URL = `postgresql://${user}:${password}@127.0.0.1:${proxy.options.port}/${database}`
      const [httpPort, tlsPort] = await freePrivilegedPorts()
      sitesPort = httpPort
      const split = { DATABASE_URL, SITES_TLS_PORT: `${tlsPort}`, SLEEP_AFTER: '2' }
      const worker = launch({ ...split, ROLE: 'worker', PORT: String(await freePort()) })
      const gateway = launch({ ...split, ROLE: 'gateway', PORT: String(await freePort()) })
      await start({ ...split, ROLE: 'web' })
      await until(() => gateway.output.text.includes('this process gave up root'))
      await unprivilegedStatus(gateway.server)

      const { deploy, entries } = await signUpUser()
      const page = await deploy('Static site', 'static', { 'index.html': 'static page' })
      const node = await deploy('Node site', 'node', {
        'package.json': '{"main":"server.js"}',
        'server.js': `require('http').createServer((request, response) => response.end('node page'))
          .listen(process.env.PORT, () => console.log('line of the program'))`,
      })
      const php = await deploy('PHP site', 'php', {
        'index.php': `<?php if (isset($_GET['write'])) {
            mkdir('/data/uploads/2026', 0777, true);
            file_put_contents('/data/uploads/2026/note.txt', 'note'); }
          error_log('line of the page'); echo 'php page';`,
      })
      const sites = [
        [page.host, '/', 'static page'],
        [node.host, '/', 'node page'],
        [php.host, '/?write', 'php page'],
        [php.host, '/uploads/2026/note.txt', 'note'],
      ] as const
      for (const [host, path, body] of sites) {
        expect(await httpGet({ port: httpPort }, path, { host })).toMatchObject({ body })
        expect(await httpsGet(tlsPort, path, host)).toMatchObject({ body })
      }

      const asleep = `"key":"${node.key}","msg":"A site sleeps"`
      await until(() => worker.output.text.includes(asleep))
      expect((await sitePage(httpPort, node.host)).body).toBe('node page')

      const texts = async (id: ProjectId, source: LogSource) =>
        (await entries(id, source)).map(({ text, request }) => text ?? request?.path)
      await until(async () => (await texts(node.id, 'site')).includes('line of the program'))
      await until(async () => (await texts(php.id, 'site')).join().includes('line of the page'))
      await until(async () => (await texts(page.id, 'requests')).includes('/'))
      for (const { output } of [worker, gateway])
        expect(output.text).not.toContain('the logs of sites cannot be written')
      for (const server of running) expect(await stop(server)).toBe(0)
      await proxy.close()
      await newDatabase.drop()
    },
  )

  it.runIf(isRoot)(
    'a gateway that was taken over leaves no link that the next start follows as root',
    async () => {
      const newDatabase = await createDatabase()
      const proxy = await startConnectionProxy(newDatabase.options)
      const { user, password, database } = newDatabase.options
      const DATABASE_URL = `postgresql://${user}:${password}@127.0.0.1:${proxy.options.port}/${database}`
      const outside = join(dataDir, 'outside')
      await mkdir(outside, { mode: 0o755 })
      await mkdir(join(dataDir, 'artifacts'))
      await symlink(outside, join(dataDir, 'artifacts/incoming'))
      const { server, output } = launch({ DATABASE_URL, ROLE: 'gateway' })
      expect((await once(server, 'exit'))[0]).toBe(1)
      expect(output.text).toContain('artifacts/incoming')
      const { gid, mode } = await stat(outside)
      expect([gid, mode & 0o7777]).toEqual([0, 0o755])
      await proxy.close()
      await newDatabase.drop()
    },
  )

  it.runIf(isRoot)(
    'a gateway keeps root beside a worker of an earlier version, and says when it can give it up',
    async () => {
      const newDatabase = await createDatabase()
      const proxy = await startConnectionProxy(newDatabase.options)
      const { user, password, database } = newDatabase.options
      const DATABASE_URL = `postgresql://${user}:${password}@127.0.0.1:${proxy.options.port}/${database}`
      const { sockets } = createLayout(dataDir)
      await mkdir(join(sockets, 'service'), { recursive: true })
      const { server, output } = launch({ DATABASE_URL, ROLE: 'gateway' })
      await until(() => output.text.includes('restart this process after the worker was updated'))
      expect(await stop(server)).toBe(0)
      await proxy.close()
      await newDatabase.drop()
    },
  )
})

/** The status of a process without root: its user has no capability, now or later. */
async function unprivilegedStatus({ pid }: ChildProcess) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  for (const ids of ['Uid', 'Gid']) {
    const [, ...idsOfKind] =
      new RegExp(`^${ids}:\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)$`, 'm').exec(status) ?? []
    expect(new Set(idsOfKind).size).toBe(1)
    expect(Number(idsOfKind[0])).toBeGreaterThanOrEqual(29_000)
  }
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'])
    expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, 'm'))
  return { status, uid: /^Uid:\s+(\d+)/m.exec(status)?.[1] }
}

async function connectTo(options: pg.ClientConfig, statement: string) {
  const client = new pg.Client(options)
  await client.connect()
  return (await client.query(statement).finally(() => client.end())).rows
}
