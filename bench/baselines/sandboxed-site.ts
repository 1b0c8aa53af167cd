import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findOrCopyNode } from '../../apps/server/src/engines/hosting/local/machine/node-executable.ts'
import { findCgroups } from '../../apps/server/src/engines/hosting/local/sandbox/cgroup.ts'
import { setUpSandbox } from '../../apps/server/src/engines/hosting/local/sandbox/sandbox.ts'
import { requestAt } from '../../apps/server/src/engines/hosting/local/supervisor/readiness.ts'
import { until } from '../../apps/server/src/testing/until.ts'

const source = `require('node:http')
  .createServer((request, response) => response.end('ok'))
  .listen('/data/socket', () => require('node:fs').chmodSync('/data/socket', 0o777))`

const uid = 29_999

/**
 * A minimal Node server in the sandbox that sites have, without gateway and engine. Resolves with a
 * function that starts and stops one, and returns the time to its first response in milliseconds;
 * null where there is no sandbox.
 */
export async function prepareSandboxedSite(folder: string) {
  const sandbox = await setUpSandbox(await findCgroups(), join(folder, 'sandbox'))
  if (typeof sandbox === 'string') return null
  const node = await findOrCopyNode(process.execPath, join(folder, 'runtime'))
  const data = join(folder, 'data')
  await mkdir(data, { recursive: true })
  await chmod(data, 0o777)

  let starts = 0
  return async () => {
    await rm(join(data, 'socket'), { force: true })
    const started = performance.now()
    const site = await sandbox.start({
      name: `bench-${process.pid}-${starts++}`,
      command: ['/runtime/bin/node', '-e', source],
      env: {},
      cwd: '/data',
      readable: { '/runtime/bin/node': node },
      writable: { '/data': data },
      account: { uid, gid: uid },
      limits: { memoryBytes: 2 ** 29, cpus: 1, processes: 256 },
    })
    const signal = new AbortController().signal
    await until(async () => (await requestAt(join(data, 'socket'), '/', 'bench', signal)) !== null)
    const duration = performance.now() - started
    await site.kill()
    await site.exited
    await site.cleanUp()
    return duration
  }
}
