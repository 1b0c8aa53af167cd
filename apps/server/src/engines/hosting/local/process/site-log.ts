import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'

/** Opens a site's log for its process. The caller closes it. */
export const openSiteLog = (path: string): Promise<FileHandle> =>
  // O_APPEND: after a truncation the site writes at the new end.
  open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)

/**
 * Truncates a log larger than `limit` bytes after copying its last `limit` bytes to `<log>.1`.
 * Between two runs, only the process's file size limit bounds the log.
 */
export const truncateSiteLog = async (path: string, limit: number): Promise<void> => {
  const { size } = await stat(path)
  if (size <= limit) return
  const log = await open(path, 'r+')
  try {
    const tail = Buffer.alloc(limit)
    const { bytesRead } = await log.read(tail, 0, limit, size - limit)
    const older = await open(`${path}.1`, 'w', 0o600)
    try {
      await older.writeFile(tail.subarray(0, bytesRead))
    } finally {
      await older.close()
    }
    await log.truncate(0)
  } finally {
    await log.close()
  }
}
