import { mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { createLogBook } from '../../../../testing/log-book.ts'
import { pollOptions } from '../../../../testing/until.ts'
import { findCgroups } from '../sandbox/cgroup.ts'
import { listenAt } from './listening-socket.ts'
import { openSiteLog } from './site-log.ts'
import { startSiteProcess } from './site-process.ts'

const cgroups = await findCgroups()

describe.skipIf(!cgroups)(
  'a process whose control group cannot be removed (needs groups that this user may write)',
  () => {
    it('has exited nevertheless, and the group is removed once that is possible', async () => {
      const name = `slipway-test-${process.pid}-busy`
      const limits = { memoryBytes: 2 ** 26, cpus: 0.5, processes: 16 }
      const group = await cgroups?.create(name, limits)
      if (!group) throw new Error('no control group')
      // The kernel rejects the removal of a group with another one, as of one with processes.
      const folders = group.joinFiles.map((file) => dirname(file))
      const inner = folders.map((folder) => join(folder, 'inner'))
      for (const folder of inner) await mkdir(folder)
      const removeInner = async () => {
        for (const folder of inner) await rmdir(folder).catch(() => undefined)
      }
      onTestFinished(async () => {
        await removeInner()
        await group.remove()
      })

      const dataDir = await createDataFolder()
      const output = await openSiteLog(join(dataDir, 'site.log'))
      onTestFinished(() => output.close())
      const { log, lines } = createLogBook()
      const site = await startSiteProcess({
        command: ['/bin/sh', '-c', 'exit 3'],
        env: {},
        cwd: '/',
        account: null,
        fileBytes: 2 ** 20,
        logFd: output.fd,
        socket: await listenAt(join(dataDir, 's'), null),
        sandboxFds: [],
        recordPath: join(dataDir, 'process.json'),
        record: { version: '1', launch: 'one', socket: 's' },
        group,
        log,
      })
      expect(await site.exited).toMatchObject({ code: 3 })
      expect(lines).toMatchObject([{ level: 'error', group: name }])

      await removeInner()
      const isGone = () =>
        stat(folders.at(-1) ?? '').then(
          () => false,
          () => true,
        )
      await expect.poll(isGone, pollOptions).toBe(true)
    })
  },
)
