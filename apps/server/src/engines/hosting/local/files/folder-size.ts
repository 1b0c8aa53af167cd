import { lstat } from 'node:fs/promises'
import { isGone, walkFolder } from './walk-folder.ts'

export type FolderSize = { bytes: number; entries: number }

/**
 * The program made it so that nobody counts what is below: a path longer than the system accepts,
 * which relative paths reach, or a folder that the server may not read.
 */
const isHidden = ({ code }: NodeJS.ErrnoException) => code === 'ENAMETOOLONG' || code === 'EACCES'

/** The written bytes of a file; 0 if it is gone. A sparse file counts only its written blocks. */
const writtenBytes = async (path: Buffer): Promise<number> => {
  try {
    // Blocks of 512 bytes.
    return (await lstat(path)).blocks * 512
  } catch (error) {
    if (isGone(error as NodeJS.ErrnoException)) return 0
    throw error
  }
}

/**
 * The disk space of a folder, without following links. Stops at this many entries. Files that
 * cannot be counted count as more entries than any limit.
 */
export async function measureFolder(folder: string, maxEntries: number): Promise<FolderSize> {
  const size = { bytes: 0, entries: 0 }
  try {
    for await (const path of walkFolder(folder)) {
      size.entries += 1
      if (size.entries > maxEntries) return size
      size.bytes += await writtenBytes(path)
    }
  } catch (error) {
    // Other errors, such as of a server without descriptors, tell nothing about the size.
    if (!isHidden(error as NodeJS.ErrnoException)) throw error
    size.entries = Number.POSITIVE_INFINITY
  }
  return size
}
