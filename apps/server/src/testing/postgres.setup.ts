import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import {
  maxConnections,
  type OlderVersion,
  olderVersions,
  startOlderPostgres,
} from './older-postgres.ts'

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

/** A PostgreSQL for tests: the logins of the service and of the superuser. */
export type TestPostgres = { server: TestServer; superuser: TestServer }

/** The embedded PostgreSQL, one per run, in a temporary folder. */
async function startEmbedded() {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-test-'))
  const silent = { info: () => undefined, warn: () => undefined }
  const start = () => startEmbeddedPostgres({ dataDir, log: silent })
  const first = await start()
  const admin = new pg.Client({ ...first.admin, database: 'postgres' })
  await admin.connect()
  await admin.query(`alter system set max_connections = ${maxConnections}`)
  await admin.end()
  await first.stop()
  const embedded = await start()
  const { database: _, ...server } = embedded.connection
  const { database: __, ...superuser } = embedded.admin
  return {
    server,
    superuser,
    async stop() {
      await embedded.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function createTemplate({ server, superuser }: TestPostgres) {
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
}

/** The version of `TEST_POSTGRES`; undefined for the embedded one. */
function requestedVersion(): OlderVersion | undefined {
  const { TEST_POSTGRES: text } = process.env
  const version = olderVersions.find((older) => String(older) === text)
  if (text && !version) throw new Error(`TEST_POSTGRES must be one of ${olderVersions.join(', ')}`)
  return version
}

export default async function setup(project: TestProject) {
  const version = requestedVersion()
  const { server, superuser, stop } = await (version
    ? startOlderPostgres(version)
    : startEmbedded())
  await createTemplate({ server, superuser })
  project.provide('postgres', server)
  project.provide('postgresAdmin', superuser)
  return stop
}
