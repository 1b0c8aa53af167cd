import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ArchiveError, tooLarge } from './archive-error.ts'
import type { ArtifactLayout } from './artifact-layout.ts'

export type ReceivedArchive = {
  /** SHA-256 of the archive, in hexadecimal. */
  digest: string
  /** Size of the archive, in bytes. */
  bytes: number
  /** Allows removal of the artifact. Call it once a row refers to it, or when no row will. */
  endReservation(): Promise<void>
}

/**
 * Streams an upload to the folder of incoming files and names it by its digest. The file is
 * complete on the disk when this resolves; a broken upload leaves nothing. Throws `too_large` and
 * `empty`.
 */
export async function receiveArchive(
  upload: Readable,
  layout: ArtifactLayout,
  maxBytes: number,
): Promise<ReceivedArchive> {
  const temporary = join(layout.incoming, `${randomUUID()}.upload`)
  const hash = createHash('sha256')
  let bytes = 0
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      if (bytes > maxBytes) done(tooLarge('too_large', maxBytes))
      else done(null, chunk)
    },
  })
  try {
    // A rejected upload is not destroyed, because the response needs its connection.
    const chunks = upload.iterator({ destroyOnReturn: false })
    await pipeline(chunks, measured, createWriteStream(temporary, { flags: 'wx', flush: true }))
    if (bytes === 0) throw new ArchiveError('empty')
    const digest = hash.digest('hex')
    const reservation = layout.reservation(digest)
    await writeFile(reservation, '')
    await rename(temporary, layout.archive(digest))
    await syncFolder(layout.root)
    return { digest, bytes, endReservation: () => rm(reservation, { force: true }) }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Makes a rename survive a power failure. */
async function syncFolder(path: string) {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
