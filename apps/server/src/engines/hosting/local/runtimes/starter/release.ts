import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nullIfMissing } from '../../../../../file-errors.ts'

/** An immutable copy of the site's bundle, so that an upgrade does not affect running sites. */
export type Release = {
  id: string
  version: string
  folder: string
  main: string
}

const bundle = 'dist'
const manifestFile = 'package.json'

/** The files of a release by their path: the bundle, and last the manifest. */
async function readBundle(source: string) {
  const entries = await readdir(join(source, bundle), { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1))
    .sort()
  const files = new Map<string, Buffer>()
  for (const path of [...paths, manifestFile]) files.set(path, await readFile(join(source, path)))
  return files
}

function digestOf(files: ReadonlyMap<string, Buffer>) {
  const hash = createHash('sha256')
  for (const [path, content] of files) hash.update(`\0${path}\0${content.length}\0`).update(content)
  return hash.digest('hex').slice(0, 16)
}

/** Every user of a site may read the files, with any umask of the server. */
async function writeShared(folder: string, files: ReadonlyMap<string, Buffer>) {
  for (const [path, content] of files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await chmod(dirname(file), 0o755)
    await writeFile(file, content)
    await chmod(file, 0o644)
  }
}

/**
 * Copies the bundle of the site in the folder `source`, which `npm run build` makes, into
 * `releases`, unless that release exists. If killed, it leaves a folder that `deleteOldReleases`
 * deletes.
 */
export async function installRelease(source: string, releases: string): Promise<Release> {
  const files = await readBundle(source)
  const id = digestOf(files)
  const folder = join(releases, id)
  const manifest = join(folder, manifestFile)
  if ((await nullIfMissing(readFile(manifest))) === null) {
    const temporary = `${folder}.${randomUUID()}`
    await mkdir(releases, { recursive: true })
    await chmod(releases, 0o711)
    await writeShared(temporary, files)
    await rename(temporary, folder).catch(async (error: NodeJS.ErrnoException) => {
      // Another process has installed the same release first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      await rm(temporary, { recursive: true })
    })
  }
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  return { id, version, folder, main: join(folder, bundle, 'main.js') }
}

/** Deletes the releases that no site uses, and what a killed installation left. */
export const deleteOldReleases = async (
  releases: string,
  inUse: ReadonlySet<string>,
): Promise<void> => {
  const names = await readdir(releases)
  const old = names.filter((name) => !inUse.has(name))
  await Promise.all(old.map((name) => rm(join(releases, name), { recursive: true, force: true })))
}
