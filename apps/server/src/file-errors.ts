/** The value; null for a file or folder that does not exist, or is removed meanwhile. */
export const nullIfMissing = async <T>(value: Promise<T>): Promise<T | null> => {
  try {
    return await value
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
