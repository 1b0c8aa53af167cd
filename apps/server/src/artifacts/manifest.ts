import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

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

/** All files below a folder, by their path with `/`, sorted. Links to folders are not followed. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths: string[] = []
  for (const entry of entries) {
    const absolute = join(entry.parentPath, entry.name)
    const isFile = entry.isSymbolicLink() ? (await stat(absolute)).isFile() : entry.isFile()
    if (isFile) paths.push(relative(folder, absolute).split(sep).join('/'))
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
