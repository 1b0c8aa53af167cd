import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'

const separator = Buffer.from('/')

/** The entry was removed or replaced meanwhile: files change while their site runs. */
export const isGone = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ENOENT' || code === 'ENOTDIR'

// @types/node lacks this encoding of `opendir`.
const asBytes = { encoding: 'buffer' as BufferEncoding }

/**
 * The paths of all entries below a folder, without following links: a customer's link may lead
 * anywhere. As bytes, because programs may choose names that are not UTF-8, which no string names.
 */
export async function* walkFolder(folder: string): AsyncGenerator<Buffer> {
  const folders = [Buffer.from(folder)]
  for (let next = folders.pop(); next !== undefined; next = folders.pop())
    try {
      for await (const entry of await opendir(next, asBytes)) {
        const { name } = entry as unknown as Dirent<Buffer>
        const path = Buffer.concat([next, separator, name])
        if (entry.isDirectory()) folders.push(path)
        yield path
      }
    } catch (error) {
      if (!isGone(error as NodeJS.ErrnoException)) throw error
    }
}
