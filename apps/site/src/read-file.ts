import { readFile } from 'node:fs/promises'

/** The text of a file, or null when it does not exist. */
export const readFileIfExists = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
