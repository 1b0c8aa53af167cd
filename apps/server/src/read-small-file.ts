import { readFile, stat } from 'node:fs/promises'

/**
 * The text of a file of a customer, which may have any size; undefined if it has more bytes.
 * Rejects with ENOENT if it is missing.
 */
export const readSmallFile = async (path: string, maxBytes: number): Promise<string | undefined> =>
  (await stat(path)).size > maxBytes ? undefined : readFile(path, 'utf8')
