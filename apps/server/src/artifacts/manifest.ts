import { opendir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ArchiveError } from './archive-error.ts'

export type ManifestFile = {
  /** Size in bytes. */
  size: number
  /** SHA-256 of the content, in hexadecimal. */
  digest: string
  /** Bytes of the compressed copies that are smaller than the file. */
  encodings: EncodedSizes
}

/** Content codings (RFC 9110 §8.4.1) of the compressed copies, the preferred one first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]
export type EncodedSizes = Partial<Record<Encoding, number>>

/** The files of an artifact by path, sorted by path. */
export type Manifest = ReadonlyMap<string, ManifestFile>

/**
 * All files below a folder, by their path with `/`, sorted. Links to folders are not followed.
 * Throws `link_outside` for a link that leaves the folder.
 */
export async function listFiles(folder: string): Promise<string[]> {
  const root = await realpath(folder)
  /** False for a link to a folder. */
  const leadsToFile = async (path: string) => {
    const link = join(folder, path)
    const target = await realpath(link).catch(() => null)
    if (!target?.startsWith(`${root}${sep}`))
      throw new ArchiveError('link_outside', `${path} → ${await readlink(link)}`)
    return (await stat(target)).isFile()
  }
  const paths: string[] = []
  const folders = ['']
  // Grows while it is read. One folder at a time: reading all at once would block the thread.
  for (const parent of folders)
    for await (const entry of await opendir(join(folder, parent))) {
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) paths.push(path)
      else if (entry.isSymbolicLink() && (await leadsToFile(path))) paths.push(path)
    }
  return paths.sort()
}

export const writeManifest = (manifest: Manifest): string => JSON.stringify([...manifest])

export const readManifest = async (path: string): Promise<Manifest> =>
  new Map(JSON.parse(await readFile(path, 'utf8')))

export type FileChanges = { added: number; changed: number; removed: number }

/** Compares an artifact with the previous one; without one, every file is added. */
export function compareManifests(before: Manifest, after: Manifest): FileChanges {
  const changes = { added: 0, changed: 0, removed: 0 }
  for (const [path, file] of after) {
    const previous = before.get(path)
    if (!previous) changes.added++
    else if (previous.digest !== file.digest) changes.changed++
  }
  for (const path of before.keys()) if (!after.has(path)) changes.removed++
  return changes
}
