import type { Logger } from 'pino'
import type { App } from './app.ts'
import { urlOptions } from './db/connection-options.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded.ts'
import { dropRoot } from './drop-root.ts'
import { type Env, readEnv } from './env/env.ts'
import { reasonOf, SettingError } from './env/setting-error.ts'
import { createLog } from './log.ts'
import { checkMachine, listenError } from './preflight.ts'
import { closePart } from './shutdown.ts'

/** The longest time of a shutdown, whatever the deadlines of its parts, in milliseconds. */
const shutdownTimeout = 45_000
/** How long the embedded database may take to stop, in milliseconds. */
const databaseDeadline = 10_000

const print = (line: string) => process.stdout.write(`${line}\n`)
const printFailure = (error: unknown) =>
  process.stderr.write(`Slipway cannot start: ${reasonOf(error)}\n`)

/**
 * Ctrl-C and a closed terminal end everything that `npm start` began. SIGTERM comes from a service
 * manager, which starts the next server: the sites keep running for it.
 */
const stopsSites = { SIGTERM: false, SIGINT: true, SIGHUP: true }

/** Started parts, in order. */
type Running = { embedded?: EmbeddedPostgres; app?: App }

async function startDatabase({ DATA_DIR: dataDir }: Env, log: Logger, running: Running) {
  running.embedded = await startEmbeddedPostgres({
    dataDir,
    log: { info: (message) => log.debug(message), warn: (message) => log.warn(message) },
  })
}

/** Starts the parts in order; returns between two of them when `stopping` aborts. */
async function start(env: Env, log: Logger, running: Running, stopping: AbortSignal) {
  await checkMachine(env)
  if (stopping.aborted) return
  const embedded = env.DATABASE_URL === undefined && startDatabase(env, log, running)
  // Loaded while the database starts, and not at all when a setting is wrong.
  const appModule = import('./app.ts')
  await Promise.allSettled([embedded, appModule])
  await embedded
  const { createApp } = await appModule
  if (stopping.aborted) return
  const database = running.embedded?.connection ?? urlOptions(env.DATABASE_URL ?? '')
  running.app = await createApp({ env, database, log })
  if (stopping.aborted) return
  warnOfStandIns(env, log)
  await running.app.start(stopping)
  if (stopping.aborted) return
  await dropRoot(env, log)
  greet(env)
}

async function run(env: Env) {
  const log = createLog(env.LOG_LEVEL)
  const running: Running = {}
  const stopping = new AbortController()
  let starting: Promise<void> = Promise.resolve()

  async function stop(code: number, { stopSites }: { stopSites: boolean }) {
    if (stopping.signal.aborted) return
    stopping.abort()
    setTimeout(
      () => {
        log.error('the shutdown took too long')
        process.exit(1)
      },
      shutdownTimeout + env.SHUTDOWN_DELAY * 1000,
    ).unref()
    // A part that is starting can only be stopped afterwards.
    await starting.catch(() => undefined)
    const { app, embedded } = running
    try {
      if (code === 0) await app?.drain()
      await app?.close({ stopSites })
      if (embedded)
        await closePart(
          { name: 'database', deadline: databaseDeadline, close: () => embedded.stop() },
          log,
        )
      process.exit(code)
    } catch (error) {
      log.error({ err: error }, 'the shutdown failed')
      process.exit(1)
    }
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      log.info({ signal }, 'stopping')
      void stop(0, { stopSites: stopsSites[signal] })
    })
  try {
    starting = start(env, log, running, stopping.signal)
    await starting
  } catch (error) {
    const settingError = error instanceof SettingError ? error : listenError(error, env)
    // A wrong setting needs no stack trace.
    if (!settingError) log.fatal({ err: error }, 'Slipway cannot start')
    printFailure(settingError ?? error)
    await stop(1, { stopSites: false })
  }
}

/** Logs which development stand-ins replace a real service, in one line. */
function warnOfStandIns(env: Env, log: Logger) {
  const standIns = [
    env.SMTP_URL === undefined && 'the mailbox page',
    env.GOOGLE_CLIENT_ID === undefined && 'the stand-in for Google',
  ].filter(Boolean)
  if (env.standIns && (env.ROLE === 'all' || env.ROLE === 'web') && standIns.length > 0)
    log.warn(
      `development stand-ins are on: ${standIns.join(' and ')}. Anyone who reaches this port can read every email and sign in as anyone. Behind a proxy set NODE_ENV=production`,
    )
}

function greet(env: Env) {
  if (env.ROLE !== 'all') return
  print('')
  print('  Slipway is running.')
  print('')
  print(`  Console    ${env.PUBLIC_URL}`)
  if (env.SMTP_URL === undefined) print(`  Mailbox    ${env.PUBLIC_URL}/mailbox`)
  print(`  API        ${env.PUBLIC_URL}/api/docs`)
  print(`  Websites   ${env.SITES_URL.replace('://', '://{key}.')}`)
  print(`  Data       ${env.DATA_DIR}`)
  print('')
}

try {
  await run(readEnv(process.env))
} catch (error) {
  printFailure(error)
  process.exit(1)
}
