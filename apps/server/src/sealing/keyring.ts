import { createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Env } from '../env/env.ts'
import { reasonOf, SettingError } from '../env/setting-error.ts'
import { isSealingKey } from '../env/values.ts'

/** A key with which secrets are sealed. Its id is a fingerprint, so a wrong key has another id. */
export type SealingKey = { id: string; text: string; secret: KeyObject }

/** The keys of this server, newest first: the first seals, all open. */
export type Keyring = {
  current(): SealingKey
  find(id: string): SealingKey | undefined
}

/** The place of a server's keys. */
export type KeySource = {
  /** The setting and the place, for error messages. */
  name: string
  /** The file; undefined for keys in a variable. */
  file?: string
  /** True when the file is created on the first start. */
  own: boolean
  /** Undefined when the file does not exist. Throws a `SettingError` when it is not usable. */
  read(): SealingKey[] | undefined
}

const keyBytes = 32
const header = `# The keys that seal the secrets in Slipway's database, newest first. Without them the secrets are
# lost: keep a copy, apart from the backups of the database. \`npm run rotate-keys\` replaces them.
`

function keyOf(text: string): SealingKey {
  const bytes = Buffer.from(text, 'base64url')
  const hash = createHash('sha256').update('slipway sealing key\n').update(bytes)
  return { id: hash.digest('hex').slice(0, 12), text, secret: createSecretKey(bytes) }
}

export const newKey = () => keyOf(randomBytes(keyBytes).toString('base64url'))

/** The source of the keys that the settings name. */
export function keySource(
  env: Pick<Env, 'DATA_DIR' | 'SEALING_KEYS' | 'SEALING_KEYS_FILE'>,
): KeySource {
  const { SEALING_KEYS: texts, SEALING_KEYS_FILE: configuredFile } = env
  if (texts?.length) return { name: 'SEALING_KEYS', own: false, read: () => texts.map(keyOf) }
  const file = configuredFile ?? join(env.DATA_DIR, 'keys', 'sealing-keys')
  const name = configuredFile === undefined ? 'DATA_DIR' : 'SEALING_KEYS_FILE'
  return {
    name: `${name} (${file})`,
    file,
    own: configuredFile === undefined,
    read: () => readKeyFile(name, file),
  }
}

function readKeyFile(name: string, file: string): SealingKey[] | undefined {
  if (!existsSync(file)) return undefined
  const problem = (reason: string, cause?: unknown) =>
    new SettingError(`${name} must have a usable file of sealing keys, but ${file} ${reason}`, {
      cause,
    })
  let lines: string[]
  try {
    // Sites and the embedded PostgreSQL run as other users.
    if (process.platform !== 'win32' && statSync(file).mode & 0o007)
      throw problem(`can be read by every user: run chmod o= ${file}`)
    lines = readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    throw error instanceof SettingError ? error : problem(`is not: ${reasonOf(error)}`, error)
  }
  const texts = lines.map((line) => line.trim()).filter((line) => line && !line.startsWith('#'))
  if (texts.length === 0 || !texts.every(isSealingKey))
    throw problem('is not: each line must be 32 bytes in base64url')
  return texts.map(keyOf)
}

/**
 * Creates the file with one key. Of two servers that start at once the first creates it, and both
 * use it.
 */
export function createKeyFile(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = writeUnfinished(file, [newKey()])
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(unfinished)
  }
}

/** Replaces the keys of the file atomically. The owner of the file stays. */
export function replaceKeys(file: string, keys: readonly SealingKey[]) {
  const { uid, gid, mode } = statSync(file)
  const unfinished = writeUnfinished(file, keys)
  chownSync(unfinished, uid, gid)
  chmodSync(unfinished, mode & 0o777)
  renameSync(unfinished, file)
}

/** The keys must be on the disk before a secret that they seal. */
function writeUnfinished(file: string, keys: readonly SealingKey[]) {
  const name = `.${basename(file)}.${randomBytes(6).toString('hex')}`
  const unfinished = join(dirname(file), name)
  const opened = openSync(unfinished, 'wx', 0o600)
  try {
    writeSync(opened, header + keys.map(({ text }) => `${text}\n`).join(''))
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  return unfinished
}

/** The keys of the source. A changed file is read again, so a rotation needs no restart. */
export function createKeyring(source: KeySource, first: SealingKey[]): Keyring {
  let keys = first
  let version = versionOf(source.file)
  function reloadIfChanged() {
    const newest = versionOf(source.file)
    if (newest === version) return
    keys = source.read() ?? keys
    version = newest
  }
  return {
    current() {
      reloadIfChanged()
      const [key] = keys
      if (!key) throw new Error('there is no key to seal with')
      return key
    },
    find(id) {
      const loaded = keys.find((key) => key.id === id)
      if (loaded) return loaded
      reloadIfChanged()
      return keys.find((key) => key.id === id)
    },
  }
}

/** Changes when the file is replaced; undefined without a file. */
function versionOf(file: string | undefined) {
  const stats = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.mtimeMs} ${stats.size}`
}
