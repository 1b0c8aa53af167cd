import { type FileHandle, open, rename } from 'node:fs/promises'

export type FileAttributes = { mode: number; uid?: number; gid?: number }

const writeWithAttributes = async (file: FileHandle, text: string, attributes: FileAttributes) => {
  await file.writeFile(text)
  await file.chmod(attributes.mode)
  if (attributes.uid !== undefined && attributes.gid !== undefined)
    await file.chown(attributes.uid, attributes.gid)
  await file.sync()
}

/**
 * Replaces a file atomically: readers and crashes see the old or the new text. One writer at a
 * time: the temporary file has a fixed name, so that killed writers leave at most one temporary
 * file.
 */
export const writeFileAtomic = async (
  path: string,
  text: string,
  attributes: FileAttributes,
): Promise<void> => {
  const temporary = `${path}.new`
  const file = await open(temporary, 'w', attributes.mode)
  try {
    await writeWithAttributes(file, text, attributes)
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
