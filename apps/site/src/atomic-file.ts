import { constants } from 'node:fs'
import { open, rename } from 'node:fs/promises'

// Node's permission model denies fsync; O_SYNC gives the same guarantee for each write.
const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_SYNC

/**
 * Replaces a file atomically: readers and crashes see the old or the new text. One writer at a
 * time: the temporary file has a fixed name, so that killed writers leave at most one.
 */
export const writeFileAtomic = async (path: string, content: string | Buffer): Promise<void> => {
  const temporaryPath = `${path}.new`
  const file = await open(temporaryPath, flags, 0o600)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
  await rename(temporaryPath, path)
}
