import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findWordPressFiles } from './demo.wordpress.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-demo-wordpress-'))
  await mkdir(join(folder, 'bin'))
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

/** Puts an npm before the machine's own. */
async function stubNpm(script: string) {
  const path = join(folder, 'bin/npm')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
}

/** A folder with a theme, as that of Debian's packages. */
async function wordPress() {
  const theme = join(folder, 'core/wp-content/themes/twenty')
  await mkdir(theme, { recursive: true })
  await writeFile(join(theme, 'style.css'), '')
  return join(folder, 'core')
}

/** The files for the demo, with the printed lines. The plugin is not downloaded yet. */
async function find(sqlite?: string) {
  const lines: string[] = []
  const options = { core: await wordPress(), sqlite }
  const cache = join(folder, 'cache')
  return { files: await findWordPressFiles(options, (line) => lines.push(line), cache), lines }
}

it('a named plugin is used without a download', async () => {
  await stubNpm('exit 1')
  const plugin = join(folder, 'bin')
  expect(await find(plugin)).toEqual({
    files: { core: join(folder, 'core'), sqlite: plugin },
    lines: [],
  })
  expect((await find(join(folder, 'none.zip'))).files).toBe(`There is no ${folder}/none.zip.`)
})

it('a plugin that cannot be downloaded is reported in one line, which names --sqlite', async () => {
  await stubNpm('echo "npm error code ENOTFOUND" >&2; echo "npm error a log" >&2; exit 1')
  const { files, lines } = await find()
  expect(files).toMatch(/^Its plugin could not be downloaded \(.*ENOTFOUND\): --sqlite <zip> .*$/)
  expect(lines).toEqual([expect.stringMatching(/^Downloading .*@\d/)])
})

it('a plugin with another digest is not used', async () => {
  const plugin = 'package/src/sqlite-database-integration'
  await stubNpm(
    `mkdir -p ${plugin} && echo other > ${plugin}/sqlite-database-integration.zip && tar -czf package.tgz package && echo package.tgz`,
  )
  const { files } = await find()
  expect(files).toMatch(/^Its plugin could not be downloaded \(another digest: [\da-f]{64}\)/)
  // Not stored either: the next start tries again.
  expect((await find()).files).toEqual(files)
})
