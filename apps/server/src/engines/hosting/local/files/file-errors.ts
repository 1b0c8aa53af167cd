/** The value, or null when the file or folder does not exist. */
export const nullIfMissing = async <T>(value: Promise<T>): Promise<T | null> => {
  try {
    return await value
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
