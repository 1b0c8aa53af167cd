import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createArtifactLayout } from '../artifacts/artifact-layout.ts'
import { createArtifactStore } from '../artifacts/artifact-store.ts'
import { wordPressCache as cache, downloadSqlite } from '../demo/demo.sqlite.ts'
import { unzip } from './archives.ts'
import { hasDebianPackage } from './debian-package.ts'
import { hasPhpFpm } from './has-php-fpm.ts'

const run = promisify(execFile)

const limits = { archiveBytes: 1e9, unpackedBytes: 1e9, files: 50_000 }

const versionFile = 'wp-includes/version.php'
const debianFolder = '/usr/share/wordpress'

/** Debian's WordPress and the SQLite integration, for the operator's command. */
export type WordPressSources = { core: string; sqlite: string }

/** Null, with a message that has the reason, on a machine that cannot have WordPress. */
export async function findWordPress(): Promise<WordPressSources | null> {
  const packages =
    'wordpress wordpress-theme-twentytwentythree php8.2-sqlite3 php8.2-gd php8.2-xml php8.2-mbstring php8.2-zip php8.2-curl'
  if (!(await hasPhpFpm())) return null
  if (!(await hasDebianPackage(`${debianFolder}/wp-settings.php`, packages))) return null
  try {
    return { core: debianFolder, sqlite: await downloadSqlite() }
  } catch (error) {
    process.stdout.write(`Tests of WordPress are skipped: ${(error as Error).message}\n`)
    return null
  }
}

/**
 * The artifact of WordPress, unpacked once; `install` links it into a data folder. `edit` changes
 * the file with its version.
 */
export async function wordPressArtifact(
  { core, sqlite }: WordPressSources,
  edit: (text: string) => string = (text) => text,
) {
  const store = createArtifactStore(cache, limits)
  const version = edit(await readFile(join(core, versionFile), 'utf8'))
  const id = createHash('sha256').update(version).digest('hex').slice(0, 8)
  const archive = join(cache, `wordpress-${id}.tar.gz`)
  if (!existsSync(archive)) await packWordPress(core, sqlite, version, archive)
  const { digest, endReservation } = await store.receive(createReadStream(archive))
  await store.unpack(digest).finally(endReservation)
  return {
    digest,
    archive,
    async install(dataDir: string) {
      const target = createArtifactLayout(dataDir)
      await mkdir(target.incoming, { recursive: true })
      // A running server removes artifacts without a row, so it must not see an unfinished copy.
      const copy = join(target.incoming, `${randomUUID()}.unpacked`)
      await run('cp', ['-a', createArtifactLayout(cache).artifact(digest).folder, copy])
      await rename(copy, target.artifact(digest).folder)
    },
  }
}

async function packWordPress(core: string, sqlite: string, version: string, archive: string) {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-wordpress-'))
  const plugin = 'wp-content/plugins/sqlite-database-integration'
  try {
    for (const [name, content] of Object.entries(unzip(await readFile(sqlite)))) {
      const path = join(folder, plugin, name.split('/').slice(1).join('/'))
      if (name.endsWith('/')) continue
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
    }
    await mkdir(join(folder, dirname(versionFile)))
    await writeFile(join(folder, versionFile), version)
    const excluded = ['wp-config.php', '.htaccess', versionFile].map(
      (path) => `--exclude=./${path}`,
    )
    const args = [
      '-chzf',
      `${archive}.${process.pid}`,
      // Two processes that pack the same version get the same archive.
      '--sort=name',
      '--mtime=@0',
      ...excluded,
      '-C',
      core,
      '.',
      '-C',
      folder,
      plugin,
      versionFile,
    ]
    await run('tar', args)
    await rename(`${archive}.${process.pid}`, archive)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
