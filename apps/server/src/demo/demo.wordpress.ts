import { execFile } from 'node:child_process'
import { createReadStream, existsSync, globSync, openAsBlob, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addRuntimeVersion } from '@slipway/contract/runtimes'
import { createArtifactStore } from '../artifacts/artifact-store.ts'
import type { DemoContext } from './demo.context.ts'
import { operator } from './demo.people.ts'

const run = promisify(execFile)

/** Zips or folders: WordPress, and its plugin SQLite Database Integration. */
export type WordPressFiles = { core: string; sqlite: string | undefined }

/** The folder of WordPress in Debian's package. */
export const installedWordPress = '/usr/share/wordpress'

/** The part that the files lack for WordPress in the demo; null for a complete one. */
export function missingFiles({ core, sqlite }: WordPressFiles): string | null {
  if (!existsSync(core)) return `There is no ${core}: apt install wordpress, or --wordpress <zip>.`
  if (
    statSync(core).isDirectory() &&
    globSync('wp-content/themes/*/style.css', { cwd: core }).length === 0
  )
    return `${core} has no theme: apt install wordpress-theme-twentytwentythree.`
  if (sqlite === undefined) return 'Its plugin is missing: --sqlite <zip> (docs/runtimes.md).'
  return existsSync(sqlite) ? null : `There is no ${sqlite}.`
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
  { core, sqlite = '' }: WordPressFiles,
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
