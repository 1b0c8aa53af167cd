import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { onWindows } from './embedded-program.ts'
import type { Postmaster } from './postmaster.ts'

/** The embedded server's only user, a superuser. */
export const user = 'slipway'
const database = 'slipway'

/** Connection options of `pg` for the embedded server. */
export interface Connection {
  host: string
  port: number
  user: string
  database: string
  password?: string
}

/** The connection to the running server of a data folder. */
export function connectionTo(server: Postmaster, dataDir: string): Connection {
  const { port } = server
  if (!onWindows) return { host: server.socketFolder, port, user, database }
  const password = readFileSync(passwordFile(dataDir), 'utf8')
  return { host: '127.0.0.1', port, user, database, password }
}

/** The connection as a URL. */
export function urlOf({ host, port, user, database, password }: Connection) {
  if (password) return `postgresql://${user}:${password}@${host}:${port}/${database}`
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** The password, which only Windows needs; created when missing. */
export function passwordFile(dataDir: string) {
  const path = join(dataDir, 'database-password')
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return path
}

/** True when the running server accepts our login. */
export async function canConnect(
  running: Postmaster,
  dataDir: string,
  log: { warn(message: string): void },
) {
  try {
    await withClient(connectionTo(running, dataDir), (client) => client.query('SELECT 1'))
    return true
  } catch (error) {
    log.warn(`The running PostgreSQL server cannot be reached, so it is restarted: ${error}`)
    return false
  }
}

/** Creates our database when missing. */
export async function ensureDatabase(connection: Connection) {
  await withClient(connection, async (client) => {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [database])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${database}`)
  })
}

async function withClient(connection: Connection, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  // Handles the error event of a connection lost between two statements.
  const lost = new Promise<never>((_, reject) => client.once('error', reject))
  await client.connect()
  try {
    await Promise.race([work(client), lost])
  } finally {
    await client.end()
  }
}
