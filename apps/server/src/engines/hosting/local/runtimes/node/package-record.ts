import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { nullIfMissing } from '../../../../../file-errors.ts'
import { readSmallFile } from '../../../../../read-small-file.ts'
import { writeFileAtomic } from '../../files/atomic-file.ts'

const run = promisify(execFile)

/** In the order in which npm reads them. */
const lockFiles = ['npm-shrinkwrap.json', 'package-lock.json']

/** Scripts of the app that `npm ci` runs. */
const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
]

// Files match these schemas only if the lock file alone decides what is installed: without
// workspaces, packages that have install scripts, and links to folders.
const packageJsonSchema = z.object({
  scripts: z.record(z.string(), z.unknown()).optional(),
  workspaces: z.undefined().optional(),
})

const lockFileSchema = z.object({
  lockfileVersion: z.number().min(2),
  packages: z.record(
    z.string(),
    z.object({
      hasInstallScript: z.literal(false).optional(),
      link: z.literal(false).optional(),
      resolved: z.string().optional(),
    }),
  ),
})

/** Parsing a larger file would block the server for seconds. */
const maxFileBytes = 2 * 2 ** 20

const readText = (folder: string, name: string) =>
  nullIfMissing(readSmallFile(join(folder, name), maxFileBytes))

const parse = (text: string | null | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/**
 * A digest of the inputs that decide which packages `npm ci` installs. Null if the packages depend
 * on more than the lock file: on scripts, which may read the app's files, or on packages in them.
 * Also null for files that are too large to read.
 */
export async function digestPackages(folder: string): Promise<string | null> {
  const texts = await Promise.all(
    ['package.json', '.npmrc', 'binding.gyp', ...lockFiles].map((name) => readText(folder, name)),
  )
  if (texts.includes(undefined)) return null
  const [packageText, npmrc, gyp, ...locks] = texts
  const packageJson = packageJsonSchema.safeParse(parse(packageText)).data
  const lock = lockFileSchema.safeParse(parse(locks.find((text) => text !== null))).data
  // For a binding.gyp npm runs `node-gyp rebuild`.
  if (!packageJson || !lock || gyp !== null) return null
  if (installScripts.some((name) => packageJson.scripts?.[name] !== undefined)) return null
  const isLocal = ({ resolved = '' }) => resolved.startsWith('file:')
  if (Object.values(lock.packages).some(isLocal)) return null
  return createHash('sha256')
    .update(JSON.stringify([packageText, npmrc, locks]))
    .digest('hex')
}

const record = z.object({ packages: z.string(), build: z.string() })

/** Stores the digest of the packages in the folder of a build, for the next release of its site. */
export const recordPackages = (path: string, packages: string, build: string): Promise<void> =>
  writeFileAtomic(path, JSON.stringify({ packages, build }), { mode: 0o600 })

/** The earlier build of the site with the same packages; null without one. */
export async function findBuild(path: string, packages: string): Promise<string | null> {
  const { data } = record.safeParse(parse(await nullIfMissing(readFile(path, 'utf8'))))
  return data?.packages === packages ? data.build : null
}

/**
 * Gives an app the packages of an earlier build, as hard links: sites can write neither. False when
 * it fails, for example because the earlier build has been deleted.
 */
export async function linkPackages(build: string, app: string): Promise<boolean> {
  return run('cp', ['-al', join(build, 'node_modules'), join(app, 'node_modules')]).then(
    () => true,
    () => false,
  )
}
