import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ScreenFacts } from './screen-facts.ts'

const features = fileURLToPath(new URL('../features/', import.meta.url))

/** Every screen, sorted by path, for the lists of the browser tests and benchmarks (Node). */
export async function screenFiles(): Promise<ScreenFacts[]> {
  const files = globSync('**/*.screen.ts', { cwd: features })
  const modules: { screen: ScreenFacts }[] = await Promise.all(
    files.map((file) => import(pathToFileURL(join(features, file)).href)),
  )
  return modules.map(({ screen }) => screen).sort((one, other) => (one.path < other.path ? -1 : 1))
}
