import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { listExtensions } from './php-extensions.ts'

export type PhpFpm = { path: string; version: string }

const folders = ['/usr/local/sbin', '/usr/sbin']
const fpmName = /^php-fpm(?:\d+\.\d+)?$/

const namesIn = (folder: string) => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const versionOf = (path: string): string | null => {
  try {
    const [, version] =
      /^PHP (\d+\.\d+\.\d+)/.exec(execFileSync(path, ['-v'], { encoding: 'utf8' })) ?? []
    return version ?? null
  } catch {
    return null
  }
}

/** The newest php-fpm of this machine; Debian's name has the version, such as `php-fpm8.2`. */
export function findPhpFpm(): PhpFpm | null {
  const programs = folders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => fpmName.test(name))
      .flatMap((name) => {
        const path = join(folder, name)
        const version = versionOf(path)
        return version === null ? [] : [{ path, version }]
      }),
  )
  const byVersion = (a: PhpFpm, b: PhpFpm) =>
    b.version.localeCompare(a.version, 'en', { numeric: true })
  return programs.sort(byVersion)[0] ?? null
}

/** The programs of a machine for PHP sites. */
export type PhpPrograms = {
  fpm: PhpFpm | null
  /** socat carries connections out of the sandbox (start.sh). */
  hasSocat: boolean
  extensions: ReadonlySet<string>
}

const socat = ['/usr/bin/socat', '/usr/local/bin/socat']

export async function findPhpPrograms(): Promise<PhpPrograms> {
  const fpm = findPhpFpm()
  return {
    fpm,
    hasSocat: socat.some((path) => existsSync(path)),
    extensions: fpm ? await listExtensions(fpm) : new Set(),
  }
}
