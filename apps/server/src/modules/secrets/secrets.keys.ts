import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../context.ts'
import type { Database } from '../../db/connect.ts'
import type { Env } from '../../env/env.ts'
import { SettingError } from '../../env/setting-error.ts'
import {
  createKeyFile,
  createKeyring,
  type KeySource,
  keySource,
  newKey,
  replaceKeys,
} from '../../sealing/keyring.ts'
import type { SealedColumn } from '../../sealing/sealed-columns.ts'
import { createSealing, type Sealing } from '../../sealing/sealing.ts'
import * as store from './secrets.store.ts'

type Options = { env: Env; db: Database['db'] }

/**
 * The sealing of this server. Creates a key on the first start of the service. Throws a
 * `SettingError` when the server lacks a key that the secrets in the database are sealed with.
 */
export async function openSealing({ env, db }: Options): Promise<Sealing> {
  const source = keySource(env)
  // In a transaction, so that of two servers with different new keys the second does not start.
  const keys = await db.transaction(async (tx) => {
    await store.lockSealingKeys(tx)
    const needed = await store.listSealingKeys(tx)
    if (source.own && source.file && needed.length === 0) createKeyFile(source.file)
    const keys = readKeys(source, needed)
    const [current] = keys
    if (current && !needed.includes(current.id)) await store.insertSealingKey(tx, current.id)
    return keys
  })
  return createSealing(createKeyring(source, keys))
}

/** The keys of the source. Throws a `SettingError` when one of the needed keys is missing. */
function readKeys(source: KeySource, needed: readonly string[]) {
  const keys = source.read()
  const missing = needed.filter((id) => !keys?.some((key) => key.id === id))
  if (keys && missing.length === 0) return keys
  const has = keys ? `has only ${keys.map(({ id }) => id).join(', ')}` : 'does not exist'
  const need =
    missing.length === 0
      ? 'the keys that seal the secrets in the database'
      : `the key ${missing.join(', ')} that the secrets in the database are sealed with`
  throw new SettingError(
    `${source.name} must have ${need}, but ${has}: restore it from a copy, take it from another server of this database, or set SEALING_KEYS_FILE`,
  )
}

/** Milliseconds between two checks for transactions that began before a new key. */
const waitInterval = 200

type Rotation = Omit<Options, 'clock'> & {
  columns: readonly SealedColumn[]
  print: (line: string) => void
}

/**
 * Adds a new key, seals every secret with it and removes the former keys, while servers run: they
 * read the changed file at once. A killed rotation continues at the next call. Throws a
 * `SettingError` when the keys are in a variable or incomplete.
 */
export async function rotateKeys({ env, db, columns, print }: Rotation): Promise<void> {
  const source = keySource(env)
  const { file } = source
  if (file === undefined)
    throw new SettingError(
      'SEALING_KEYS must be unset for this command, which changes the file of SEALING_KEYS_FILE or DATA_DIR: docs/operations.md says how to rotate keys in a variable',
    )
  const former = readKeys(source, await store.listSealingKeys(db))
  // More than one key: an earlier rotation was killed.
  const keys = former.length > 1 ? former : [newKey(), ...former]
  const [current] = keys
  if (!current) throw new Error('there is no key to seal with')
  // The file first: a server does not start without a key that the database needs.
  replaceKeys(file, keys)
  await store.insertSealingKey(db, current.id)
  print(`The key ${current.id} seals from now on.`)

  const sealing = createSealing(createKeyring(source, keys))
  const resealAll = async () => {
    for (const column of columns) {
      const count = await column.reseal(db, sealing)
      if (count > 0) print(`Sealed ${count} values of ${column.name} again.`)
    }
  }
  const addedAt = await store.databaseTime(db)
  await resealAll()
  // A transaction that began earlier may still store a value that the former key sealed.
  while (await store.hasTransactionBefore(db, addedAt)) await setTimeout(waitInterval)
  await resealAll()

  await store.removeOtherSealingKeys(db, current.id)
  replaceKeys(file, [current])
  print(`Removed the former keys from ${file}.`)
}

/** True while a server of a version that reads plain values is connected. */
export const isOlderServerConnected = (db: Db) => store.hasSessionNamed(db, olderApplications)

/** The names of the connections of version 0.1.0. */
const olderApplications = ['slipway', 'pgboss']
