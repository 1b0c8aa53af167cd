import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfMissing } from '../../../../../file-errors.ts'
import { findPhpPrograms, type PhpPrograms } from '../php/find-php.ts'
import { sqliteVersionOf } from '../php/php-extensions.ts'
import { installPhpFiles, missingForPhp, phpProgram } from '../php/php-program.ts'
import type { LocalRuntime, Machine } from '../runtime.ts'
import { requestWordPress, runWordPressCron } from './requests.ts'

type Prepared = {
  machine: Machine
  programs: PhpPrograms
  sqliteVersion: string | null
  phpFiles: string
}

/** Where the archive has the SQLite integration (`npm run operator -- runtime add`). */
const sqlitePlugin = 'wp-content/plugins/sqlite-database-integration'
/** Files of every WordPress, and of its SQLite plugin. */
const required = [
  'wp-settings.php',
  'wp-includes/version.php',
  `${sqlitePlugin}/wp-includes/sqlite/db.php`,
]

async function readVersion(folder: string): Promise<string | null> {
  for (const path of required) await readFile(join(folder, path))
  const text = await readFile(join(folder, 'wp-includes/version.php'), 'utf8')
  const [, version] = /^\$wp_version\s*=\s*'([\w.-]{1,40})';/m.exec(text) ?? []
  return version ?? null
}

const wordPressVersion = (folder: string) => nullIfMissing(readVersion(folder))

/** True if the archive has a theme: without one every page of a new site is blank. */
async function hasTheme(folder: string): Promise<boolean> {
  const themes = join(folder, 'wp-content/themes')
  for (const name of (await nullIfMissing(readdir(themes))) ?? [])
    if (existsSync(join(themes, name, 'style.css'))) return true
  return false
}

/** WordPress in a version that the operator added. Each site has its own database. */
export function createWordPressRuntime(
  findPrograms: () => Promise<PhpPrograms> = findPhpPrograms,
): LocalRuntime {
  let prepared: Prepared | undefined

  return {
    id: 'wordpress',
    serving: 'fastcgi',
    needsRelease: true,

    async prepare(machine) {
      const programs = await findPrograms()
      const { fpm } = programs
      prepared = {
        machine,
        programs,
        sqliteVersion: fpm ? await sqliteVersionOf(fpm) : null,
        phpFiles: await installPhpFiles(machine.layout, ['php', 'wordpress/files']),
      }
    },

    async detect() {
      if (!prepared) return { version: null, reason: 'no_php' }
      const { machine, programs } = prepared
      const reason = missingForPhp(machine, programs)
      if (reason !== null) return { version: null, reason }
      const hasSqlite = programs.extensions.has('pdo_sqlite')
      return { version: null, reason: hasSqlite ? null : 'no_php_sqlite' }
    },

    // The files of WordPress come from the operator.
    check: async () => ({ failure: 'runtime_has_no_releases' }),
    versionOf: async (folder) => ((await hasTheme(folder)) ? wordPressVersion(folder) : null),

    async launch(site) {
      const fpm = prepared?.programs.fpm
      if (!prepared || !fpm) throw new Error('This machine has no php-fpm')
      const { machine, phpFiles, sqliteVersion } = prepared
      const { instance, artifact } = site
      const core = artifact?.files ?? ''
      const version = await wordPressVersion(core)
      return phpProgram(site, fpm, phpFiles, {
        certificates: machine.certificates,
        version: [version, sqliteVersion, fpm.version].join('/'),
        readable: {
          '/wp-config.php': join(phpFiles, 'wp-config.php'),
          '/sqlite': join(core, sqlitePlugin),
        },
        env: {
          SLIPWAY_NAME: instance.name,
          SLIPWAY_VERSION: instance.artifact ?? '',
          SLIPWAY_HOST: instance.hosts[0] ?? 'localhost',
          SLIPWAY_ISSUER: instance.signIn.issuer,
          SLIPWAY_CLIENT_ID: instance.signIn.clientId,
          SLIPWAY_CLIENT_SECRET: instance.signIn.clientSecret,
        },
      })
    },

    probe: { path: '/', isHealthy: (status) => status < 500 },
    restartsHanging: false,

    // The first request installs the site; the first one of a new version updates it.
    requestStatus: async (socketPath, instance, signal) =>
      (await requestWordPress({ path: socketPath }, '/slipway/health.php', instance, signal))
        ?.status ?? null,

    background: (socketPath, instance, signal) =>
      runWordPressCron({ path: socketPath }, instance, signal),

    metadata(version) {
      const [wordPress, sqlite, php] = version?.split('/') ?? []
      if (wordPress === undefined) return []
      return [
        { key: 'cms_version', value: `WordPress ${wordPress}` },
        { key: 'database_version', value: `SQLite ${sqlite}` },
        { key: 'runtime_version', value: `PHP ${php}` },
      ]
    },
  }
}
