import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import type { HostingEngine, Instance } from '../engine.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import type { Route } from './gateway-exchange.ts'
import { createLayout } from './layout.ts'
import { createLocalEngine, type LocalEngineOptions } from './local-engine.ts'
import type { Log } from './log.ts'
import { readProcessRecord } from './process-record.ts'

const run = promisify(execFile)

/** The folder of a site's program that tells what it may do. */
export const probeSite = fileURLToPath(new URL('fixtures/probe-site', import.meta.url))

/** An instance of that key, with the changes a test is about. */
export const instance = (key: string, changes: Partial<Instance> = {}): Instance => ({
  key,
  name: `Site ${key}`,
  regionId: 'local',
  hosts: [`${key}.localhost`],
  signIn: { issuer: 'http://localhost', clientId: key, clientSecret: 'example' },
  ...changes,
})

/** How long a condition may take to come true on a busy machine, and how often it is asked. */
export const patient = { timeout: 20_000, interval: 10 }

export type LogLine = { level: keyof Log; message: string; [field: string]: unknown }

/** A log that keeps its lines. */
export const createLogBook = (): { log: Log; lines: LogLine[] } => {
  const lines: LogLine[] = []
  const at = (level: keyof Log) => (fields: object, message: string) => {
    lines.push({ ...fields, level, message })
  }
  return { log: { info: at('info'), warn: at('warn'), error: at('error') }, lines }
}

export type Reply = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

/** One GET on a connection of its own, to a port or to a socket. */
export const get = (
  to: { port: number } | { socketPath: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ ...to, path, headers, agent: false }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (text) => {
        body += text
      })
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end()
  })

/** A data folder that sites of other users can enter, deleted after the test. */
export const createDataFolder = async (): Promise<string> => {
  const folder = await mkdtemp('/tmp/hosting-test-')
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Whether a process of that id runs; one that has ended and was not waited for does not. */
export const isAlive = async (pid: number): Promise<boolean> => {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
  if (process.platform !== 'linux') return true
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')
  return !/\) [ZX]/.test(stat)
}

const commandLines = async (): Promise<[pid: number, command: string][]> => {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,args='], { maxBuffer: 2 ** 24 })
  return stdout.split('\n').map((line) => [Number.parseInt(line, 10), line])
}

const commandLinesFromProc = async (): Promise<[pid: number, command: string][]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    pids.map(async (pid) => [
      Number(pid),
      await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    ]),
  )
}

/** Every site process whose command line names this folder: what really runs, whatever is written down. */
export const processesOf = async (folder: string): Promise<number[]> => {
  const all = await (process.platform === 'linux' ? commandLinesFromProc() : commandLines())
  const sites = all.filter(([, command]) => command.includes(`${folder}/`))
  return sites.map(([pid]) => pid)
}

export type World = {
  engine: HostingEngine
  dataDir: string
  lines: LogLine[]
  routes: Map<string, Route>
  port: number
  /** Applies an instance, routes its hosts to it, and waits until it answers. */
  up(instance: Instance): Promise<void>
  /** The process that answers at the site's address. Rejects when none does. */
  pid(key: string): Promise<number>
  visit(key: string, path: string, headers?: Record<string, string>): Promise<Reply>
}

type WorldOptions = Partial<LocalEngineOptions> & Pick<GatewayOptions, 'answerTimeoutMs'>

/** An engine and a gateway on a data folder, both closed after the test. */
export const createWorld = async ({
  answerTimeoutMs,
  ...options
}: WorldOptions = {}): Promise<World & { start: () => Promise<void> }> => {
  const dataDir = options.dataDir ?? (await createDataFolder())
  const { log, lines } = createLogBook()
  const routes = new Map<string, Route>()
  const gateway = createGateway({
    routes: { find: (host) => routes.get(host) },
    dataDir,
    host: '127.0.0.1',
    port: 0,
    sitesDomain: 'localhost',
    log,
    answerTimeoutMs,
  })
  const { port } = await gateway.listen()
  const engine = createLocalEngine({
    dataDir,
    gateway: { host: '127.0.0.1', port },
    log,
    ...options,
  })
  onTestFinished(async () => {
    await engine.close()
    await gateway.close()
  })

  const visit = (key: string, path: string, headers: Record<string, string> = {}) =>
    get({ port }, path, { host: `${key}.localhost`, ...headers })

  return {
    engine,
    dataDir,
    lines,
    routes,
    port,
    visit,
    start: () => engine.start(),
    async up(wanted) {
      for (const host of wanted.hosts) routes.set(host, { key: wanted.key, state: 'starting' })
      await engine.apply(wanted)
      await expect.poll(() => engine.answers(wanted), { timeout: 10_000, interval: 10 }).toBe(true)
    },
    async pid(key) {
      const { status } = await visit(key, '/healthz')
      const record = await readProcessRecord(createLayout(dataDir).site(key).process)
      if (status !== 200 || !record) throw new Error(`The site of ${key} does not answer`)
      return record.pid
    },
  }
}

/** The same, with the engine started. */
export const startWorld = async (options: WorldOptions = {}): Promise<World> => {
  const world = await createWorld(options)
  await world.start()
  return world
}

/** What the site of that key keeps as its content. */
export const contentOf = (dataDir: string, key: string): Promise<string> =>
  readFile(join(createLayout(dataDir).site(key).data, 'content.json'), 'utf8')

/** Starts an engine in another process; the output tells when it has started, and when it has applied. */
export const spawnEngine = (dataDir: string, instances: readonly Instance[]) => {
  const script = fileURLToPath(new URL('engine-owner.fixture.ts', import.meta.url))
  const engine = spawn(process.execPath, [script, dataDir, JSON.stringify(instances)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void engine.kill('SIGKILL'))
  const saysSo = async (word: string) => {
    let output = ''
    while (!output.includes(word)) output += (await once(engine.stdout, 'data'))[0]
  }
  const vanish = async () => {
    engine.kill('SIGKILL')
    await once(engine, 'exit')
  }
  return { saysSo, vanish }
}

/** Applies an instance with an engine in another process, and kills that engine without a word. */
export const applyAndVanish = async (dataDir: string, wanted: Instance): Promise<number> => {
  const engine = spawnEngine(dataDir, [wanted])
  await engine.saysSo('applied')
  await engine.vanish()
  const record = await readProcessRecord(createLayout(dataDir).site(wanted.key).process)
  if (!record) throw new Error('The vanished engine has written nothing down')
  return record.pid
}
