import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { openStore } from '../../backup/stores/open-store.ts'
import type { BackupStore } from '../../backup/stores/store.ts'
import type { Context } from '../../context.ts'
import { keepRoom } from '../../disk-room.ts'
import type { Env } from '../../env/env.ts'
import { siteBackupFolder } from './site-backups.folder.ts'
import { keyColumn } from './site-backups.sealed.ts'
import type { SiteBackup } from './site-backups.store.ts'

type Location = Pick<SiteBackup, 'id' | 'location'>
type Stored = Location & Pick<SiteBackup, 'sealed'>

/** Where new backups of sites are stored; null for the data folder. */
export const currentLocation = ({ BACKUP_URL }: Pick<Env, 'BACKUP_URL'>): string | null =>
  BACKUP_URL === undefined ? null : `${BACKUP_URL.replace(/\/+$/, '')}/${siteBackupFolder}`

const storeAt = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>, location: string | null) =>
  openStore(location ?? join(DATA_DIR, siteBackupFolder), true)

const nameOf = ({ id }: Pick<SiteBackup, 'id'>) => `slipway-site-${id}.gz.age`

/** Loaded when it is needed: most servers are idle, and the library takes memory. */
const age = () => import('../../backup/backup-key.ts')

const toWeb = (stream: Readable) =>
  Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>

/**
 * Encrypts an archive of a site's files with a new key (https://age-encryption.org/v1) and stores
 * it; `BACKUP_KEY` opens it, too. Returns its size in bytes and the sealed key. Stores nothing if
 * it fails or the signal aborts.
 */
export async function write(
  ctx: Pick<Context, 'env' | 'sealing'>,
  { id, location }: Location,
  archive: string,
  signal: AbortSignal,
): Promise<{ bytes: number; sealed: string }> {
  const { createEncrypter, createKeyPair } = await age()
  const { identity } = await createKeyPair()
  const { BACKUP_KEY } = ctx.env
  const encrypter = await createEncrypter(
    ...[identity, BACKUP_KEY].filter((key) => key !== undefined),
  )
  const encrypted = await encrypter.encrypt(toWeb(createReadStream(archive)))
  const store: BackupStore = await storeAt(ctx.env, location)
  const encryptedStream = Readable.fromWeb(encrypted as ReadableStream)
  // Other storage has its own disk.
  const content =
    location === null
      ? pipeline(encryptedStream, keepRoom(ctx.env.DATA_DIR), () => undefined)
      : encryptedStream
  const bytes = await store.write(nameOf({ id }), content, signal)
  return { bytes, sealed: keyColumn.seal(ctx.sealing, id, identity) }
}

/**
 * The archive of a stored backup. Rejects when the file is missing; the stream fails when it is
 * damaged.
 */
export async function open(
  ctx: Pick<Context, 'env' | 'sealing'>,
  { id, location, sealed }: Stored,
  signal?: AbortSignal,
): Promise<Readable> {
  const { createDecrypter } = await age()
  const decrypter = createDecrypter(keyColumn.open(ctx.sealing, id, sealed).toString())
  const store = await storeAt(ctx.env, location)
  const encrypted = await store.read(nameOf({ id }), signal)
  const plain = await decrypter.decrypt(toWeb(encrypted))
  return Readable.fromWeb(plain as ReadableStream)
}

/** Deletes the file of a backup. Idempotent. */
export async function remove(ctx: Pick<Context, 'env'>, backup: Location): Promise<void> {
  const store = await storeAt(ctx.env, backup.location)
  await store.remove(nameOf(backup)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

/** True if the file of a backup is in its store. */
export async function exists(ctx: Pick<Context, 'env'>, backup: Location): Promise<boolean> {
  const store = await storeAt(ctx.env, backup.location)
  try {
    const content = await store.read(nameOf(backup))
    content.destroy()
    return true
  } catch {
    return false
  }
}
