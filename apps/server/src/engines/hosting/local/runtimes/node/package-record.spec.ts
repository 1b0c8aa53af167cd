import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDataFolder } from '../../../../../testing/data-folder.ts'
import { readPackageJson } from './package-json.ts'
import { digestPackages } from './package-record.ts'

/** A Node app with a lock file. */
async function createApp() {
  const folder = await createDataFolder()
  const file = (name: string) => join(folder, name)
  await writeFile(file('package.json'), '{"main":"app.js"}')
  await writeFile(file('package-lock.json'), '{"lockfileVersion":3,"packages":{}}')
  return { folder, file }
}

/** More than a string can have, as a sparse file. */
const hugeBytes = 3 * 2 ** 30

describe('the files that describe the packages of an app', () => {
  it.each(['package.json', '.npmrc', 'binding.gyp', 'npm-shrinkwrap.json', 'package-lock.json'])(
    'have no digest when %s is too large to read',
    async (name) => {
      const { folder, file } = await createApp()
      expect(await digestPackages(folder)).toMatch(/^[0-9a-f]{64}$/)
      await writeFile(file(name), '')
      await truncate(file(name), hugeBytes)
      expect(await digestPackages(folder)).toBeNull()
    },
  )

  it('are invalid when package.json is too large to read', async () => {
    const { folder, file } = await createApp()
    expect(await readPackageJson(folder)).toEqual({ main: 'app.js' })
    await truncate(file('package.json'), hugeBytes)
    expect(await readPackageJson(folder)).toBeUndefined()
  })
})
