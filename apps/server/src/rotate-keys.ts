import { connect } from './db/connect.ts'
import { urlOptions } from './db/connection-options.ts'
import { runningConnection } from './db/embedded.ts'
import { readEnv } from './env/env.ts'
import { reasonOf, SettingError } from './env/setting-error.ts'
import { rotateKeys } from './modules/secrets/secrets.keys.ts'
import { collectModules } from './modules.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

async function run() {
  const env = readEnv(process.env)
  const { sealed } = collectModules()
  const { DATABASE_URL: url, DATA_DIR: dataDir } = env
  const options = url === undefined ? runningConnection(dataDir) : urlOptions(url)
  const database = connect(options, { connections: 1, forJobs: true, onError: () => undefined })
  try {
    await rotateKeys({ env, db: database.db, columns: sealed, print })
  } finally {
    await database.close()
  }
}

// Drizzle's message is the statement; its cause is the reason.
const rootCause = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined && !(error instanceof SettingError)
    ? rootCause(error.cause)
    : error

try {
  await run()
} catch (error) {
  process.stderr.write(`The keys were not rotated: ${reasonOf(rootCause(error))}\n`)
  process.exitCode = 1
}
