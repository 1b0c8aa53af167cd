import { type FileHandle, open, rename } from 'node:fs/promises'

export type Ownership = { mode: number; uid?: number; gid?: number }

const fill = async (file: FileHandle, text: string, owner: Ownership) => {
  await file.writeFile(text)
  await file.chmod(owner.mode)
  if (owner.uid !== undefined && owner.gid !== undefined) await file.chown(owner.uid, owner.gid)
  await file.sync()
}

/**
 * Replaces a file atomically: readers and crashes see the old or the new text. One writer at a
 * time: the temporary file has a fixed name, so that killed writers leave at most one.
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
