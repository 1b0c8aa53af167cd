import { chmod, chown, mkdir, readFile, rm, stat } from 'node:fs/promises'
import type { Instance } from '../../engine.ts'
import { writeFileAtomic } from '../files/atomic-file.ts'
import { ifThere } from '../files/file-errors.ts'
import type { SiteFiles } from '../files/layout.ts'
import type { Account, Accounts } from '../machine/accounts.ts'

const makeFolder = async (path: string, mode: number, uid?: number, gid?: number) => {
  await mkdir(path, { recursive: true })
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
  // mkdir's own mode is subject to the umask.
  await chmod(path, mode)
}

/**
 * Makes the folders of a site and gives them to its account, which it answers (null when all sites
 * run as the server's user). Safe to repeat, also after being killed half way.
 */
export const prepareSiteFolders = async (
  key: string,
  files: SiteFiles,
  accounts: Accounts,
): Promise<Account | null> => {
  const account = accounts.claim(key)
  const { uid, gid } = account ?? {}
  // The site may look into its folder but not change it: it belongs to root and the site's group.
  await makeFolder(files.folder, account ? 0o750 : 0o700, account ? 0 : undefined, gid)
  await makeFolder(files.data, 0o700, uid, gid)
  await makeFolder(files.socketFolder, 0o700, uid, gid)
  return account
}

/** Tells the accounts which one the site's data already belongs to. */
export const rememberAccount = async (key: string, files: SiteFiles, accounts: Accounts) => {
  const data = await ifThere(stat(files.data))
  if (data) accounts.remember(key, data.uid)
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

/** The instance as it was last applied to this folder; null when none was, or when it is damaged. */
export const readApplied = async (files: SiteFiles): Promise<Instance | null> => {
  const text = await ifThere(readFile(files.settings, 'utf8'))
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isInstance(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const serialize = ({ key, name, regionId, hosts, signIn }: Instance) => {
  const { issuer, clientId, clientSecret } = signIn
  const settings = { key, name, regionId, hosts, signIn: { issuer, clientId, clientSecret } }
  return `${JSON.stringify(settings, null, 2)}\n`
}

/**
 * Writes down what is applied, for the site to read and for the next server to find. It holds the
 * site's client secret: nobody but the server and the site may read it.
 */
export const writeApplied = async (
  files: SiteFiles,
  instance: Instance,
  account: Account | null,
): Promise<void> => {
  const text = serialize(instance)
  if ((await ifThere(readFile(files.settings, 'utf8'))) === text) return
  const owner = account ? { mode: 0o640, uid: 0, gid: account.gid } : { mode: 0o600 }
  await writeFileAtomic(files.settings, text, owner)
}

/**
 * The first step of a removal: one that is killed after it is seen as a removal, and its site is
 * never started again.
 */
export const forgetApplied = (files: SiteFiles): Promise<void> =>
  rm(files.settings, { force: true })

/** Deletes everything of a site whose process is gone. */
export const deleteSiteFolders = async (files: SiteFiles): Promise<void> => {
  await rm(files.socketFolder, { recursive: true, force: true })
  await rm(files.folder, { recursive: true, force: true })
}
