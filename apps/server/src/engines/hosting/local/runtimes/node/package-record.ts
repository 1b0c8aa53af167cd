import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { nullIfMissing } from '../../../../../file-errors.ts'
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

const packageJson = z.object({
  scripts: z.record(z.string(), z.unknown()).optional(),
  workspaces: z.undefined().optional(),
})

const lockFile = z.object({
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

const readText = (folder: string, name: string) =>
  nullIfMissing(readFile(join(folder, name), 'utf8'))

const parse = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/**
 * A digest of what decides which packages `npm ci` installs for these files. Null when they depend
 * on more than the lock file: on scripts, which may read the app's files, or on packages within
 * these files.
 */
export async function digestPackages(folder: string): Promise<string | null> {
  const [description, npmrc, gyp, ...locks] = await Promise.all(
    ['package.json', '.npmrc', 'binding.gyp', ...lockFiles].map((name) => readText(folder, name)),
  )
  const app = packageJson.safeParse(parse(description ?? null)).data
  const lock = lockFile.safeParse(parse(locks.find((text) => text !== null) ?? null)).data
  if (!app || !lock || gyp !== null) return null
  if (installScripts.some((name) => app.scripts?.[name] !== undefined)) return null
  const isLocal = ({ resolved = '' }) => resolved.startsWith('file:')
  if (Object.values(lock.packages).some(isLocal)) return null
  return createHash('sha256')
    .update(JSON.stringify([description, npmrc, locks]))
    .digest('hex')
}

const record = z.object({ packages: z.string(), build: z.string() })

/** Stores which packages a build of this site has, for its next release. */
export const recordPackages = (path: string, packages: string, build: string): Promise<void> =>
  writeFileAtomic(path, JSON.stringify({ packages, build }), { mode: 0o600 })

/** The earlier build of the site with the same packages; null without one. */
export async function findBuild(path: string, packages: string): Promise<string | null> {
  const { data } = record.safeParse(parse(await nullIfMissing(readFile(path, 'utf8'))))
  return data?.packages === packages ? data.build : null
}

/**
 * Gives an app the packages of an earlier build, as hard links: both are read-only. False when the
 * earlier one has been deleted.
 */
export async function linkPackages(build: string, app: string): Promise<boolean> {
  return run('cp', ['-al', join(build, 'node_modules'), join(app, 'node_modules')]).then(
    () => true,
    () => false,
  )
}
