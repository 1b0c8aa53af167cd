import { chown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../backup.fixture.ts'
import { createFolderStore } from './folder-store.ts'

const group = 61_234
const { signal } = new AbortController()

describe('a shared folder of backups', () => {
  it.skipIf(process.getuid?.() !== 0)(
    'gives each folder that it creates, and the backup, to the group above',
    async () => {
      const root = await newFolder()
      await chown(root, 0, group)
      const store = await createFolderStore(join(root, 'backups/sites'), true)
      await store.write('first', Readable.from(['content']), signal)
      const modes = ['backups', 'backups/sites', 'backups/sites/first'].map(async (path) => {
        const { gid, mode } = await stat(join(root, path))
        return [path, gid, (mode & 0o777).toString(8)]
      })
      expect(await Promise.all(modes)).toEqual([
        ['backups', group, '750'],
        ['backups/sites', group, '750'],
        ['backups/sites/first', group, '640'],
      ])
    },
  )

  it('is created once by two backups at the same time', async () => {
    const root = await newFolder()
    const store = await createFolderStore(join(root, 'backups/sites'), true)
    const names = ['first', 'second']
    await Promise.all(names.map((name) => store.write(name, Readable.from([name]), signal)))
    expect(await readdir(root)).toEqual(['backups'])
    expect((await readdir(join(root, 'backups/sites'))).sort()).toEqual(names)
  })
})
