import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, chown, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { day } from '@slipway/contract/limits'
import { nullIfMissing } from '../../file-errors.ts'
import { type BackupStore, byTime, type StoredBackup, timeOf } from './store.ts'

const unfinished = '.unfinished'

/**
 * Stores backups in a folder, which the first backup creates. `isShared`: its group may read the
 * backups, because web servers run without root.
 */
export async function createFolderStore(folder: string, isShared = false): Promise<BackupStore> {
  async function list() {
    const backups: StoredBackup[] = []
    for (const name of await readdir(folder)) {
      const createdAt = timeOf(name)
      if (createdAt) backups.push({ name, createdAt, bytes: (await stat(join(folder, name))).size })
    }
    return backups.sort(byTime)
  }

  /** Deletes files of killed backups after a day: another server may be writing a newer file. */
  async function removeUnfinished() {
    for (const name of await readdir(folder)) {
      if (!name.startsWith('slipway-') || !name.endsWith(unfinished)) continue
      // Another backup may rename its file meanwhile.
      const stats = await nullIfMissing(stat(join(folder, name)))
      if (stats && Date.now() - stats.mtimeMs > day) await rm(join(folder, name), { force: true })
    }
  }

  return {
    location: folder,
    list,
    async write(name, content, signal) {
      await createFolder(folder, isShared)
      await removeUnfinished()
      // A new name each time: a killed process may have left a file.
      const temporary = join(folder, `${name}.${randomUUID()}${unfinished}`)
      try {
        const file = createWriteStream(temporary, { mode: 0o600, flags: 'wx', flush: true })
        await pipeline(content, file, { signal })
        if (isShared) await shareWithGroup(temporary, folder, 0o640)
        await rename(temporary, join(folder, name))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      await syncFolder(folder)
      return (await stat(join(folder, name))).size
    },
    async read(name) {
      // Opens the file first, so that a missing one rejects this call and not the stream.
      const file = await open(join(folder, name))
      return file.createReadStream()
    },
    remove: (name) => rm(join(folder, name)),
  }
}

/**
 * Creates a folder and the missing folders above it. `isShared`: the group of the folder above each
 * may read it.
 */
async function createFolder(folder: string, isShared: boolean): Promise<void> {
  if (await nullIfMissing(stat(folder))) return
  await createFolder(dirname(folder), isShared)
  // Renamed once it is shared: a killed process leaves no folder that the group cannot read.
  const temporary = `${folder}.${randomUUID()}${unfinished}`
  await mkdir(temporary, { mode: isShared ? 0o750 : 0o777 })
  if (isShared) await shareWithGroup(temporary, dirname(folder), 0o750)
  await rename(temporary, folder).catch(async (error) => {
    await rmdir(temporary)
    // Another backup has created it meanwhile.
    if (!(await nullIfMissing(stat(folder)))) throw error
  })
}

/** Gives a file or folder to the group of `folder` with this mode, if this process may do so. */
async function shareWithGroup(path: string, folder: string, mode: number) {
  const { gid } = await stat(folder)
  try {
    if ((await stat(path)).gid !== gid) await chown(path, -1, gid)
    await chmod(path, mode)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EPERM', 'ENOTSUP', 'EINVAL'].includes(code)) throw error
  }
}

/** Makes the rename survive a power failure. Windows cannot open folders. */
async function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
