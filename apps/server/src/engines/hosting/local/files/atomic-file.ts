import { type FileHandle, open, rename } from 'node:fs/promises'

export type Ownership = { mode: number; uid?: number; gid?: number }

const fill = async (file: FileHandle, text: string, owner: Ownership) => {
  await file.writeFile(text)
  await file.chmod(owner.mode)
  if (owner.uid !== undefined && owner.gid !== undefined) await file.chown(owner.uid, owner.gid)
  await file.sync()
}

/**
 * Replaces a file so that a reader, or a crash at any moment, sees the old text or the new one
 * whole. One writer at a time: the temporary file's name is fixed, so that a killed one leaves no litter.
 */
export const writeFileAtomic = async (
  path: string,
  text: string,
  owner: Ownership,
): Promise<void> => {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', owner.mode)
  try {
    await fill(file, text, owner)
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
