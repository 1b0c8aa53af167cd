import { chmodSync, chownSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { SettingError } from '../env/setting-error.ts'
import { canConnect, setCredentials } from './embedded-connection.ts'
import {
  allowSetup,
  ensurePassword,
  hasCredentials,
  passwordFile,
  roles,
} from './embedded-credentials.ts'
import {
  type Account,
  createFolder,
  giveFolder,
  nobody,
  onWindows,
  ownerOf,
  type Program,
  replaceFile,
} from './embedded-program.ts'
import { prepareSocketFolder, removeSocketFolder, serverSettings } from './embedded-settings.ts'
import { correctStaleFiles, findPostmaster, type Postmaster } from './postmaster.ts'

/** Timeout of a start with crash recovery, or of a shutdown. */
const TIMEOUT_SECONDS = 60

export interface EmbeddedServer {
  dataDir: string
  cluster: string
  account: Account | undefined
  program: Program
  log: { info(message: string): void; warn(message: string): void }
}

/**
 * The running server of the cluster, started when none responds. Creates programs and cluster when
 * missing.
 */
export async function ensureRunning(server: EmbeddedServer): Promise<Postmaster> {
  const { dataDir, cluster, program, log } = server
  const running = await findSettledPostmaster(cluster)
  const isOurs = program.isInstalled() && isOwned(server) && hasCredentials(server)
  if (running && isOurs && (await canConnect(running, dataDir, log))) {
    log.info(`Using the PostgreSQL server that is running (process ${running.pid})`)
    return running
  }
  if (running) await stopPostmaster(server)
  // Others may only enter the data folder: its content keeps its own mode.
  if (server.account) chmodSync(dataDir, statSync(dataDir).mode | 0o001)
  if (!program.isInstalled()) await program.install()
  await ensureCluster(server)
  if (hasCredentials(server)) return startPostmaster(server)
  allowSetup(server)
  const started = await startPostmaster(server)
  await setCredentials(started, server)
  return started
}

/** True when the account owns the cluster. A cluster of version 0.1.0 belongs to `nobody`. */
const isOwned = ({ cluster, account }: EmbeddedServer) =>
  account === undefined || ownerOf(cluster)?.uid === account.uid

async function ensureCluster(server: EmbeddedServer) {
  const { cluster, account, program, dataDir, log } = server
  if (existsSync(cluster)) {
    const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
    if (version === program.version.split('.')[0]) {
      if (account && !isOwned(server)) {
        removeSocketFolder(dataDir)
        giveFolder(cluster, account)
      }
      return
    }
    throw new SettingError(
      `DATA_DIR has the database of a PostgreSQL ${version} in ${cluster}, but this is ${program.version}: choose another folder, or set DATABASE_URL to a PostgreSQL that has the data`,
    )
  }
  log.info(`Creating the database in ${cluster}`)
  await createFolder(cluster, async (unfinished) => {
    // `initdb` needs a user with a name, which the account does not have.
    const creator = account && nobody()
    if (creator) chownSync(unfinished, creator.uid, creator.gid)
    // Sorting by code point does not depend on the platform or the C library.
    const args = ['-D', unfinished, '-U', roles.admin, '-E', 'UTF8', '--locale=C']
    args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8')
    ensurePassword(dataDir, 'admin')
    if (onWindows) args.push('-A', 'scram-sha-256', `--pwfile=${passwordFile(dataDir, 'admin')}`)
    // `pg_hba.conf` is replaced before the first start.
    else args.push('--auth-local=reject', '--auth-host=reject')
    await program.run('initdb', args, { account: creator }).catch(explainNamelessUser)
    if (account) giveFolder(unfinished, account)
  })
}

/** Only `initdb` needs a user with a name; a container's `--user 12345` has none. */
function explainNamelessUser(error: Error): never {
  const [, uid] = /could not look up effective user ID (\d+)/.exec(error.message) ?? []
  if (uid === undefined) throw error
  throw new SettingError(
    `DATABASE_URL must be set, because the embedded PostgreSQL does not run for a user without a name, and user ${uid} has none in /etc/passwd: run the service as a user who has, or set it`,
    { cause: error },
  )
}

async function startPostmaster(server: EmbeddedServer): Promise<Postmaster> {
  const { dataDir, cluster, account, program, log } = server
  const started = performance.now()
  const socketFolder = prepareSocketFolder(dataDir, account)
  correctStaleFiles(cluster, socketFolder)
  replaceFile(join(cluster, 'postgresql.conf'), await serverSettings(socketFolder), account)

  for (;;) {
    const serverLog = openServerLog(cluster)
    const args = ['start', '-w', '-t', `${TIMEOUT_SECONDS}`, '-D', cluster, '-l', serverLog.path]
    const failure = await program.run('pg_ctl', args, { detached: true }).then(
      () => undefined,
      (error: Error) => error,
    )
    // A process of the service that was killed may have left a starting server, which is ready now.
    const running = await findSettledPostmaster(cluster)
    const duration = Math.round(performance.now() - started)
    if (running) {
      log.info(`PostgreSQL started in ${duration} ms (process ${running.pid})`)
      return running
    }
    const reason = serverLog.readNew() || failure?.message
    // After a crash the orphaned backends need some time to exit.
    const waitsForBackends = reason?.includes('shared memory block') === true
    if (!waitsForBackends || duration > TIMEOUT_SECONDS * 1000) {
      throw new Error(`The embedded PostgreSQL does not start: ${reason}`, { cause: failure })
    }
    await setTimeout(50)
  }
}

// The log grows by a few lines per start and stop, so checking its size at the start suffices.
function openServerLog(cluster: string) {
  const path = join(cluster, 'server.log')
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size() > 1_000_000) renameSync(path, `${path}.1`)
  const sizeBefore = size()
  const readNew = () =>
    size() > sizeBefore ? readFileSync(path).subarray(sizeBefore).toString().trim() : ''
  return { path, readNew }
}

/** Stops the server in mode fast, and after the timeout in mode immediate. */
export async function stopPostmaster({ cluster, program, log }: EmbeddedServer) {
  const modes = ['fast', 'immediate']
  for (const mode of modes) {
    if (!findPostmaster(cluster)) return
    const args = ['stop', '-w', '-t', `${TIMEOUT_SECONDS}`, '-D', cluster, '-m', mode]
    const account = process.getuid?.() === 0 ? ownerOf(cluster) : undefined
    await program.run('pg_ctl', args, { account }).catch((error: Error) => log.warn(error.message))
  }
  if (findPostmaster(cluster)) throw new Error(`The PostgreSQL server on ${cluster} does not stop.`)
}

/** The running server, once it is neither starting nor stopping; undefined when none runs. */
async function findSettledPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const deadline = performance.now() + TIMEOUT_SECONDS * 1000
  for (;;) {
    const running = findPostmaster(cluster)
    if (running?.state !== 'starting_or_stopping' || performance.now() > deadline) return running
    await setTimeout(20)
  }
}
