import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { hasSandbox } from '../../../../testing/sandbox.ts'
import { findCgroups } from './cgroup.ts'

const program = fileURLToPath(new URL('greedy-program.fixture.ts', import.meta.url))
const root = '/sys/fs/cgroup'
const isVersion2 = existsSync(join(root, 'cgroup.controllers'))

/** Joins the group, which is then the root group of the container, beside a busy process. */
const enterContainer = `echo 0 > "$GROUP/cgroup.procs"
exec unshare --cgroup sh -c 'umount ${root} && mount -t cgroup2 none ${root} || exit 1
while true; do /bin/true; done > /dev/null 2>&1 &
exec "$@"' sh "$@"`

/** Runs the program in a container, and returns its output. */
async function runInContainer(folder: string): Promise<string> {
  const group = join(root, `slipway-test-${process.pid}`)
  await mkdir(group)
  onTestFinished(async () => {
    for (const path of ['init', 'slipway', '']) await rmdir(join(group, path))
  })
  const namespaces = ['--mount', '--pid', '--fork', '--mount-proc']
  const command = ['sh', '-c', enterContainer, 'sh', process.execPath, program, folder]
  const env = { ...process.env, GROUP: group }
  const { stdout } = await promisify(execFile)('unshare', [...namespaces, ...command], { env })
  return stdout
}

describe.skipIf(!isVersion2 || !(await hasSandbox()))(
  'control groups of version 2 (needs a machine that has them)',
  () => {
    it('limit programs in a container, whose root group has processes of its own', async () => {
      expect(await runInContainer(await createDataFolder())).toBe('1')
    })
  },
)

const cgroups = await findCgroups()

describe.skipIf(!cgroups)(
  'a control group (needs a machine whose groups this user may write)',
  () => {
    it('has the limits of the processor, the memory and the processes', async () => {
      const limits = { memoryBytes: 2 ** 26, cpus: 0.5, processes: 16 }
      const group = await cgroups?.create(`slipway-test-${process.pid}-limits`, limits)
      onTestFinished(() => group?.remove())
      const folders = group?.joinFiles.map((file) => dirname(file)) ?? []
      const settingOf = async (name: string) => {
        const folder = folders.find((each) => existsSync(join(each, name))) ?? ''
        return (await readFile(join(folder, name), 'utf8')).trim()
      }
      const cpu = isVersion2
        ? (await settingOf('cpu.max')).split(' ')
        : [await settingOf('cpu.cfs_quota_us'), await settingOf('cpu.cfs_period_us')]
      // Half of a processor: 50 ms of each 100 ms.
      expect(cpu).toEqual(['50000', '100000'])
      expect(await settingOf(isVersion2 ? 'memory.max' : 'memory.limit_in_bytes')).toBe(
        String(2 ** 26),
      )
      expect(await settingOf('pids.max')).toBe('16')
    })

    it('gets no swap', async () => {
      const limits = { memoryBytes: 2 ** 26, cpus: 0.5, processes: 16 }
      const group = await cgroups?.create(`slipway-test-${process.pid}-swap`, limits)
      onTestFinished(() => group?.remove())
      const folder = dirname(group?.joinFiles[0] ?? '')
      const expected = isVersion2
        ? { 'memory.swap.max': '0' }
        : { 'memory.swappiness': '0', 'memory.memsw.limit_in_bytes': String(2 ** 26) }
      for (const [name, value] of Object.entries(expected))
        if (existsSync(join(folder, name)))
          expect((await readFile(join(folder, name), 'utf8')).trim()).toBe(value)
    })
  },
)
