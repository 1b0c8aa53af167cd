import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import { createArtifactLayout } from './artifacts/artifact-layout.ts'
import { urlOptions } from './db/connection-options.ts'
import type { Account } from './db/embedded-program.ts'
import { createLayout } from './engines/hosting/local/files/layout.ts'
import { siteGroups } from './engines/hosting/local/machine/accounts.ts'
import type { Env } from './env/env.ts'
import { certificateFiles } from './gateway/tls/certificate-files.ts'
import { createLogLayout } from './logs/log-layout.ts'
import { siteBackupFolder } from './modules/site-backups/site-backups.folder.ts'
import { root } from './root.ts'
import { keySource } from './sealing/keyring.ts'
import { serviceAccount } from './service-account.ts'

/** Why a role continues to need root. */
const reasons: Record<'all' | 'worker', string> = {
  all: 'each site runs as a user of its own, which only root can start. Processes of ROLE=web and ROLE=gateway beside a worker give it up',
  worker: 'each site runs as a user of its own, which only root can start',
}

/**
 * A web process and a gateway give up root once they listen: an attacker who takes one over cannot
 * take the machine. The other roles log why they keep it, and a role that starts sites without root
 * logs that these share the server's user.
 */
export async function dropRoot(env: Env, log: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  const { ROLE: role } = env
  if (process.getuid === undefined) return
  if (process.getuid() !== 0) {
    if (role === 'all' || role === 'worker')
      log.warn(
        'sites run as the user of this server, because it is not root: each can read what the server can, keys and passwords included',
      )
    return
  }
  const isLocalGateway = role === 'gateway' && env.ENGINE.includes('local')
  const reasonToKeepRoot =
    role === 'all' || role === 'worker'
      ? reasons[role]
      : switchToServiceAccount(env, isLocalGateway ? await siteGroups() : [])
  if (reasonToKeepRoot === undefined)
    log.info({ uid: process.getuid() }, 'this process gave up root')
  else log.info(`this process keeps root: ${reasonToKeepRoot}`)
}

/**
 * Becomes the service's user, with these groups beside its own. Returns the reason when that user
 * cannot read a needed path.
 */
function switchToServiceAccount(env: Env, siteGroups: number[]): string | undefined {
  if (env.DATABASE_URL === undefined)
    return 'only root can reach and stop the embedded database, which runs as a user of its own'
  const account = serviceAccount(env.DATA_DIR)
  if (siteGroups.length > 0 && hasClosedSockets(env.DATA_DIR, account))
    return 'a worker of an earlier version has sites here that only root can reach: restart this process after the worker was updated'
  const source = keySource(env)
  if (source.own && source.file) shareKeys(source.file, account)
  shareArtifacts(env.DATA_DIR, account)
  shareLogs(env.DATA_DIR, account)
  shareSiteBackups(env.DATA_DIR, account)

  const paths = neededPaths(env, source.file)
  const groups = process.getgroups?.() ?? []
  const ownGroups = [account.gid, ...siteGroups]
  become(account, ownGroups, 'effective')
  const closed = paths.find((path) => !isReadable(path))
  if (closed !== undefined) {
    process.seteuid?.(0)
    process.setegid?.(0)
    process.setgroups?.(groups)
    return `another user cannot read ${closed}`
  }
  process.seteuid?.(0)
  become(account, ownGroups, 'real')
  return undefined
}

/** True if a worker has sockets that it does not share with the account (`shareSockets`). */
function hasClosedSockets(dataDir: string, { gid }: Account) {
  const { sockets } = createLayout(dataDir)
  if (!existsSync(sockets) || statSync(sockets).gid === gid) return false
  return readdirSync(sockets).length > 0
}

function become({ uid, gid }: Account, groups: number[], kind: 'effective' | 'real') {
  process.setgroups?.(groups)
  if (kind === 'effective') {
    process.setegid?.(gid)
    process.seteuid?.(uid)
  } else {
    process.setgid?.(gid)
    process.setuid?.(uid)
  }
}

/** A rotation changes the keys while the process runs, so it reads them again. */
function shareKeys(file: string, { gid }: Account) {
  chownSync(dirname(file), 0, gid)
  chmodSync(dirname(file), 0o710)
  chownSync(file, 0, gid)
  chmodSync(file, 0o640)
}

/** Uploads arrive in folders of the workers. */
function shareArtifacts(dataDir: string, { gid }: Account) {
  const layout = createArtifactLayout(dataDir)
  mkdirSync(layout.incoming, { recursive: true })
  for (const folder of [layout.root, layout.incoming]) {
    // A compromised process could have created a symbolic link here, which root would follow.
    const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    try {
      fchownSync(fd, 0, gid)
      // Sticky: the group can add files, but not replace those of root.
      fchmodSync(fd, (fstatSync(fd).mode & 0o7777) | 0o1070)
    } finally {
      closeSync(fd)
    }
  }
}

/**
 * Every process of the service appends to the logs and reads them, so new files in the folder get
 * its group. Existing files get the group here, once.
 */
function shareLogs(dataDir: string, account: Account) {
  const { root: folder } = createLogLayout(dataDir)
  mkdirSync(folder, { recursive: true })
  const { gid, mode } = statSync(folder)
  if (gid === account.gid && (mode & 0o7777) === 0o2770) return
  shareLogFolder(folder, account)
  // Last, so that a killed run is repeated.
  chmodSync(folder, 0o2770)
}

/** Web servers send backups of sites. New files get the group of the folder from their store. */
function shareSiteBackups(dataDir: string, { gid }: Account) {
  const folder = join(dataDir, siteBackupFolder)
  mkdirSync(folder, { recursive: true, mode: 0o750 })
  if (statSync(folder).gid === gid) return
  for (const name of readdirSync(folder)) chownSync(join(folder, name), -1, gid)
  chmodSync(folder, 0o750)
  // Last, so that a killed run is repeated.
  chownSync(folder, -1, gid)
}

/** Shares a folder before its files: files that a worker creates meanwhile get its group. */
function shareLogFolder(folder: string, account: Account) {
  chownSync(folder, -1, account.gid)
  chmodSync(folder, 0o2750)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) continue
    if (entry.isDirectory()) {
      shareLogFolder(path, account)
      chmodSync(path, 0o2770)
    } else {
      chownSync(path, -1, account.gid)
      chmodSync(path, 0o660)
    }
  }
}

/** The paths that the process reads, or loads code from, after its start. */
function neededPaths(env: Env, keyFile: string | undefined) {
  const host = env.DATABASE_URL && new pg.Client(urlOptions(env.DATABASE_URL)).host
  return [
    join(root, 'package.json'),
    join(root, 'node_modules'),
    env.CONSOLE_DIR ?? join(root, 'apps/console/dist'),
    createArtifactLayout(env.DATA_DIR).incoming,
    keyFile,
    // Read again while it runs, for their renewals.
    ...(env.ROLE === 'gateway'
      ? certificateFiles(env).flatMap(({ certificate, key }) => [certificate, key])
      : []),
    // The socket of a PostgreSQL on this machine.
    host?.startsWith('/') ? host : undefined,
  ].filter((path) => path !== undefined && existsSync(path)) as string[]
}

// Not `access`, which checks the real user instead of the effective one.
function isReadable(path: string) {
  try {
    // `join` would drop the dot, which needs the right to enter the folder.
    if (statSync(path).isDirectory()) statSync(`${path}/.`)
    else closeSync(openSync(path, 'r'))
    return true
  } catch {
    return false
  }
}
