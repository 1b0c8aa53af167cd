import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, chown, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { keepRoom } from '../../../disk-room.ts'
import { nullIfMissing } from '../../../file-errors.ts'
import { ContentTooLargeError } from '../engine.ts'

/** In bytes: twice a site's disk of 1 GiB, because incompressible files grow when archived. */
const maxArchiveBytes = 2 * 2 ** 30

/**
 * Writes an archive to a temporary file and renames it when complete. The archive gets the group of
 * its folder, so that web servers without root can read it. Rejects with a `ContentTooLargeError`,
 * and with ENOSPC while the disk is nearly full.
 */
export async function writeArchive(
  file: string,
  write: (archive: Writable) => Promise<unknown>,
  measureFreeBytes?: (folder: string) => Promise<number>,
): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true })
  const temporary = `${file}.${randomUUID()}.unfinished`
  let bytes = 0
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxArchiveBytes) done(new ContentTooLargeError())
      else done(null, chunk)
    },
  })
  const target = createWriteStream(temporary, { flags: 'wx', flush: true })
  const closed = new Promise<void>((resolve) => target.once('close', resolve))
  try {
    // Waits for both, so that nothing is written any more. The first error causes the other one.
    const errors: unknown[] = []
    const end = (error: Error) => {
      errors.push(error)
      measured.destroy(error)
    }
    const written = pipeline(measured, keepRoom(folder, measureFreeBytes), target)
    await Promise.all([written.catch(end), write(measured).catch(end)])
    if (errors.length > 0) throw errors[0]
    const { gid } = await stat(folder)
    if ((await stat(temporary)).gid !== gid) await chown(temporary, -1, gid)
    await chmod(temporary, 0o640)
    await rename(temporary, file)
  } finally {
    measured.destroy()
    target.destroy()
    // A file that is still being opened would appear after its removal.
    await closed
    await rm(temporary, { force: true })
  }
}

/** The SHA-256 of an archive, in hexadecimal; null if the file does not exist. */
export async function digestOfArchive(file: string): Promise<string | null> {
  const hash = createHash('sha256')
  const read = async () => {
    await pipeline(createReadStream(file), hash)
    return hash.digest('hex')
  }
  return nullIfMissing(read())
}
