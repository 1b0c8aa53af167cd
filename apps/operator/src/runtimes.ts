import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Client } from '@slipway/contract/client'
import {
  addRuntimeVersion,
  type RuntimeVersion,
  type VersionedRuntime,
} from '@slipway/contract/runtimes'
import { type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError } from '@slipway/terminal/command-error'
import { pack } from 'tar-stream'
import { openPromise } from 'yauzl'

export type WordPressFiles = {
  /** wordpress.org's zip, or the folder of an installed package. */
  archive: string
  /** The plugin `sqlite-database-integration`: a zip or a folder. */
  sqlite: string
  /** The expected SHA-256 of the archive. */
  sha256: string | undefined
}

type Entry = { path: string; size: number; open(): Promise<Readable> }
type Source = { entries: Entry[]; close(): void }

/** The folder in which WordPress finds the plugin. */
const sqliteFolder = 'wp-content/plugins/sqlite-database-integration/'

/** Files with the settings of one site, which a version for all sites must not have. */
const settingsFiles = new Set(['wp-config.php', '.htaccess'])

async function readZip(path: string): Promise<Source> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const entries: Entry[] = []
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize } = entry
    if (fileName.endsWith('/')) continue
    const open = () => zip.openReadStreamPromise(entry)
    entries.push({ path: fileName, size: uncompressedSize, open })
  }
  return { entries: withoutOuterFolder(entries), close: () => zip.close() }
}

/** Removes the outer folder of an archive that has only one. */
function withoutOuterFolder(entries: readonly Entry[]): Entry[] {
  const outerFolder = `${entries[0]?.path.split('/')[0]}/`
  return entries.every(({ path }) => path.startsWith(outerFolder))
    ? entries.map((entry) => ({ ...entry, path: entry.path.slice(outerFolder.length) }))
    : [...entries]
}

/** Follows links: Debian's package links to files of other packages. */
async function readFolder(root: string): Promise<Source> {
  const entries: Entry[] = []
  async function visit(folder: string) {
    for (const name of await readdir(folder)) {
      const absolute = join(folder, name)
      const stats = await stat(absolute)
      if (stats.isDirectory()) await visit(absolute)
      else if (stats.isFile())
        entries.push({
          path: relative(root, absolute).split(sep).join('/'),
          size: stats.size,
          open: async () => createReadStream(absolute),
        })
    }
  }
  await visit(root)
  return { entries, close: () => undefined }
}

const readSource = async (path: string): Promise<Source> =>
  (await stat(path)).isDirectory() ? readFolder(path) : readZip(path)

async function checkDigest(path: string, expected: string, locale: Locale) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const digest = hash.digest('hex')
  if (digest !== expected.toLowerCase())
    throw new CommandError(m.operator_digest_differs({ digest }, { locale }))
}

/** Packs the entries, so that the same files make the same archive. */
async function packEntries(entries: readonly Entry[], archive: string) {
  const tar = pack()
  const written = pipeline(
    tar as unknown as NodeJS.ReadableStream,
    createGzip(),
    createWriteStream(archive),
  )
  for (const { path: name, size, open } of entries) {
    const entry = tar.entry({ name, size, mtime: new Date(0) })
    await pipeline(await open(), entry as unknown as NodeJS.WritableStream)
  }
  tar.finalize()
  await written
}

const themeStyle = /^wp-content\/themes\/[^/]+\/style\.css$/

/** Packs WordPress and its SQLite plugin as one version. */
async function packWordPress({ archive, sqlite }: WordPressFiles, target: string, locale: Locale) {
  const [core, plugin] = [await readSource(archive), await readSource(sqlite)]
  try {
    const isWordPress = core.entries.some(({ path }) => path === 'wp-settings.php')
    if (isWordPress && !core.entries.some(({ path }) => themeStyle.test(path)))
      throw new CommandError(m.operator_runtime_no_theme({ file: archive }, { locale }))
    const entries = [
      ...core.entries.filter(
        ({ path }) => !settingsFiles.has(path) && !path.startsWith(sqliteFolder),
      ),
      ...plugin.entries.map((entry) => ({ ...entry, path: sqliteFolder + entry.path })),
    ]
    await packEntries(
      entries.sort((a, b) => (a.path < b.path ? -1 : 1)),
      target,
    )
  } finally {
    core.close()
    plugin.close()
  }
}

/**
 * Adds a version of WordPress. Throws a `CommandError` for an archive with another digest, for
 * files that are not WordPress, and for WordPress without a theme.
 */
export async function addWordPress(
  call: Client,
  runtime: VersionedRuntime,
  files: WordPressFiles,
  locale: Locale,
): Promise<RuntimeVersion> {
  if (files.sha256 !== undefined) await checkDigest(files.archive, files.sha256, locale)
  const folder = await mkdtemp(join(tmpdir(), 'slipway-runtime-'))
  try {
    const archive = join(folder, 'wordpress.tar.gz')
    await packWordPress(files, archive, locale)
    const body = await openAsBlob(archive, { type: 'application/gzip' })
    // Replaces the timeout of other calls: the service responds when it has unpacked all files.
    const { signal } = new AbortController()
    return await call(addRuntimeVersion, { params: { runtime }, body }, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT')
      throw new CommandError(
        m.operator_file_missing(
          { file: String((error as NodeJS.ErrnoException).path) },
          { locale },
        ),
        { cause: error },
      )
    if (!isApiError(error, 'runtime_version_invalid')) throw error
    throw new CommandError(m.operator_runtime_invalid({}, { locale }), { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
