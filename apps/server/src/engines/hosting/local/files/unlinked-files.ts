import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../../../../file-errors.ts'
import type { FolderSize } from './folder-size.ts'

/** Open files to inspect per site. A site with more counts as over its limit of entries. */
const maxOpenFiles = 200_000

/** The owner of the service's own files. Customers' programs have accounts of their own. */
const root = 0

/** Captures the address range of a deleted mapped file in /proc/PID/maps. */
const unlinkedMapping = /^([0-9a-f]+-[0-9a-f]+) .* \/.* \(deleted\)$/gm

/** A process's open files and its deleted mapped files, as paths in /proc. */
async function filesOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}`
  // A process may end meanwhile.
  const descriptors = await readdir(join(folder, 'fd')).catch(() => [])
  const maps = await readFile(join(folder, 'maps'), 'utf8').catch(() => '')
  return [
    ...descriptors.map((name) => join(folder, 'fd', name)),
    ...Array.from(maps.matchAll(unlinkedMapping), ([, range = '']) =>
      join(folder, 'map_files', range),
    ),
  ]
}

/**
 * The disk space of deleted files that these processes still have open or mapped, on the file
 * system of `folder`. Measuring the folder misses them. Files of root are the service's, such as
 * the environment of a program that is starting.
 */
export async function measureUnlinkedFiles(
  folder: string,
  processes: readonly number[],
): Promise<FolderSize> {
  const size = { bytes: 0, entries: 0 }
  const folderStats = await nullIfMissing(stat(folder))
  // The site was deleted meanwhile.
  if (!folderStats) return size
  const counted = new Set<number>()
  let files = 0
  for (const pid of processes)
    for (const path of await filesOf(pid)) {
      files += 1
      if (files > maxOpenFiles) return { ...size, entries: Number.POSITIVE_INFINITY }
      const stats = await stat(path).catch(() => null)
      if (!stats?.isFile() || stats.nlink > 0) continue
      if (stats.dev !== folderStats.dev || stats.uid === root) continue
      if (counted.has(stats.ino)) continue
      counted.add(stats.ino)
      size.entries += 1
      size.bytes += stats.blocks * 512
    }
  return size
}
