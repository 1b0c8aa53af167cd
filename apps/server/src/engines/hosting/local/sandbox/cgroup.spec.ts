import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { hasSandbox } from '../../../../testing/sandbox.ts'

const program = fileURLToPath(new URL('greedy-program.fixture.ts', import.meta.url))
const root = '/sys/fs/cgroup'
const isVersion2 = existsSync(join(root, 'cgroup.controllers'))

/** Joins the group, which is then the first one that the container sees, beside a busy process. */
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
    it('limit programs in a container, whose first group has processes of its own', async () => {
      expect(await runInContainer(await createDataFolder())).toBe('1')
    })
  },
)
