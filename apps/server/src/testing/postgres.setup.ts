import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'

export type TestServer = { host: string; port: number; user: string; password: string }

/** The template of every test's database: tables without rows. */
export const template = 'slipway_template'

declare module 'vitest' {
  interface ProvidedContext {
    /** The login of the service. */
    postgres: TestServer
    /** The login of the superuser. */
    postgresAdmin: TestServer
  }
}

/** The embedded PostgreSQL, one per run, in a temporary folder. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-test-'))
  const silent = { info: () => undefined, warn: () => undefined }
  const embedded = await startEmbeddedPostgres({ dataDir, log: silent })
  const { database: _, ...server } = embedded.connection
  const { database: __, ...superuser } = embedded.admin

  const admin = new pg.Client({ ...superuser, database: 'postgres' })
  await admin.connect()
  // Tests need no durability.
  await admin.query('alter system set fsync = off')
  await admin.query('select pg_reload_conf()')
  await admin.query(`create database ${template} owner ${server.user}`)
  await admin.end()
  await migrate({ ...server, database: template })
  const boss = new PgBoss({ ...server, database: template, supervise: false, schedule: false })
  await boss.start()
  await boss.stop({ graceful: false })

  project.provide('postgres', server)
  project.provide('postgresAdmin', superuser)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
