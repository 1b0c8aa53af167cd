import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as setTimer } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { lockFolder, prepareDataDir } from './data-folder.ts'
import {
  type Account,
  createFolder,
  databaseAccount,
  onWindows,
  type Program,
  postgresProgram,
} from './embedded-program.ts'
import { prepareSocketFolder, serverSettings } from './embedded-settings.ts'
import { correctStaleFiles, findPostmaster, type Postmaster } from './postmaster.ts'

const DATABASE = 'slipway'
const USER = 'slipway'

/** How long a server may take to come up after a crash, or to write everything down at its end. */
const PATIENCE_SECONDS = 60

export interface EmbeddedPostgresOptions {
  /** Made when it does not exist. Holds the programs, the cluster and its log. */
  dataDir: string
  log: { info(message: string): void; warn(message: string): void }
}

export interface EmbeddedPostgres {
  /** For `pg`, and whatever takes its options. */
  connection: { host: string; port: number; user: string; database: string; password?: string }
  /** The same as an address. */
  url: string
  /** Lets running statements end in an error, writes everything down, and ends the server. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL server that the npm packages bring, on `dataDir`, and creates what is
 * missing there. A server that outlived its killed owner is used as it runs. It can be reached
 * only through a socket in a folder that is ours (on Windows: a local port with a password).
 *
 * Throws an error with one sentence for the operator when another process has `dataDir`, when it
 * cannot be used, or when there is no PostgreSQL for the platform.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = prepareDataDir(options.dataDir)
  const lock = lockFolder(dataDir)
  const cluster = join(dataDir, 'database')
  const account = databaseAccount(cluster)
  const program = postgresProgram(join(dataDir, 'postgresql-18'), account)
  const place: Place = { dataDir, cluster, account, program, log: options.log }

  // The last way out, for when nobody gets to call stop(): the server then ends on its own.
  const onExit = () => {
    const running = findPostmaster(cluster)
    if (running && !onWindows) process.kill(running.pid, 'SIGINT')
  }
  process.once('exit', onExit)
  let watch: Watch | undefined
  const stop = async () => {
    try {
      await watch?.end()
      await stopPostmaster(place)
    } finally {
      process.off('exit', onExit)
      lock.release()
    }
  }
  try {
    const connection = connectionTo(await ensureRunning(place), dataDir)
    await ensureDatabase(connection)
    watch = keepRunning(place)
    let stopped: Promise<void> | undefined
    return {
      connection,
      url: urlOf(connection),
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await stop().catch((reason: Error) => options.log.warn(reason.message))
    throw error
  }
}

/** How often it is looked whether the server still runs. */
const WATCH_MS = 1_000

type Watch = { end(): Promise<void> }

/** Starts the server again when it has died under us, as after the kernel ran out of memory. */
function keepRunning(place: Place): Watch {
  let ended = false
  let timer: NodeJS.Timeout | undefined
  let look = Promise.resolve()

  async function lookOnce() {
    if (!findPostmaster(place.cluster)) {
      place.log.warn('The PostgreSQL server has died and is started again')
      await ensureRunning(place).catch((error: Error) => place.log.warn(error.message))
    }
    lookLater()
  }
  function lookLater() {
    if (ended) return
    timer = setTimer(() => {
      look = lookOnce()
    }, WATCH_MS)
    timer.unref()
  }

  lookLater()
  return {
    async end() {
      ended = true
      clearTimeout(timer)
      await look
    },
  }
}

interface Place {
  dataDir: string
  cluster: string
  account: Account | undefined
  program: Program
  log: EmbeddedPostgresOptions['log']
}

async function ensureRunning(place: Place): Promise<Postmaster> {
  const { cluster, program, log } = place
  const running = await settled(cluster)
  if (running && program.isInstalled() && (await accepts(running, place))) {
    log.info(`Using the PostgreSQL server that is running (process ${running.pid})`)
    return running
  }
  if (running) await stopPostmaster(place)
  // Passing through the data folder is all that this allows: what is in it keeps its own rights.
  if (place.account) chmodSync(place.dataDir, statSync(place.dataDir).mode | 0o001)
  if (!program.isInstalled()) await program.install()
  await ensureCluster(place)
  return startPostmaster(place)
}

async function ensureCluster({ cluster, account, program, dataDir, log }: Place) {
  if (existsSync(cluster)) {
    const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
    if (version === program.version.split('.')[0]) return
    throw new Error(`${cluster} is of PostgreSQL ${version}, not ${program.version}.`)
  }
  log.info(`Creating the database in ${cluster}`)
  await createFolder(cluster, async (unfinished) => {
    own(unfinished, account)
    // Sorting by code point is the same everywhere and with every version of the C library.
    const args = ['-D', unfinished, '-U', USER, '-E', 'UTF8', '--locale=C']
    args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8')
    if (onWindows) args.push('-A', 'scram-sha-256', `--pwfile=${passwordFile(dataDir)}`)
    else args.push('--auth-local=trust', '--auth-host=reject')
    await program.run('initdb', args)
  })
}

async function startPostmaster(place: Place): Promise<Postmaster> {
  const { dataDir, cluster, account, program, log } = place
  const started = performance.now()
  const socketFolder = prepareSocketFolder(dataDir, account)
  correctStaleFiles(cluster, socketFolder)
  const settings = join(cluster, 'postgresql.conf')
  writeFileSync(settings, await serverSettings(socketFolder))
  own(settings, account)

  for (;;) {
    const serverLog = openServerLog(cluster)
    const args = ['start', '-w', '-t', `${PATIENCE_SECONDS}`, '-D', cluster, '-l', serverLog.path]
    const failure = await program.run('pg_ctl', args, { detached: true }).then(
      () => undefined,
      (error: Error) => error,
    )
    // One that a killed owner had just begun to start may have been quicker than ours: as good.
    const running = await settled(cluster)
    const duration = Math.round(performance.now() - started)
    if (running) {
      log.info(`PostgreSQL started in ${duration} ms (process ${running.pid})`)
      return running
    }
    const reason = serverLog.written() || failure?.message
    // After a crash the backends that lost their server take a moment to notice and leave.
    const waitsForBackends = reason?.includes('shared memory block') === true
    if (!waitsForBackends || duration > PATIENCE_SECONDS * 1000) {
      throw new Error(`The embedded PostgreSQL does not start: ${reason}`, { cause: failure })
    }
    await setTimeout(50)
  }
}

// It gets a few lines at a start and at an end, so to look at its size at a start is enough.
function openServerLog(cluster: string) {
  const path = join(cluster, 'server.log')
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size() > 1_000_000) renameSync(path, `${path}.1`)
  const before = size()
  const written = () =>
    size() > before ? readFileSync(path).subarray(before).toString().trim() : ''
  return { path, written }
}

