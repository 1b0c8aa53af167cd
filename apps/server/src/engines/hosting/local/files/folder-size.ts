import type { Stats } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

export type FolderSize = { bytes: number; entries: number }

/** The entry was removed or replaced meanwhile: files change while their site runs. */
const isGone = ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR'

/**
 * The program made it so that nobody counts what is below: a path longer than the system accepts,
 * which relative paths reach, or a folder that the server may not read.
 */
const isHidden = ({ code }: NodeJS.ErrnoException) => code === 'ENAMETOOLONG' || code === 'EACCES'

/** The value, `gone`, or `hidden`. Other errors, such as of a server without descriptors, throw. */
const unlessGone = <T>(value: Promise<T>): Promise<T | 'gone' | 'hidden'> =>
  value.catch((error: NodeJS.ErrnoException) => {
    if (isGone(error)) return 'gone'
    if (isHidden(error)) return 'hidden'
    throw error
  })

/**
 * The disk space of a folder, without following links. Stops at this many entries. Files that
 * cannot be counted count as more entries than any limit.
 */
export async function measureFolder(folder: string, maxEntries: number): Promise<FolderSize> {
  const size = { bytes: 0, entries: 0 }
  const uncountable = () => ({ ...size, entries: Number.POSITIVE_INFINITY })
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await unlessGone(opendir(next))
    if (entries === 'hidden') return uncountable()
    if (entries === 'gone') continue
    for await (const entry of entries) {
      size.entries += 1
      if (size.entries > maxEntries) return size
      const path = join(next, entry.name)
      const stats = await unlessGone<Stats>(lstat(path))
      if (stats === 'hidden') return uncountable()
      if (stats === 'gone') continue
      // Blocks of 512 bytes: a sparse file counts only its written blocks.
      size.bytes += stats.blocks * 512
      if (entry.isDirectory()) folders.push(path)
    }
  }
  return size
}
