import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { root } from '../../apps/server/src/root.ts'
import { processesOf } from '../../apps/server/src/testing/processes.ts'
import { until } from '../../apps/server/src/testing/until.ts'

/** The processes that name a folder in their command line or their environment. */
async function processesWith(folder: string) {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const texts = ['cmdline', 'environ'].map((file) =>
        readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => ''),
      )
      return (await Promise.all(texts)).some((text) => text.includes(folder)) ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

/** Counts the running sites of the products in a folder: their command lines name their data. */
async function countSiteProcesses(folder: string) {
  const products = (await readdir(folder)).filter((name) => name.startsWith('bench-'))
  const sites = products.map((name) => processesOf(join(folder, name, 'sites')))
  return (await Promise.all(sites)).flat().length
}

let folder: string | undefined
afterEach(async () => {
  if (folder === undefined) return
  for (const pid of await processesWith(folder)) process.kill(pid, 'SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

// The test runs the bundled server, which npm test and npm run test:unit build.
const isBuilt = existsSync(join(root, 'apps/server/dist/main.js'))

it.skipIf(process.platform !== 'linux' || !isBuilt)(
  'a run of faults that is interrupted leaves no process and no folder',
  { timeout: 300_000 },
  async () => {
    const ownFolder = await mkdtemp(join(tmpdir(), 'interrupted-'))
    folder = ownFolder
    // The users of the sites must be able to enter the folder.
    await chmod(ownFolder, 0o711)
    const run = spawn(
      process.execPath,
      [join(root, 'resilience/chaos/main.ts'), '--minutes', '10', '--seed', '1'],
      { env: { ...process.env, TMPDIR: ownFolder }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let printed = ''
    for (const stream of [run.stdout, run.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
      })
    const exit = once(run, 'exit')
    // A fault has begun (`  12.3 s  kill the worker`), and sites run.
    await until(async () => {
      if (run.exitCode !== null) throw new Error(printed)
      return / s {2}\w/.test(printed) && (await countSiteProcesses(ownFolder)) > 0
    })
    run.kill('SIGINT')
    expect([...(await exit), printed]).toEqual([130, null, expect.stringContaining('interrupted')])
    expect(await processesWith(ownFolder)).toEqual([])
    expect(await readdir(ownFolder)).toEqual([])
  },
)
