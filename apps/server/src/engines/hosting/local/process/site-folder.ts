import { execFile } from 'node:child_process'
import { chmod, chown, lchown, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { localCluster } from '../../../../env/configured-clusters.ts'
import { nullIfMissing } from '../../../../file-errors.ts'
import { createLimiter } from '../../../../limiter.ts'
import { removeTree } from '../../../../remove-tree.ts'
import { type Instance, MissingDataError } from '../../engine.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import type { Layout, SiteFiles } from '../files/layout.ts'
import { walkFolder } from '../files/walk-folder.ts'
import type { Account, Accounts } from '../machine/accounts.ts'

const run = promisify(execFile)

const makeFolder = async (path: string, mode: number, uid?: number, gid?: number) => {
  await mkdir(path, { recursive: true })
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
  // The mode of mkdir is subject to the umask.
  await chmod(path, mode)
}

export const hasData = async (files: SiteFiles): Promise<boolean> =>
  (await nullIfMissing(stat(files.data))) !== null

/** Gives the data to the site's account, such as after an operator restored it from a backup. */
const chownData = async (files: SiteFiles, { uid, gid }: Account) => {
  const data = await nullIfMissing(stat(files.data))
  if (!data || data.uid === uid) return
  for await (const path of walkFolder(files.data)) await lchown(path, uid, gid)
}

/** Setting the modes of millions of files must not delay a site for longer, in milliseconds. */
const shareTimeoutMs = 20_000

/**
 * Makes data that an earlier version wrote readable by the gateway, which is in the group of every
 * site. Runs as the site's user, because the site may put links there meanwhile.
 */
export const shareData = async ({ data }: SiteFiles, account: Account | null): Promise<void> => {
  const folder = await nullIfMissing(stat(data))
  if (!account || !folder || (folder.mode & 0o050) === 0o050) return
  const entries = [data, '-mindepth', '1', '(', '-type', 'd', '-o', '-type', 'f', ')']
  const environment = { PATH: process.env.PATH }
  await run('find', [...entries, '-exec', 'chmod', 'g+rX', '{}', '+'], {
    ...account,
    cwd: '/',
    env: environment,
    timeout: shareTimeoutMs,
  }).catch((error) => {
    // The exit code of find is 1 when the site removes a file meanwhile.
    if (error.code !== 1 && !error.killed) throw error
  })
  // The folder itself last, so that a killed run is repeated.
  await chmod(data, 0o750)
}

/**
 * Creates the folders of a site for its account and returns the account, null when all sites run
 * as the server's user. Rejects with a `MissingDataError` instead of creating a data folder unless
 * `mayCreate` is true. Idempotent, and safe to kill.
 */
export const prepareSiteFolders = async (
  key: string,
  files: SiteFiles,
  accounts: Accounts,
  { mayCreate }: { mayCreate: boolean },
): Promise<Account | null> => {
  if (!mayCreate && !(await hasData(files)))
    throw new MissingDataError(`The data of ${key} is missing: ${files.data}`)
  const account = accounts.claim(key)
  const { uid, gid } = account ?? {}
  // The folder belongs to root and the site's group: the site can read it but not change it.
  await makeFolder(files.folder, account ? 0o750 : 0o700, account ? 0 : undefined, gid)
  if (account) await chownData(files, account)
  await shareData(files, account)
  await makeFolder(files.data, account ? 0o750 : 0o700, uid, gid)
  const root = account ? 0 : undefined
  await makeFolder(files.socketFolder, account ? 0o711 : 0o700, root, root)
  return account
}

const concurrentReads = 64

/** Registers the accounts that own the data folders of these sites. */
export const registerAccounts = async (
  keys: readonly string[],
  layout: Layout,
  accounts: Accounts,
): Promise<void> => {
  const reads = createLimiter(concurrentReads)
  const register = async (key: string) => {
    const data = await nullIfMissing(stat(layout.site(key).data))
    if (data) accounts.register(key, data.uid)
  }
  await Promise.all(keys.map((key) => reads.run(() => register(key))))
}

const isSignIn = (value: unknown): value is Instance['signIn'] => {
  if (typeof value !== 'object' || value === null) return false
  const { issuer, clientId, clientSecret } = value as Record<string, unknown>
  return [issuer, clientId, clientSecret].every((text) => typeof text === 'string')
}

const isInstance = (value: unknown): value is Instance => {
  if (typeof value !== 'object' || value === null) return false
  const { key, name, regionId, hosts, signIn } = value as Record<string, unknown>
  return (
    isSignIn(signIn) &&
    typeof key === 'string' &&
    typeof name === 'string' &&
    typeof regionId === 'string' &&
    Array.isArray(hosts) &&
    hosts.every((host) => typeof host === 'string')
  )
}

/**
 * Defaults for missing fields: the cluster, because this engine has only one, and fields that
 * earlier versions did not write. Those ran only starter sites.
 */
const defaults = {
  cluster: localCluster,
  runtime: 'starter',
  artifact: null,
  image: null,
  registry: null,
  environment: {},
  power: 'running',
  restarts: 0,
} as const

/** The instance as last applied to this folder; null when missing or damaged. */
export const readApplied = async (files: SiteFiles): Promise<Instance | null> => {
  const text = await nullIfMissing(readFile(files.settings, 'utf8'))
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isInstance(value) ? { ...defaults, ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const serialize = (instance: Instance) => {
  const { key, name, regionId, runtime, artifact, environment, hosts, power, restarts } = instance
  const { issuer, clientId, clientSecret } = instance.signIn
  const settings = {
    key,
    name,
    regionId,
    runtime,
    artifact,
    environment,
    hosts,
    power,
    restarts,
    signIn: { issuer, clientId, clientSecret },
  }
  return `${JSON.stringify(settings, null, 2)}\n`
}

/**
 * Stores the applied instance for the site and the next server. It contains the site's client
 * secret: only the server and the site may read it.
 */
export const writeApplied = async (
  files: SiteFiles,
  instance: Instance,
  account: Account | null,
): Promise<void> => {
  const text = serialize(instance)
  if ((await nullIfMissing(readFile(files.settings, 'utf8'))) === text) return
  const owner = account ? { mode: 0o640, uid: 0, gid: account.gid } : { mode: 0o600 }
  await writeFileAtomic(files.settings, text, owner)
}

/** The first step of a removal: if the removal is killed later, the site is not started again. */
export const removeApplied = (files: SiteFiles): Promise<void> =>
  rm(files.settings, { force: true })

/** Deletes all files of a site whose process has exited. */
export const deleteSiteFolders = async (files: SiteFiles): Promise<void> => {
  await removeTree(files.socketFolder)
  await removeTree(files.folder)
}
