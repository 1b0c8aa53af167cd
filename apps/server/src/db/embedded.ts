import { join } from 'node:path'
import { lockFolder, prepareDataDir } from './data-folder.ts'
import { type Connection, connectionTo, ensureDatabase, urlOf } from './embedded-connection.ts'
import { databaseAccount, onWindows, postgresProgram } from './embedded-program.ts'
import { ensureRunning, type Place, stopPostmaster } from './embedded-server.ts'
import { findPostmaster } from './postmaster.ts'

export interface EmbeddedPostgresOptions {
  /** Made when it does not exist. Holds the programs, the cluster and its log. */
  dataDir: string
  log: Place['log']
}

export interface EmbeddedPostgres {
  /** For `pg`, and whatever takes its options. */
  connection: Connection
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
 * Throws a `SettingError` when another process has `dataDir`, when it cannot be used, or when there
 * is no PostgreSQL for the platform or the user.
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
    timer = setTimeout(() => {
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
