import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nullIfMissing } from '../file-errors.ts'
import { root } from '../root.ts'

const run = promisify(execFile)

/** WordPress's own SQLite integration, GPL-2.0, as the WordPress project publishes it on npm. */
const sqlitePackage = '@wp-playground/wordpress-builds@0.9.19'
const sqlitePath = 'package/src/sqlite-database-integration/sqlite-database-integration.zip'
const sqliteDigest = 'fd6f40639954a24161f465620837326a75e0bb43029f9e734e64418d991001b2'

/** Files of WordPress for the demo and the tests. */
export const wordPressCache = join(root, 'node_modules/.cache/slipway-wordpress')

const packOptions = ['--loglevel=error', '--fetch-retries=0']
/** The package has 160 MB. */
const timeoutMs = 600_000

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/**
 * The zip of the SQLite integration, downloaded once. Throws when npm cannot download the package,
 * and when the zip has another digest.
 */
export async function downloadSqlite(
  print: (line: string) => void = () => undefined,
  cache = wordPressCache,
): Promise<string> {
  const zip = join(cache, 'sqlite-database-integration.zip')
  const cached = await nullIfMissing(readFile(zip))
  if (cached && digestOf(cached) === sqliteDigest) return zip
  print(`Downloading the SQLite plugin of WordPress, about 160 MB, once: ${sqlitePackage} ...`)
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'slipway-sqlite-'))
  try {
    const options = { cwd: folder, timeout: timeoutMs }
    const { stdout } = await run('npm', ['pack', ...packOptions, sqlitePackage], options)
    await run('tar', ['-xzf', stdout.trim(), sqlitePath], { cwd: folder })
    const content = await readFile(join(folder, sqlitePath))
    const digest = digestOf(content)
    if (digest !== sqliteDigest) throw new Error(`another digest: ${digest}`)
    await writeFile(`${zip}.${process.pid}`, content)
    await rename(`${zip}.${process.pid}`, zip)
    return zip
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
