import { createApp } from './app.ts'
import { urlOptions } from './db/connect.ts'
import { startEmbeddedPostgres } from './db/embedded.ts'
import { type Env, readEnv } from './env.ts'
import { createLog } from './log.ts'

/** How long a clean shutdown may take before the process ends anyway. */
const patience = 30_000

const say = (line: string) => process.stdout.write(`${line}\n`)

function environment(): Env {
  try {
    return readEnv(process.env)
  } catch (error) {
    process.stderr.write(
      `Slipway cannot start: ${error instanceof Error ? error.message : error}\n`,
    )
    process.exit(78) // EX_CONFIG of sysexits.h
  }
}

async function main() {
  const env = environment()
  const log = createLog(env.LOG_LEVEL)
  const embedded =
    env.DATABASE_URL === undefined
      ? await startEmbeddedPostgres({
          dataDir: env.DATA_DIR,
          log: {
            info: (message) => log.debug(message),
            warn: (message) => log.warn(message),
          },
        })
      : undefined
  const database = embedded?.connection ?? urlOptions(env.DATABASE_URL ?? '')

  let stopping = false
  const stop = async (code: number) => {
    if (stopping) return
    stopping = true
    setTimeout(() => {
      log.error('the shutdown took too long')
      process.exit(1)
    }, patience).unref()
    await app?.close()
    await embedded?.stop()
    process.exit(code)
  }

  let app: Awaited<ReturnType<typeof createApp>> | undefined
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      log.info({ signal }, 'stopping')
      void stop(0)
    })
  try {
    app = await createApp({ env, database, log })
    await app.start()
  } catch (error) {
    log.fatal({ err: error }, 'Slipway cannot start')
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Slipway cannot start: ${reason}\n`)
    return stop(1)
  }
  greet(env)
}

function greet(env: Env) {
  if (env.ROLE !== 'all') return
  say('')
  say('  Slipway is running.')
  say('')
  say(`  Console    ${env.PUBLIC_URL}`)
  if (env.SMTP_URL === undefined) say(`  Mailbox    ${env.PUBLIC_URL}/mailbox`)
  say(`  API        ${env.PUBLIC_URL}/api/docs`)
  say(`  Websites   ${env.SITES_URL.replace('://', '://{key}.')}`)
  say(`  Data       ${env.DATA_DIR}`)
  say('')
}

try {
  await main()
} catch (error) {
  process.stderr.write(`Slipway cannot start: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
