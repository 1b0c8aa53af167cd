import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
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
import { type Account, unusedAccount } from './db/embedded-program.ts'
import type { Env } from './env/env.ts'
import { createLogLayout } from './logs/log-layout.ts'
import { root } from './root.ts'
import { keySource } from './sealing/keyring.ts'

/** Why a role continues to need root. */
const reasons: Record<Exclude<Env['ROLE'], 'web'>, string> = {
  all: 'each site runs as a user of its own, which only root can start',
  worker: 'each site runs as a user of its own, which only root can start',
  gateway: 'only root can reach the sockets of sites that run as users of their own',
}

/**
 * A web process gives up root once it listens: an attacker who takes it over cannot take the
 * machine. Others log why they keep it. Says too that sites share the server's user without root.
 */
export function giveUpRoot(env: Env, log: Pick<Logger, 'info' | 'warn'>): void {
  const { ROLE: role } = env
  if (process.getuid === undefined) return
  if (process.getuid() !== 0) {
    if (role === 'all' || role === 'worker')
      log.warn(
        'sites run as the user of this server, because it is not root: each can read what the server can, keys and passwords included',
      )
    return
  }
  const reasonToKeepRoot = role === 'web' ? takeAccount(env) : reasons[role]
  if (reasonToKeepRoot === undefined)
    log.info({ uid: process.getuid() }, 'this process gave up root')
  else log.info(`this process keeps root: ${reasonToKeepRoot}`)
}

/** Becomes another user. Returns the reason when that user lacks access to a needed file. */
function takeAccount(env: Env): string | undefined {
  if (env.DATABASE_URL === undefined)
    return 'only root can reach and stop the embedded database, which runs as a user of its own'
  const account = unusedAccount(`${env.DATA_DIR} web`)
  const source = keySource(env)
  if (source.own && source.file) shareKeys(source.file, account)
  shareArtifacts(env.DATA_DIR, account)
  shareLogs(env.DATA_DIR, account)

  const paths = neededPaths(env, source.file)
  const groups = process.getgroups?.() ?? []
  become(account, 'effective')
  const closed = paths.find((path) => !isReadable(path))
  if (closed !== undefined) {
    process.seteuid?.(0)
    process.setegid?.(0)
    process.setgroups?.(groups)
    return `another user cannot read ${closed}`
  }
  process.seteuid?.(0)
  become(account, 'real')
  return undefined
}

function become({ uid, gid }: Account, kind: 'effective' | 'real') {
  process.setgroups?.([gid])
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
    chownSync(folder, 0, gid)
    chmodSync(folder, statSync(folder).mode | 0o070)
  }
}

/**
 * The process reads logs that others write: what they create below the folder gets its group. Files
 * from before are given to it, once.
 */
function shareLogs(dataDir: string, { gid }: Account) {
  const { root: folder } = createLogLayout(dataDir)
  mkdirSync(folder, { recursive: true })
  if (statSync(folder).gid === gid) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    chownSync(path, 0, gid)
    if (entry.isDirectory()) chmodSync(path, 0o2750)
  }
  chownSync(folder, 0, gid)
  chmodSync(folder, 0o2750)
}

/** What the process reads, or loads, after its start. */
function neededPaths(env: Env, keyFile: string | undefined) {
  const host = env.DATABASE_URL && new pg.Client(urlOptions(env.DATABASE_URL)).host
  return [
    join(root, 'package.json'),
    join(root, 'node_modules'),
    env.CONSOLE_DIR ?? join(root, 'apps/console/dist'),
    createArtifactLayout(env.DATA_DIR).incoming,
    keyFile,
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
