import { join } from 'node:path'
import { reasonOf, SettingError } from '../env/setting-error.ts'
import { lockFolder, prepareDataDir } from './data-folder.ts'
import {
  type Connection,
  connectionTo,
  ensureDatabase,
  isWrongPassword,
  urlOf,
} from './embedded-connection.ts'
import { allowSetup, type Role } from './embedded-credentials.ts'
import { databaseAccount, onWindows, postgresProgram } from './embedded-program.ts'
import { type EmbeddedServer, ensureRunning, stopPostmaster } from './embedded-server.ts'
import { findPostmaster } from './postmaster.ts'

export interface EmbeddedPostgresOptions {
  /** Created when missing. Contains the programs, the cluster and its log. */
  dataDir: string
  log: EmbeddedServer['log']
}

export interface EmbeddedPostgres {
  /** Connection options of `pg`, for the role that owns the database. */
  connection: Connection
  /** Connection options of the superuser. */
  admin: Connection
  url: string
  /** Aborts running statements and shuts the server down cleanly. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL server of the npm packages on `dataDir`, initialized when empty. Reuses a
 * server that still runs because the process that started it was killed. Accepts connections only
 * with a password, through a socket in a private folder (on Windows: a local port).
 *
 * Throws a `SettingError` when another process uses `dataDir`, when it is not usable, or when no
 * PostgreSQL exists for the platform or the user.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = prepareDataDir(options.dataDir)
  const lock = lockFolder(dataDir)
  const cluster = join(dataDir, 'database')
  const account = databaseAccount(dataDir, cluster)
  const program = postgresProgram(join(dataDir, 'postgresql-18'), account)
  const server: EmbeddedServer = { dataDir, cluster, account, program, log: options.log }

  // Shuts the server down when the process exits without stop().
  const onExit = () => {
    const running = findPostmaster(cluster)
    if (running && !onWindows) process.kill(running.pid, 'SIGINT')
  }
  process.once('exit', onExit)
  let watch: Watch | undefined
  const stop = async () => {
    try {
      await watch?.end()
      await stopPostmaster(server)
    } finally {
      process.off('exit', onExit)
      lock.release()
    }
  }
  try {
    const { connection, admin } = await openDatabase(server).catch(async (error) => {
      if (!isWrongPassword(error)) throw error
      // The folder has the passwords of another cluster, for example after a restore.
      await stopPostmaster(server)
      allowSetup(server)
      return openDatabase(server)
    })
    watch = keepRunning(server)
    let stopped: Promise<void> | undefined
    return {
      connection,
      admin,
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

async function openDatabase(server: EmbeddedServer) {
  const running = await ensureRunning(server)
  const connection = connectionTo(running, server.dataDir)
  const admin = connectionTo(running, server.dataDir, 'admin')
  await ensureDatabase(connection, admin)
  return { connection, admin }
}

/** The connection to the server that another process runs on `dataDir`, if any. */
export function findRunningConnection(dataDir: string, role?: Role): Connection | undefined {
  const running = findPostmaster(join(prepareDataDir(dataDir), 'database'))
  return running && connectionTo(running, dataDir, role)
}

/** The connection to the server that runs on `dataDir`. Throws a `SettingError` if none runs. */
export function runningConnection(dataDir: string, role?: Role): Connection {
  const connection = findRunningConnection(dataDir, role)
  if (connection) return connection
  throw new SettingError(
    `DATA_DIR must be the folder of a running Slipway, but no PostgreSQL runs in ${dataDir}: start it first, or set DATABASE_URL`,
  )
}

/** The interval between two checks, in milliseconds. */
const WATCH_MS = 1_000

type Watch = { end(): Promise<void> }

/** Restarts the server when it dies, for example because the OOM killer ended it. */
function keepRunning(server: EmbeddedServer): Watch {
  let ended = false
  let timer: NodeJS.Timeout | undefined
  let currentCheck = Promise.resolve()
  let lastFailure: string | undefined

  async function checkOnce() {
    try {
      if (!findPostmaster(server.cluster)) {
        server.log.warn('The PostgreSQL server died. It is restarted')
        await ensureRunning(server)
      }
      lastFailure = undefined
    } catch (error) {
      // An error such as EMFILE may be over at the next check. A rejection would end the process.
      const failure = reasonOf(error)
      if (failure !== lastFailure)
        server.log.warn(`The PostgreSQL server cannot be checked: ${failure}`)
      lastFailure = failure
    }
    scheduleCheck()
  }
  function scheduleCheck() {
    if (ended) return
    timer = setTimeout(() => {
      currentCheck = checkOnce()
    }, WATCH_MS)
    timer.unref()
  }

  scheduleCheck()
  return {
    async end() {
      ended = true
      clearTimeout(timer)
      await currentCheck
    },
  }
}
