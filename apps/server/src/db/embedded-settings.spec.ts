import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../testing/data-folder.ts'
import { onWindows } from './embedded-program.ts'
import { prepareSocketFolder } from './embedded-settings.ts'

const prepare = (dataDir: string) => () => prepareSocketFolder(dataDir, undefined)

describe.skipIf(onWindows)(
  'prepareSocketFolder rejects a link, which another user could have made',
  () => {
    it('names a link within the data folder, which is to be removed', async () => {
      const dataDir = await createDataFolder()
      await symlink(dataDir, join(dataDir, 'database-socket'))
      expect(prepare(dataDir)).toThrow(
        `${dataDir}/database-socket, the folder of the database's socket, belongs to another user or is a link: remove it`,
      )
    })

    it.each(['long'.repeat(30), 'a,b'])(
      'says what to change in DATA_DIR for the path %s',
      async (name) => {
        const root = await createDataFolder()
        const dataDir = join(root, name)
        await mkdir(dataDir)
        const folder = prepareSocketFolder(dataDir, undefined)
        if (!folder) throw new Error('there is no folder of the socket')
        onTestFinished(() => rm(folder, { recursive: true }))
        await rm(folder, { recursive: true })
        await symlink(root, folder)
        expect(prepare(dataDir)).toThrow(
          `the database's socket would be in ${folder}, which belongs to another user or is a link: choose a shorter path for DATA_DIR, without a comma`,
        )
      },
    )
  },
)
