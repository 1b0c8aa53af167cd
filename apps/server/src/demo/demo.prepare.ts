import { day } from '@slipway/contract/limits'
import type { Runtime } from '@slipway/contract/runtimes'
import type { Logger } from 'pino'
import { createApp } from '../app.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import type { Connection } from '../db/embedded-connection.ts'
import type { Env } from '../env/env.ts'
import { textOf } from '../modules/runtimes/runtimes.service.ts'
import { detectRuntimes } from './demo.apps.ts'
import type { DemoClock } from './demo.context.ts'
import { fillOnce } from './demo.database.ts'
import { createHistory } from './demo.history.ts'
import { findWordPressFiles, type WordPressOptions } from './demo.wordpress.ts'

export type DemoOptions = {
  /** Prints the progress of the demo, and the runtimes that this machine lacks. */
  print(line: string): void
  wordPress: WordPressOptions
}

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

/**
 * Prints each runtime that this machine lacks, with the reason. Returns the files of WordPress;
 * null if it is one of them.
 */
async function findRuntimes(env: Env, log: Logger, { print, wordPress }: DemoOptions) {
  const missing = new Map<Runtime, string>()
  for (const { id, reason } of await detectRuntimes(env, log))
    if (reason !== null) missing.set(id, textOf(reason, 'en'))
  const filesOrReason = missing.get('wordpress') ?? (await findWordPressFiles(wordPress, print))
  if (typeof filesOrReason === 'string') missing.set('wordpress', filesOrReason)
  for (const [id, text] of missing) print(`No example site for ${id}. ${text}`)
  return typeof filesOrReason === 'string' ? null : filesOrReason
}

async function fill(env: Env, database: Connection, log: Logger, options: DemoOptions) {
  const wordPress = await findRuntimes(env, log, options)
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
    await createHistory(app, clock, now, wordPress)
  } finally {
    await app.close()
  }
}

/**
 * Fills the demo's data folder with example data, once. The database is stopped when this resolves.
 * Throws a `SettingError` when the folder is not usable.
 */
export async function prepareDemo(env: Env, log: Logger, options: DemoOptions): Promise<void> {
  const embedded = await startEmbeddedPostgres({
    dataDir: env.DATA_DIR,
    log: { info: (message) => log.debug(message), warn: (message) => log.warn(message) },
  })
  try {
    await fillOnce(embedded, (database) => {
      options.print(
        'Filling the demo with example data. This takes some seconds, on the first start only.',
      )
      return fill(env, database, log, options)
    })
  } finally {
    await embedded.stop()
  }
}
