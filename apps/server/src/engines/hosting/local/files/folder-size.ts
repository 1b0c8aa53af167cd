import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'

export type FolderSize = { bytes: number; entries: number }

/** The disk space of a folder, without following links. Stops at this many entries. */
export async function measureFolder(folder: string, maxEntries: number): Promise<FolderSize> {
  const size = { bytes: 0, entries: 0 }
  const folders = [folder]
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    // Files appear and disappear while their site runs.
    const entries = await opendir(next).catch(() => null)
    if (!entries) continue
    for await (const entry of entries) {
      size.entries += 1
      if (size.entries > maxEntries) return size
      const path = join(next, entry.name)
      const stats = await lstat(path).catch(() => null)
      // Blocks of 512 bytes: a sparse file counts only its written blocks.
      size.bytes += (stats?.blocks ?? 0) * 512
      if (entry.isDirectory()) folders.push(path)
    }
  }
  return size
}
