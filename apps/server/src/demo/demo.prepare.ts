import { day } from '@slipway/contract/limits'
import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import type { Connection } from '../db/embedded-connection.ts'
import type { Env } from '../env/env.ts'
import { detectRuntimes } from './demo.apps.ts'
import type { DemoClock } from './demo.context.ts'
import { fillOnce } from './demo.database.ts'
import { createHistory } from './demo.history.ts'

/** Earlier than everything in the example. */
const longAgo = 130 * day

function createDemoClock(now: Date): DemoClock {
  let time = now
  return {
    now: () => time,
    moveTo(later) {
      time = later
    },
  }
}

async function fill(env: Env, database: Connection, log: Logger) {
  await detectRuntimes(env, log)
  const now = new Date()
  const clock = createDemoClock(new Date(now.getTime() - longAgo))
  // Only handles requests; the service started afterwards runs jobs and sites.
  const app = await createApp({
    env: { ...env, ROLE: 'web', RATE_LIMIT: 0 },
    database,
    log,
    clock,
  })
  try {
    await app.server.app.ready()
    await createHistory(app, clock, now)
  } finally {
    await app.close()
  }
}

/**
 * Fills the demo's data folder with the example unless it has it; calls `begins` before. The
 * database is stopped when this resolves. Throws a `SettingError` when the folder is not usable.
 */
export async function prepareDemo(env: Env, log: Logger, begins: () => void): Promise<void> {
  const embedded = await startEmbeddedPostgres({
    dataDir: env.DATA_DIR,
    log: { info: (message) => log.debug(message), warn: (message) => log.warn(message) },
  })
  try {
    await fillOnce(embedded, (database) => {
      begins()
      return fill(env, database, log)
    })
  } finally {
    await embedded.stop()
  }
}
