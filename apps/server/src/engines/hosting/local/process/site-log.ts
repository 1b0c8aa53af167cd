import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { nullIfMissing } from '../../../../file-errors.ts'

/** Opens a site's log for its process. The caller closes it. */
export const openSiteLog = (path: string): Promise<FileHandle> =>
  // O_APPEND: after a cut the site writes at the new end.
  open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)

const tailBytes = 16_000
const tailLines = 30
const maxTailLength = 4_000

/** The lines in the last bytes of a log; none for a log that does not exist. */
const readLastLines = async (path: string): Promise<string[]> => {
  const log = await nullIfMissing(open(path, 'r'))
  if (!log) return []
  try {
    const { size } = await log.stat()
    const length = Math.min(size, tailBytes)
    const { buffer } = await log.read(Buffer.alloc(length), 0, length, size - length)
    const lines = buffer.toString('utf8').trimEnd().split('\n')
    // The first line may be cut off at its start.
    if (length < size && lines.length > 1) lines.shift()
    return lines
  } finally {
    await log.close()
  }
}

/**
 * The last lines of a log, each once, because a program repeats its error at each health check.
 * Empty for a log that does not exist.
 */
export const readLogTail = async (path: string): Promise<string> => {
  const lines = await readLastLines(path)
  const lastOfEach = [...new Set(lines.reverse())].reverse()
  return lastOfEach.slice(-tailLines).join('\n').slice(-maxTailLength)
}

/** The last output of V8 and PHP when a program needs more memory than they give it. */
const memoryErrors = /JavaScript heap out of memory|Allowed memory size of \d+ bytes exhausted/

/** True if the log reports that the program ran out of memory. */
export const tellsOutOfMemory = async (path: string): Promise<boolean> =>
  (await readLastLines(path)).some((line) => memoryErrors.test(line))
