import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { onWindows } from './embedded-program.ts'
import type { Postmaster } from './postmaster.ts'

/** The embedded server's superuser, and the only user it has. */
export const user = 'slipway'
const database = 'slipway'

/** How the embedded server is reached, as `pg` takes it. */
export interface Connection {
  host: string
  port: number
  user: string
  database: string
  password?: string
}

/** How the running server of a data folder is reached. */
export function connectionTo(server: Postmaster, dataDir: string): Connection {
  const { port } = server
  if (!onWindows) return { host: server.socketFolder, port, user, database }
  const password = readFileSync(passwordFile(dataDir), 'utf8')
  return { host: '127.0.0.1', port, user, database, password }
}

/** The same as an address. */
export function urlOf({ host, port, user, database, password }: Connection) {
  if (password) return `postgresql://${user}:${password}@${host}:${port}/${database}`
  return `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** The file with the password that only Windows needs; made when it is missing. */
export function passwordFile(dataDir: string) {
  const path = join(dataDir, 'database-password')
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return path
}

/** Whether the running server lets us in. */
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

/** Creates our database when the server does not have it. */
export async function ensureDatabase(connection: Connection) {
  await withClient(connection, async (client) => {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [database])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${database}`)
  })
}

async function withClient(connection: Connection, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  // A connection lost between two statements is an event that nobody listens to otherwise.
  const lost = new Promise<never>((_, reject) => client.once('error', reject))
  await client.connect()
  try {
    await Promise.race([work(client), lost])
  } finally {
    await client.end()
  }
}
