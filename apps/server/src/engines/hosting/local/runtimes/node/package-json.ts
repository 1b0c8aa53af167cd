import { join, normalize } from 'node:path'
import { z } from 'zod'
import type { Manifest } from '../../../../../artifacts/manifest.ts'
import { readSmallFile } from '../../../../../read-small-file.ts'
import type { ReleaseProblem } from '../../../engine.ts'

const packageJson = z.object({
  name: z.string().optional().catch(undefined),
  main: z.string().optional(),
  scripts: z.object({ start: z.string().optional() }).optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
})
export type PackageJson = z.infer<typeof packageJson>

const maxBytes = 1_000_000

/** The package.json of a folder; undefined if it is invalid. Throws ENOENT if it is missing. */
export async function readPackageJson(folder: string): Promise<PackageJson | undefined> {
  const text = await readSmallFile(join(folder, 'package.json'), maxBytes)
  if (text === undefined) return undefined
  try {
    return packageJson.safeParse(JSON.parse(text.replace(/^\uFEFF/, ''))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export type Start = { script: string } | { file: string }

const orIndex = (manifest: Manifest | undefined, file: string): string => {
  if (!manifest || manifest.has(file)) return file
  // Node resolves `main` in the same way.
  return [`${file}.js`, join(file, 'index.js')].find((each) => manifest.has(each)) ?? file
}

/**
 * The start command of a package: its script `start`, otherwise its file `main`. With a `manifest`,
 * a `main` without extension is resolved as Node does.
 */
export function startOf({ main, scripts }: PackageJson, manifest?: Manifest): Start {
  if (scripts?.start) return { script: scripts.start }
  return { file: orIndex(manifest, normalize(main ?? 'index.js')) }
}

const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json']

/** True for files with a lock file and without the packages that it names. */
export const needsInstall = (manifest: Manifest): boolean =>
  lockFiles.some((name) => manifest.has(name)) && !hasPackages(manifest)

const hasPackages = (manifest: Manifest) => {
  for (const path of manifest.keys()) if (path.startsWith('node_modules/')) return true
  return false
}

/** Why the files are no Node app; null if they are one. */
export async function checkPackage(
  manifest: Manifest,
  folder: string,
): Promise<ReleaseProblem | null> {
  if (!manifest.has('package.json')) return { failure: 'package_json_missing' }
  const description = await readPackageJson(folder)
  if (!description) return { failure: 'package_json_invalid' }
  const start = startOf(description, manifest)
  const dependencies = Object.keys(description.dependencies ?? {})
  if (dependencies.length > 0 && !needsInstall(manifest) && !hasPackages(manifest))
    return { failure: 'lock_file_missing' }
  // `npm ci` creates a start file in `node_modules`.
  if ('file' in start && !manifest.has(start.file) && !start.file.startsWith('node_modules/'))
    return { failure: 'start_missing', detail: start.file }
  return null
}
