import { execFile } from 'node:child_process'
import { createReadStream, existsSync, globSync, openAsBlob, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addRuntimeVersion } from '@slipway/contract/runtimes'
import { createArtifactStore } from '../artifacts/artifact-store.ts'
import { root } from '../root.ts'
import type { DemoContext } from './demo.context.ts'
import { operator } from './demo.people.ts'
import { downloadSqlite, wordPressCache } from './demo.sqlite.ts'

const run = promisify(execFile)

/** Zips or folders: WordPress, and its plugin SQLite Database Integration. */
export type WordPressFiles = { core: string; sqlite: string }
/** Files of the command line; without a plugin it is downloaded. */
export type WordPressOptions = { core: string; sqlite: string | undefined }

/** The folder of WordPress in Debian's package. */
export const installedWordPress = '/usr/share/wordpress'

/** The files of WordPress for the demo, or one line that says what is missing. */
export async function findWordPressFiles(
  { core, sqlite }: WordPressOptions,
  print: (line: string) => void,
  cache = wordPressCache,
): Promise<WordPressFiles | string> {
  if (!existsSync(core)) return `There is no ${core}: apt install wordpress, or --wordpress <zip>.`
  if (
    statSync(core).isDirectory() &&
    globSync('wp-content/themes/*/style.css', { cwd: core }).length === 0
  )
    return `${core} has no theme: apt install wordpress-theme-twentytwentythree.`
  if (sqlite !== undefined) return existsSync(sqlite) ? { core, sqlite } : `There is no ${sqlite}.`
  try {
    return { core, sqlite: await downloadSqlite(print, cache) }
  } catch (error) {
    // The command, and the first line of npm. The others name its log.
    const reason = (error as Error).message.split('\n').slice(0, 2).join(' ').trim()
    return `Its plugin could not be downloaded (${reason}): --sqlite <zip> (docs/runtimes.md).`
  }
}

/** Writes the content of a demo project's WordPress, which has it once it is installed. */
export async function writeDemoWordPress(data: string): Promise<void> {
  const content = join(data, 'wp-content')
  await mkdir(content, { recursive: true })
  await cp(
    join(root, 'apps/server/src/demo/apps/old-town-walks/install.php'),
    join(content, 'install.php'),
  )
}

const limits = { archiveBytes: 1e9, unpackedBytes: 1e9, files: 50_000 }

/** The folder of these files; a zip is unpacked below `scratch`. */
async function folderOf(path: string, scratch: string): Promise<string> {
  if ((await stat(path)).isDirectory()) return path
  const store = createArtifactStore(scratch, limits)
  const { digest, endReservation } = await store.receive(createReadStream(path))
  await store.unpack(digest).finally(endReservation)
  return store.filesOf(digest).files
}

/** Adds a version of WordPress, as operators do by `runtime add`. */
export async function addWordPress(
  demo: DemoContext,
  { core, sqlite }: WordPressFiles,
): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'slipway-demo-wordpress-'))
  try {
    const plugin = 'wp-content/plugins/sqlite-database-integration'
    const files = join(scratch, 'files')
    await mkdir(join(files, 'wp-content/plugins'), { recursive: true })
    await cp(await folderOf(sqlite, scratch), join(files, plugin), { recursive: true })
    const archive = join(scratch, 'wordpress.tar.gz')
    // Debian's package has links into other packages, hence `-h`.
    await run('tar', [
      ...['-chzf', archive, '--exclude=./wp-config.php', '--exclude=./.htaccess'],
      ...['-C', await folderOf(core, scratch), '.', '-C', files, plugin],
    ])
    const body = await openAsBlob(archive, { type: 'application/gzip' })
    const call = await demo.as(operator)
    await call(addRuntimeVersion, { params: { runtime: 'wordpress' }, body })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
