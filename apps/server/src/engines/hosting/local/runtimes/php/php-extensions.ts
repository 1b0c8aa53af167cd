import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { PhpFpm } from './find-php.ts'

const run = promisify(execFile)

/** The extensions that php-fpm loads, in lower case. */
export async function listExtensions({ path }: PhpFpm): Promise<ReadonlySet<string>> {
  const { stdout } = await run(path, ['-m'])
  return new Set(stdout.toLowerCase().split(/\s+/))
}

export async function sqliteVersionOf({ path }: PhpFpm): Promise<string | null> {
  const { stdout } = await run(path, ['-i'], { maxBuffer: 16 * 2 ** 20 })
  const [, version] = /^SQLite Library => ([\d.]+)/m.exec(stdout) ?? []
  return version ?? null
}
