import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants
const folderFlags = O_RDONLY | O_NOFOLLOW | O_DIRECTORY
// O_NONBLOCK: a named pipe would wait for a writer.
const fileFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO', 'ENAMETOOLONG'])

/**
 * Opens a regular file below a folder that a hostile program may write, or returns null. The
 * program may add links to the path at any time, so each part is opened in its open parent folder
 * and no link is followed: even opening a device elsewhere could do harm.
 */
export async function openInside(folder: string, path: string): Promise<FileHandle | null> {
  const parts = path.split('/')
  const name = parts.pop()
  let parent: FileHandle | undefined
  try {
    parent = await open(folder, folderFlags)
    for (const part of parts) {
      const next = await open(inFolder(parent, part), folderFlags)
      await parent.close()
      parent = next
    }
    const file = await open(inFolder(parent, name ?? ''), fileFlags)
    if ((await file.stat()).isFile()) return file
    await file.close()
    return null
  } catch (error) {
    if (missingCodes.has((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  } finally {
    await parent?.close()
  }
}

/** The path of a name in an open folder, also after the folder was moved (proc(5)). */
const inFolder = ({ fd }: FileHandle, name: string) => `/proc/self/fd/${fd}/${name}`
