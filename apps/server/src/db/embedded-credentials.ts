import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, onWindows, replaceFile } from './embedded-program.ts'

/**
 * The roles of the embedded server. `slipway` owns the cluster and is a superuser: it only creates
 * the database. The service uses `slipway_server`, which owns the database and nothing else.
 */
export const roles = { admin: 'slipway', server: 'slipway_server' } as const
export type Role = keyof typeof roles

type Cluster = { dataDir: string; cluster: string; account: Account | undefined }

/** In the folder of the sealing keys, which only the service can enter. */
export const passwordFile = (dataDir: string, role: Role) =>
  join(dataDir, 'keys', `database-password-${role}`)

export const passwordOf = (dataDir: string, role: Role) =>
  readFileSync(passwordFile(dataDir, role), 'utf8').trim()

// Every login needs a password: processes of other users, such as sites, have none.
const rules = onWindows
  ? 'host all all 127.0.0.1/32 scram-sha-256\n'
  : 'local all all scram-sha-256\n'

// Only PostgreSQL's own user and root can enter the folder of the socket.
const rulesOfSetup = onWindows ? rules : `local all ${roles.admin} trust\n`

const rulesFile = (cluster: string) => join(cluster, 'pg_hba.conf')

/** True when the cluster requires the passwords of this data folder. */
export function hasCredentials({ dataDir, cluster }: Cluster) {
  const files = [passwordFile(dataDir, 'admin'), passwordFile(dataDir, 'server')]
  const file = rulesFile(cluster)
  return files.every(existsSync) && existsSync(file) && readFileSync(file, 'utf8') === rules
}

/** Lets the next start set the passwords. */
export function allowSetup({ cluster, account }: Cluster) {
  replaceFile(rulesFile(cluster), rulesOfSetup, account)
}

/** Requires the passwords from the server's next reload on. */
export function requirePasswords({ cluster, account }: Cluster) {
  replaceFile(rulesFile(cluster), rules, account)
}

/** The password of a role, created when missing. */
export function ensurePassword(dataDir: string, role: Role) {
  const file = passwordFile(dataDir, role)
  mkdirSync(join(dataDir, 'keys'), { recursive: true, mode: 0o700 })
  // Version 0.1.0 had a password on Windows.
  const former = join(dataDir, 'database-password')
  if (role === 'admin' && existsSync(former)) renameSync(former, file)
  if (!existsSync(file))
    writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
  return passwordOf(dataDir, role)
}
