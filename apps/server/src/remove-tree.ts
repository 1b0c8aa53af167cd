import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Deletes a file, or a folder with all that is in it. Idempotent. A customer's program can store
 * hundreds of thousands of files, and nest folders deeper than a path may be long. `rm` walks from
 * folder to folder in little memory; Node would start all deletions of a folder at once.
 */
export const removeTree = async (path: string): Promise<void> => {
  if (process.platform === 'win32') await rm(path, { recursive: true, force: true })
  else await run('rm', ['-rf', '--', path], { env: { PATH: process.env.PATH } })
}
