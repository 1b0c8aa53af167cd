import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../../../root.ts'
import { createDataFolder } from '../../../../../testing/data-folder.ts'
import { installRelease } from './release.ts'

const starterSite = join(root, 'apps/site')

describe('installRelease', () => {
  it('copies the bundle with the licenses of its packages, readable by the sites’ users', async () => {
    const releases = join(await createDataFolder(), 'releases')
    const { folder, main } = await installRelease(starterSite, releases)
    const names = await readdir(folder, { recursive: true })
    expect(names).toEqual(
      expect.arrayContaining(['package.json', 'dist/browser/main.js', 'dist/licenses.txt']),
    )
    expect(await readFile(main, 'utf8')).not.toMatch(/from ['"](marked|openid-client)['"]/)
    const licenses = await readFile(join(folder, 'dist/licenses.txt'), 'utf8')
    for (const name of ['jose', 'marked', 'oauth4webapi', 'openid-client'])
      expect(licenses).toMatch(new RegExp(`^${name}$`, 'm'))
    for (const name of names) {
      const { mode } = await stat(join(folder, name))
      expect([name, mode & 0o004]).toEqual([name, 0o004])
    }
  })

  it('returns an existing release, and adds one when a file has changed', async () => {
    const folder = await createDataFolder()
    const [source, releases] = [join(folder, 'site'), join(folder, 'releases')]
    await mkdir(join(source, 'dist'), { recursive: true })
    await writeFile(join(source, 'package.json'), '{"version":"1.0.0"}')
    await writeFile(join(source, 'dist/main.js'), 'first')
    const first = await installRelease(source, releases)
    expect(await installRelease(source, releases)).toEqual(first)
    await writeFile(join(source, 'dist/main.js'), 'second')
    const second = await installRelease(source, releases)
    expect(await readFile(second.main, 'utf8')).toBe('second')
    expect(await readFile(first.main, 'utf8')).toBe('first')
    expect(await readdir(releases)).toHaveLength(2)
  })
})
