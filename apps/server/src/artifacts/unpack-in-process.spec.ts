import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { zipOf } from '../testing/archives.ts'
import { createDataFolder } from '../testing/data-folder.ts'
import { unpackInProcess } from './unpack-in-process.ts'

async function createUnpacking(name = 'site.zip') {
  const root = await createDataFolder()
  const [archive, folder] = [join(root, 'site.zip'), join(root, 'unpacking')]
  await writeFile(archive, zipOf({ 'index.html': 'one' }))
  await mkdir(folder)
  return { archive: join(root, name), folder, limits: { files: 10, unpackedBytes: 1_000 } }
}

it('an archive is unpacked into the folder', async () => {
  const unpacking = await createUnpacking()
  await unpackInProcess(unpacking)
  expect(await readFile(join(unpacking.folder, 'files/index.html'), 'utf8')).toBe('one')
})

it('an archive that needs more memory than its process may have is damaged', async () => {
  await expect(unpackInProcess(await createUnpacking(), 1)).rejects.toThrow('damaged')
})

it('an error of the disk is no error of the archive', async () => {
  const unpacking = await createUnpacking('missing.zip')
  await expect(unpackInProcess(unpacking)).rejects.toThrow(
    'The archive was not unpacked: Error: ENOENT',
  )
})
