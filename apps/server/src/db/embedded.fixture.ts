import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts'
import { type Account, nobody, postgresProgram } from './embedded-program.ts'
import { findPostmaster } from './postmaster.ts'

export const serverScript = fileURLToPath(new URL('embedded-owner.fixture.ts', import.meta.url))
export const log = { info() {}, warn() {} }

const steps: (() => unknown)[] = []

/** Runs the steps of `onCleanUp` in reverse order, for `afterEach`. */
export async function cleanUp(): Promise<void> {
  for (const step of steps.splice(0).reverse()) await step()
}

/** Registers a step for the end of the test. */
export function onCleanUp(step: () => unknown): void {
  steps.push(step)
}

export function newDataDir(): string {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-embedded-')))
  chmodSync(dataDir, 0o755)
  onCleanUp(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  return dataDir
}

export async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log })
  onCleanUp(() => server.stop())
  return server
}

export async function query(
  server: EmbeddedPostgres,
  statement: string,
  role: 'connection' | 'admin' = 'connection',
) {
  const client = new pg.Client(server[role])
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

export const postmasterOf = (dataDir: string) => findPostmaster(join(dataDir, 'database'))

/** A process that starts the server on `dataDir`. */
export function spawnServerProcess(dataDir: string, account?: Account) {
  const child = spawn(process.execPath, [serverScript, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    ...account,
  })
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const expectLine = async (expected: string) => {
    const { value } = await lines.next()
    if (value !== expected)
      throw new Error(`The server process printed ${value} instead of ${expected}.`)
  }
  const end = (stop: () => void) => async () => {
    stop()
    await exited
  }
  const kill = end(() => child.kill('SIGKILL'))
  onCleanUp(async () => {
    await kill()
    const postmaster = postmasterOf(dataDir)
    if (postmaster) process.kill(postmaster.pid, 'SIGQUIT')
    while (postmasterOf(dataDir)) await setTimeout(20)
  })
  return {
    ready: () => expectLine('ready'),
    async run(statement: string) {
      child.stdin.write(`${statement}\n`)
      await expectLine('done')
    },
    exit: end(() => child.stdin.end()),
    kill,
  }
}

export async function startServerProcess(dataDir: string, account?: Account) {
  const serverProcess = spawnServerProcess(dataDir, account)
  await serverProcess.ready()
  return serverProcess
}

/** An unprivileged user of every Unix. */
export function ordinaryUser(): Account {
  const daemon = readFileSync('/etc/passwd', 'utf8').match(/^daemon:[^:]*:(\d+):(\d+):/m)
  if (!daemon) throw new Error('There is no user daemon.')
  return { uid: Number(daemon[1]), gid: Number(daemon[2]) }
}

/**
 * A data folder as version 0.1.0 left it: the database runs as `nobody` and accepts every local
 * user as its superuser, who owns the tables. The database still runs, as after a kill of the
 * service.
 */
export async function startVersion010(dataDir: string): Promise<pg.ClientConfig> {
  const account = process.getuid?.() === 0 ? nobody() : undefined
  const giveToAccount = (path: string) => account && chownSync(path, account.uid, account.gid)
  const program = postgresProgram(join(dataDir, 'postgresql-18'), account)
  await program.install()
  const [cluster, socket] = [join(dataDir, 'database'), join(dataDir, 'database-socket')]
  for (const folder of [cluster, socket]) {
    mkdirSync(folder, { mode: 0o700 })
    giveToAccount(folder)
  }
  const access = ['--auth-local=trust', '--auth-host=reject']
  await program.run('initdb', ['-D', cluster, '-U', 'slipway', '-E', 'UTF8', '-N', ...access])
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    `listen_addresses = ''\nunix_socket_directories = '${socket}'\n`,
  )
  const started = ['start', '-w', '-D', cluster, '-l', join(cluster, 'server.log')]
  await program.run('pg_ctl', started, { detached: true })
  const connection = { host: socket, user: 'slipway', database: 'slipway' }
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  await client.query('create database slipway')
  await client.end()
  return connection
}
