import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SettingError } from '../env/setting-error.ts'
import { type Account, onWindows } from './embedded-program.ts'

/**
 * The `postgresql.conf` of the embedded server: little memory, full durability, and access only for
 * the service.
 */
export async function serverSettings(socketFolder: string | undefined): Promise<string> {
  const settings: Record<string, string | number> = {
    ...(socketFolder
      ? { listen_addresses: '', unix_socket_directories: socketFolder }
      : { listen_addresses: '127.0.0.1', port: await localPort() }),
    max_connections: 100,
    shared_buffers: '64MB',
    maintenance_work_mem: '32MB',
    min_wal_size: '32MB',
    max_wal_size: '256MB',
    // Reads of a small database come from the cache and need no I/O workers.
    io_method: 'sync',
    // Compiling a plan takes longer than any of our queries.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Only starts, stops and crashes. Errors of statements reach the client, and their text may
    // contain secrets.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${`${value}`.replaceAll("'", "''")}'\n`)
    .join('')
}

// The path of a socket is limited to 103 bytes on macOS and 107 on Linux.
const LONGEST_FOLDER = 103 - '/.s.PGSQL.5432'.length

/**
 * Creates the folder of the server's socket, which only its account can enter. Undefined on
 * Windows: Node has no Unix sockets there.
 */
export function prepareSocketFolder(dataDir: string, account: Account | undefined) {
  if (onWindows) return undefined
  const folder = socketFolder(dataDir)
  if (!isOwnFolder(folder, account))
    throw new SettingError(
      folder === folderWithin(dataDir)
        ? `${folder}, the folder of the database's socket, belongs to another user or is a link: remove it`
        : `The path of DATA_DIR is too long or has a comma, so the database's socket would be in ${folder}, which belongs to another user or is a link: choose a shorter path for DATA_DIR, without a comma`,
    )
  if (account) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
  return folder
}

/** Removes the folder of a server that another user ran. */
export const removeSocketFolder = (dataDir: string) =>
  rmSync(socketFolder(dataDir), { recursive: true, force: true })

const folderWithin = (dataDir: string) => join(dataDir, 'database-socket')

function socketFolder(dataDir: string) {
  const name = `slipway-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const candidates = [folderWithin(dataDir), join(tmpdir(), name), join('/tmp', name)]
  // In `unix_socket_directories` a comma separates several folders.
  const folder = candidates.find(
    (path) => Buffer.byteLength(path) <= LONGEST_FOLDER && !path.includes(','),
  )
  return folder ?? join('/tmp', name)
}

/** Creates the folder if it is missing. False if it belongs to another user, or is a link. */
function isOwnFolder(folder: string, account: Account | undefined) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // In the temporary folder another user could have created or linked it before.
  const folderStats = lstatSync(folder)
  const ours = [process.getuid?.(), account?.uid].includes(folderStats.uid)
  return folderStats.isDirectory() && ours
}

async function localPort() {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No local port is free.')
  return address.port
}
