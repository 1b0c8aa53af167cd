import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { nullIfMissing } from '../files/file-errors.ts'

/** Opens a site's log for its process. The caller closes it. */
export const openSiteLog = (path: string): Promise<FileHandle> =>
  // O_APPEND: after a cut the site writes at the new end.
  open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)

const tailBytes = 4_000
const tailLines = 30

/** The last lines of a log; empty for one that is not there. */
export const readLogTail = async (path: string): Promise<string> => {
  const log = await nullIfMissing(open(path, 'r'))
  if (!log) return ''
  try {
    const { size } = await log.stat()
    const length = Math.min(size, tailBytes)
    const { buffer } = await log.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8').trimEnd().split('\n').slice(-tailLines).join('\n')
  } finally {
    await log.close()
  }
}
