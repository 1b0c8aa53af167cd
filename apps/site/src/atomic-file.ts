import { constants } from 'node:fs'
import { open, rename } from 'node:fs/promises'

// Node's permission model forbids fsync; O_SYNC gives the same promise with each write.
const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_SYNC

/**
 * Replaces a file so that a reader, or a crash at any moment, sees the old text or the new one
 * whole. One writer at a time: the temporary file's name is fixed, so that a killed one leaves no litter.
 */
export const writeFileAtomic = async (path: string, text: string): Promise<void> => {
  const temporary = `${path}.new`
  const file = await open(temporary, flags, 0o600)
  try {
    await file.writeFile(text)
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
