import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'

export type TestServer = { host: string; port: number; user: string; password?: string }

/** The database every test's database is a copy of: tables there, rows not. */
export const template = 'slipway_template'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestServer
  }
}

/** One PostgreSQL for the run: the embedded one, in a folder that goes away with it. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-test-'))
  const silent = { info: () => undefined, warn: () => undefined }
  const embedded = await startEmbeddedPostgres({ dataDir, log: silent })
  const { database: _, ...server } = embedded.connection

  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  // What a crash of the machine would lose is of no use to anybody.
  await admin.query('alter system set fsync = off')
  await admin.query('select pg_reload_conf()')
  await admin.query(`create database ${template}`)
  await admin.end()
  await migrate({ ...server, database: template })
  const boss = new PgBoss({ ...server, database: template, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })

  project.provide('postgres', server)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
