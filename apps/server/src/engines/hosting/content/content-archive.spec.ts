import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { writeArchive } from './content-archive.ts'

const megabyte = 1_000_000

/** Writes 20 MB to a disk with this many free bytes at each check. */
async function archiveOn(freeBytes: number[]) {
  const folder = await createDataFolder()
  const file = join(folder, 'archive')
  let checks = 0
  const written = writeArchive(
    file,
    (archive) =>
      pipeline(Readable.from(Array.from({ length: 20 }, () => Buffer.alloc(megabyte))), archive),
    async () => freeBytes[Math.min(checks++, freeBytes.length - 1)] ?? 0,
  )
  return { folder, file, written, checks: () => checks }
}

describe('the archive of a site', () => {
  it('is written while the disk has room', async () => {
    const { file, written, checks } = await archiveOn([1_000 * megabyte])
    await written
    expect(await readFile(file)).toHaveLength(20 * megabyte)
    expect(checks()).toBeGreaterThan(2)
  })

  it('ends before it fills the disk, and leaves nothing', async () => {
    const { folder, written } = await archiveOn([1_000 * megabyte, 210 * megabyte, 199 * megabyte])
    await expect(written).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await readdir(folder)).toEqual([])
  })
})
