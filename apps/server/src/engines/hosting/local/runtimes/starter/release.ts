import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { nullIfMissing } from '../../../../../file-errors.ts'
import { findSitePackages } from './site-packages.ts'

const run = promisify(execFile)

/**
 * An immutable copy of the site's code and packages, so that an upgrade does not affect running
 * sites.
 */
export type Release = {
  id: string
  version: string
  folder: string
  main: string
}

// Beside this file, in the sources and in the build.
const packer = join(import.meta.dirname, `pack-site${extname(import.meta.filename)}`)

const hashSources = async (source: string): Promise<string> => {
  const hash = createHash('sha256').update(process.version)
  hash.update(await readFile(packer))
  hash.update(await readFile(join(source, 'package.json')))
  for (const { name, version } of await findSitePackages(source))
    hash.update(`\0${name}@${version}`)
  const src = join(source, 'src')
  const names = (await readdir(src, { recursive: true })).sort()
  for (const name of names) {
    if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue
    hash.update(`\0${name}\0`).update(await readFile(join(src, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * Packs the site's code (a folder with `package.json` and `src/main.ts`) into `releases`, unless
 * that release exists. If killed, it leaves a folder that `deleteOldReleases` deletes.
 */
export const installRelease = async (
  node: string,
  source: string,
  releases: string,
): Promise<Release> => {
  const id = await hashSources(source)
  const folder = join(releases, id)
  const manifest = join(folder, 'package.json')
  if ((await nullIfMissing(readFile(manifest))) === null) {
    const temporary = `${folder}.${randomUUID()}`
    await mkdir(releases, { recursive: true })
    await chmod(releases, 0o711)
    // Type stripping prints an experimental warning, which a separate process can disable.
    await run(node, ['--disable-warning=ExperimentalWarning', packer, source, temporary])
    await rename(temporary, folder).catch(async (error: NodeJS.ErrnoException) => {
      // Another process has packed the same release first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
      await rm(temporary, { recursive: true })
    })
  }
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  return { id, version, folder, main: join(folder, 'src', 'main.js') }
}

export const deleteOldReleases = async (
  releases: string,
  inUse: ReadonlySet<string>,
): Promise<void> => {
  const names = await readdir(releases)
  const old = names.filter((name) => !inUse.has(name))
  await Promise.all(old.map((name) => rm(join(releases, name), { recursive: true, force: true })))
}
