import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'

/** The fastest level of zlib: archives stay in one network, so that size matters little. */
const gzipLevel = 1

/** One time for all entries, so that equal files give equal archives. */
const mtime = new Date(0)

async function addFile(archive: Pack, name: string, path: string, size: number, mode: number) {
  const entry = archive.entry({ name, size, mode, mtime, type: 'file' })
  await pipeline(createReadStream(path), entry)
}

async function addFolder(archive: Pack, folder: string, prefix: string): Promise<void> {
  const names = (await readdir(folder)).sort()
  for (const part of names) {
    const path = join(folder, part)
    const name = prefix + part
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) {
      archive.entry({ name, mtime, type: 'symlink', linkname: await readlink(path) })
    } else if (stats.isDirectory()) {
      archive.entry({ name: `${name}/`, mtime, type: 'directory', mode: 0o755 })
      await addFolder(archive, path, `${name}/`)
    } else if (stats.isFile()) {
      const mode = (stats.mode & 0o100) !== 0 ? 0o755 : 0o644
      await addFile(archive, name, path, stats.size, mode)
    }
  }
}

const digestFile = (target: string) => `${target}.sha256`

/** The SHA-256 of a packed archive; null while it is not complete. */
export const packedDigest = (target: string): Promise<string | null> =>
  readFile(digestFile(target), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })

/** Marks a packed archive as complete. */
export async function recordPackedDigest(target: string, digest: string): Promise<void> {
  const temporary = `${digestFile(target)}.${randomUUID()}.unfinished`
  try {
    await writeFile(temporary, digest)
    await rename(temporary, digestFile(target))
  } finally {
    await rm(temporary, { force: true })
  }
}

/**
 * Packs the files of a folder as a tar compressed with gzip; resolves with its SHA-256. The digest
 * is written last: the archive is complete once it exists. Concurrent calls are safe, because each
 * writes its own file and the archives are equal.
 */
export async function packFolder(folder: string, target: string): Promise<string> {
  const temporary = `${target}.${randomUUID()}.unfinished`
  const hash = createHash('sha256')
  const archive = pack()
  const hasher = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await Promise.all([
      pipeline(archive, createGzip({ level: gzipLevel }), hasher, createWriteStream(temporary)),
      addFolder(archive, folder, '').then(
        () => archive.finalize(),
        (error: Error) => archive.destroy(error),
      ),
    ])
    const digest = hash.digest('hex')
    await rename(temporary, target)
    await recordPackedDigest(target, digest)
    return digest
  } finally {
    await rm(temporary, { force: true })
  }
}
