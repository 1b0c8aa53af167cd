import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { BackupError } from '../backup-error.ts'
import { createFolderStore } from './folder-store.ts'
import { type BackupStore, type StoredBackup, timeOf } from './store.ts'

/**
 * The store at a folder's path or `s3://bucket/prefix`. `isShared`: the group of a folder may read
 * its backups.
 */
export async function openStore(location: string, isShared = false): Promise<BackupStore> {
  if (!/^[a-z0-9]+:\/\//i.test(location)) return createFolderStore(resolve(location), isShared)
  if (!location.startsWith('s3://') || !URL.canParse(location))
    throw new BackupError(
      `a backup is stored in a folder or in s3://bucket/prefix, but not in ${location}`,
    )
  // Loaded on demand: the package is large.
  const { createS3Store } = await import('./s3-store.ts')
  return createS3Store(location)
}

/** The backup at `from`, or the newest one in it. */
export async function findBackup(
  from: string,
): Promise<{ store: BackupStore; backup: StoredBackup }> {
  const isBackup = timeOf(basename(from)) !== undefined
  const store = await openStore(isBackup ? parentOf(from) : from)
  if (!from.startsWith('s3://')) await requireFolder(store.location)
  const all = await store.list()
  const backup = isBackup ? all.find(({ name }) => name === basename(from)) : all.at(-1)
  if (!backup)
    throw new BackupError(
      isBackup ? `${store.location} has no ${basename(from)}` : `there is no backup in ${from}`,
    )
  return { store, backup }
}

const parentOf = (from: string) =>
  from.startsWith('s3://') ? from.slice(0, from.lastIndexOf('/')) : dirname(resolve(from))

async function requireFolder(folder: string) {
  const stats = await stat(folder).catch(() => undefined)
  if (!stats?.isDirectory()) throw new BackupError(`there is no folder ${folder}`)
}
