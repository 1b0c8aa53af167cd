import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
const notThere = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO', 'ENAMETOOLONG'])

/**
 * Opens a regular file below a folder whose content a hostile program may write, or returns null.
 * The program may put links on the path at any time, so what counts is where the opened file is.
 */
export async function openInside(folder: string, path: string): Promise<FileHandle | null> {
  let file: FileHandle
  try {
    // O_NONBLOCK: a named pipe would wait for a writer.
    file = await open(join(folder, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (notThere.has((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
  const isFile = (await file.stat()).isFile()
  const opened = await readlink(`/proc/self/fd/${file.fd}`)
  if (isFile && opened.startsWith(`${await realpath(folder)}${sep}`)) return file
  await file.close()
  return null
}