async function stopPostmaster({ cluster, program, log }: Place) {
  const modes = ['fast', 'immediate']
  for (const mode of modes) {
    if (!findPostmaster(cluster)) return
    const args = ['stop', '-w', '-t', `${PATIENCE_SECONDS}`, '-D', cluster, '-m', mode]
    await program.run('pg_ctl', args).catch((error: Error) => log.warn(error.message))
  }
  if (findPostmaster(cluster)) throw new Error(`The PostgreSQL server on ${cluster} does not stop.`)
}

/** The running server once it is neither starting nor stopping, or undefined: none runs. */
async function settled(cluster: string): Promise<Postmaster | undefined> {
  const deadline = performance.now() + PATIENCE_SECONDS * 1000
  for (;;) {
    const running = findPostmaster(cluster)
    if (running?.state !== 'passing' || performance.now() > deadline) return running
    await setTimeout(20)
  }
}

async function accepts(running: Postmaster, { dataDir, log }: Place) {
  try {
    await withClient(connectionTo(running, dataDir), (client) => client.query('SELECT 1'))
    return true
  } catch (error) {
    log.warn(`The running PostgreSQL server cannot be reached, so it is restarted: ${error}`)
    return false
  }
}

async function ensureDatabase(connection: EmbeddedPostgres['connection']) {
  await withClient(connection, async (client) => {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  })
}

async function withClient(
  connection: EmbeddedPostgres['connection'],
  work: (client: pg.Client) => Promise<unknown>,
) {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  // A connection lost between two statements is an event that nobody listens to otherwise.
  const lost = new Promise<never>((_, reject) => client.once('error', reject))
  await client.connect()
  try {
    await Promise.race([work(client), lost])
  } finally {
    await client.end()
  }
}

function connectionTo(server: Postmaster, dataDir: string): EmbeddedPostgres['connection'] {
  const { port } = server
  if (!onWindows) return { host: server.socketFolder, port, user: USER, database: DATABASE }
  const password = readFileSync(passwordFile(dataDir), 'utf8')
  return { host: '127.0.0.1', port, user: USER, database: DATABASE, password }
}

function urlOf({ host, port, user, database, password }: EmbeddedPostgres['connection']) {
  if (password) return `postgresql://${user}:${password}@${host}:${port}/${database}`
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

function passwordFile(dataDir: string) {
  const path = join(dataDir, 'database-password')
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return path
}

function own(path: string, account: Account | undefined) {
  if (account) chownSync(path, account.uid, account.gid)
}
