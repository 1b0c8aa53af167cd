import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDataFolder } from '../testing/data-folder.ts'
import { packedDigest, packFolder } from './pack.ts'

/** A folder with a file, a folder and a link, and a path for its archive. */
async function createRelease() {
  const root = await createDataFolder()
  const folder = join(root, 'files')
  await mkdir(join(folder, 'pages'), { recursive: true })
  await writeFile(join(folder, 'pages', 'index.html'), 'page'.repeat(100_000))
  await symlink('pages/index.html', join(folder, 'link.html'))
  const archives = join(root, 'archives')
  await mkdir(archives)
  return { folder, archives, target: join(archives, 'archive.tar.gz') }
}

describe('the archive of a release', () => {
  afterEach(() => vi.useRealTimers())

  it('is the same whenever it is packed', async () => {
    const { folder, target } = await createRelease()
    const digest = await packFolder(folder, target)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    expect(await packFolder(folder, target)).toBe(digest)
  })

  it('is whole when it is packed twice at once', async () => {
    const { folder, archives, target } = await createRelease()
    const digests = await Promise.all([packFolder(folder, target), packFolder(folder, target)])
    const stored = createHash('sha256')
      .update(await readFile(target))
      .digest('hex')
    expect(digests).toEqual([stored, stored])
    expect(await packedDigest(target)).toBe(stored)
    expect(await readdir(archives)).toHaveLength(2)
  })
})
