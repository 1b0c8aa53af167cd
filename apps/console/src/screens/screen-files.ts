import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ScreenFacts } from './screen-facts.ts'

const features = fileURLToPath(new URL('../features/', import.meta.url))

/** Every screen, by path, for Node: the browser tests and the benchmarks make their lists of them. */
export async function screenFiles(): Promise<ScreenFacts[]> {
  const files = globSync('**/*.screen.ts', { cwd: features })
  const modules: { screen: ScreenFacts }[] = await Promise.all(
    files.map((file) => import(pathToFileURL(join(features, file)).href)),
  )
  return modules.map(({ screen }) => screen).sort((one, other) => (one.path < other.path ? -1 : 1))
}
