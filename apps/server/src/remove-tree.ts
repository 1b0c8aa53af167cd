import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Deletes a file, or a folder with all that is in it. Idempotent. A customer's program can nest
 * folders deeper than a path may be long; those need `rm`, which walks from folder to folder.
 */
export const removeTree = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG') throw error
    await run('rm', ['-rf', '--', path], { env: { PATH: process.env.PATH } })
  }
}
