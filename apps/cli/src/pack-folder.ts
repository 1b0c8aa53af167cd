import { createReadStream } from 'node:fs'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { leftOutNames } from '@slipway/contract/left-out'
import ignore, { type Ignore } from 'ignore'
import { pack } from 'tar-stream'

export type PackedFile = { path: string; size: number; linkTo?: string; executable: boolean }

type FolderRules = { folder: string; matcher: Ignore }

/** The path with slashes. Only on Windows `separator` is a backslash. */
export const archivePath = (path: string, separator: string) => path.replaceAll(separator, '/')

/** `.slipwayignore` replaces the `.gitignore` of the same folder. */
async function readRules(folder: string): Promise<string> {
  for (const name of ['.slipwayignore', '.gitignore']) {
    const text = await readFile(join(folder, name), 'utf8').catch((error) => {
      if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined
      throw error
    })
    if (text !== undefined) return text
  }
  return ''
}

/** `rulesByFolder` starts at the root. The rules of a folder take precedence over its parents'. */
function isIgnored(
  rulesByFolder: readonly FolderRules[],
  path: string,
  isFolder: boolean,
): boolean {
  let ignored = false
  for (const { folder, matcher } of rulesByFolder) {
    const relativePath = path.slice(folder.length)
    const result = matcher.test(isFolder ? `${relativePath}/` : relativePath)
    if (result.ignored) ignored = true
    if (result.unignored) ignored = false
  }
  return ignored
}

/**
 * The deployed files of a folder, sorted by name. A `!name` in `.slipwayignore` includes a file
 * that is excluded by default.
 */
export async function listFiles(root: string): Promise<PackedFile[]> {
  const files: PackedFile[] = []
  async function walk(folder: string, parentRules: readonly FolderRules[]) {
    const matcher = ignore()
      .add(folder === '' ? [...leftOutNames] : [])
      .add(await readRules(join(root, folder)))
    const rulesByFolder = [...parentRules, { folder, matcher }]
    for (const name of (await readdir(join(root, folder))).sort()) {
      const path = folder + name
      const stats = await lstat(join(root, path))
      if (isIgnored(rulesByFolder, path, stats.isDirectory())) continue
      if (stats.isDirectory()) await walk(`${path}/`, rulesByFolder)
      else if (stats.isSymbolicLink()) {
        const linkTo = archivePath(await readlink(join(root, path)), sep)
        files.push({ path, size: 0, linkTo, executable: false })
      } else if (stats.isFile())
        files.push({ path, size: stats.size, executable: (stats.mode & 0o100) !== 0 })
    }
  }
  await walk('', [])
  return files
}

/** The size in bytes of the archive that `packFiles` creates. */
export async function measurePacked(
  root: string,
  files: readonly PackedFile[],
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0
  for await (const chunk of packFiles(root, files, { signal })) bytes += (chunk as Buffer).length
  return bytes
}

/** A file that became shorter while it was packed. */
export class FileChanged extends Error {}

/**
 * Packs files of a folder as a tar.gz stream. The archive is reproducible: it has no times and no
 * owners. `onProgress` gets the number of bytes read so far. An aborted `signal` fails the stream.
 */
export function packFiles(
  root: string,
  files: readonly PackedFile[],
  { onProgress, signal }: { onProgress?: (bytes: number) => void; signal?: AbortSignal } = {},
): Readable {
  const tar = pack()
  const gzip = createGzip()
  let read = 0
  async function fill() {
    for (const { path, size, linkTo, executable } of files) {
      const common = { name: path, mtime: new Date(0), mode: executable ? 0o755 : 0o644 }
      if (linkTo !== undefined) {
        tar.entry({ ...common, type: 'symlink', linkname: linkTo })
        continue
      }
      if (size === 0) {
        tar.entry({ ...common, size }, '')
        continue
      }
      const entry = tar.entry({ ...common, size })
      let written = 0
      await pipeline(
        // If the file grows meanwhile, it is cut at the size in its header.
        createReadStream(join(root, path), { end: size - 1 }),
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            signal?.throwIfAborted()
            written += chunk.length
            read += chunk.length
            onProgress?.(read)
            yield chunk
          }
          if (written < size) throw new FileChanged(path)
        },
        entry as unknown as NodeJS.WritableStream,
      )
    }
    tar.finalize()
  }
  fill().catch((error) => gzip.destroy(error))
  pipeline(tar as unknown as Readable, gzip).catch((error) => gzip.destroy(error))
  return gzip
}
