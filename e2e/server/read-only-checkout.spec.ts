import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createServer } from '../harness/server.ts'
import { expect, test } from '../harness/test.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command in a mount namespace where the checkout is read-only. */
const readOnly = [
  'unshare',
  ...['--mount', 'sh', '-c'],
  'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"',
  root,
] as const
const [command, ...readOnlyOptions] = readOnly
const canMount = spawnSync(command, [...readOnlyOptions, 'true']).status === 0

test.describe('a read-only checkout', () => {
  test.skip(!canMount, 'Mounting needs root on Linux.')

  test('starts with a data folder elsewhere', async ({ browserName: _ }, testInfo) => {
    const server = await createServer({
      logFile: testInfo.outputPath('server.log'),
      node: [...readOnly, process.execPath, 'tools/run.mjs'],
    })
    await server.start()
    const { status } = await fetch(`${server.url}/auth/login`)
    await server.remove()
    expect(status).toBe(200)
  })

  test('says that a stale console cannot be prepared', () => {
    const { status, stderr } = spawnSync(
      command,
      [...readOnlyOptions, process.execPath, 'tools/run.mjs', '--version'],
      // Vite puts such variables into the bundle, so the built console is stale.
      { env: { ...process.env, VITE_STALE: '1' }, encoding: 'utf8' },
    )
    expect(stderr).toMatch(
      /^The console in .+ is missing or stale, and the folder is read-only\. Run `npm run build`/,
    )
    expect(status).toBe(1)
  })
})
