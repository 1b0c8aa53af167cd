import { existsSync } from 'node:fs'
import { stopLeftSites } from './engines/hosting/local/process/stop-sites.ts'
import { readEnv } from './env/env.ts'
import { reasonOf } from './env/setting-error.ts'
import type { Log } from './log.ts'

// `npm stop`: stops the sites that a server left running for its successor.

const log: Log = {
  info() {},
  warn() {},
  error: (_fields, message) => process.stderr.write(`${message}\n`),
}

try {
  const { DATA_DIR: dataDir } = readEnv(process.env)
  const stopped = existsSync(dataDir) ? await stopLeftSites(dataDir, log) : 0
  process.stdout.write(`Sites stopped: ${stopped}\n`)
} catch (error) {
  process.stderr.write(`The sites cannot be stopped: ${reasonOf(error)}\n`)
  process.exit(1)
}
