import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
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
import { openPromise, type Entry as ZipEntry, type ZipFile } from 'yauzl'

export type WordPressFiles = {
  /** wordpress.org's zip, or the folder of an installed package. */
  archive: string
  /** The plugin `sqlite-database-integration`: a zip or a folder. */
  sqlite: string
  /** The expected SHA-256 of the archive. */
  sha256: string | undefined
}

type Entry = { path: string; size: number; read(): AsyncIterable<Uint8Array> }
type Source = { entries: Entry[]; close(): void }

/** The folder in which WordPress finds the plugin. */
const sqliteFolder = 'wp-content/plugins/sqlite-database-integration/'

/** Files with the settings of one site, which a version for all sites must not have. */
const settingsFiles = new Set(['wp-config.php', '.htaccess'])

const invalid = (locale: Locale, cause: unknown) =>
  new CommandError(m.operator_runtime_invalid({}, { locale }), { cause })

/** The error of an archive that is damaged or no zip; others, such as a full disk, as they are. */
const zipError = (error: unknown, locale: Locale) =>
  error instanceof Error && !('syscall' in error) ? invalid(locale, error) : error

async function readZip(path: string, locale: Locale): Promise<Source> {
  try {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize } = entry
      if (fileName.endsWith('/')) continue
      const read = () => readZipEntry(zip, entry, locale)
      entries.push({ path: fileName, size: uncompressedSize, read })
    }
    return { entries: withoutOuterFolder(entries), close: () => zip.close() }
  } catch (error) {
    throw zipError(error, locale)
  }
}

async function* readZipEntry(zip: ZipFile, entry: ZipEntry, locale: Locale) {
  try {
    yield* await zip.openReadStreamPromise(entry)
  } catch (error) {
    throw zipError(error, locale)
  }
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
          read: () => createReadStream(absolute),
        })
    }
  }
  await visit(root)
  return { entries, close: () => undefined }
}

const isFolder = async (path: string) => (await stat(path)).isDirectory()

const readSource = async (path: string, locale: Locale): Promise<Source> =>
  (await isFolder(path)) ? readFolder(path) : readZip(path, locale)

async function checkDigest(path: string, expected: string, locale: Locale) {
  if (await isFolder(path))
    throw new CommandError(m.operator_digest_of_folder({ file: path }, { locale }))
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
  // A failed entry fails this, too; the loop throws the error.
  written.catch(() => undefined)
  for (const { path: name, size, read } of entries) {
    const entry = tar.entry({ name, size, mtime: new Date(0) })
    await pipeline(read(), entry as unknown as NodeJS.WritableStream)
  }
  tar.finalize()
  await written
}

const themeStyle = /^wp-content\/themes\/[^/]+\/style\.css$/

/** Packs WordPress and its SQLite plugin as one version. */
async function packWordPress({ archive, sqlite }: WordPressFiles, target: string, locale: Locale) {
  const [core, plugin] = [await readSource(archive, locale), await readSource(sqlite, locale)]
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
 * Adds a version of WordPress. Throws a `CommandError` for a missing file, an archive with another
 * digest, a digest of a folder, files that are not WordPress, and WordPress without a theme.
 */
export async function addWordPress(
  call: Client,
  runtime: VersionedRuntime,
  files: WordPressFiles,
  locale: Locale,
): Promise<RuntimeVersion> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-runtime-'))
  try {
    if (files.sha256 !== undefined) await checkDigest(files.archive, files.sha256, locale)
    const archive = join(folder, 'wordpress.tar.gz')
    await packWordPress(files, archive, locale)
    const body = await openAsBlob(archive, { type: 'application/gzip' })
    // A signal that never aborts turns off the timeout: the service responds once it has unpacked
    // all files.
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
    throw invalid(locale, error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
