import { execFile, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { sitePage } from '../../../testing/site-page.ts'
import { until } from '../../../testing/until.ts'
import { createLayout } from './files/layout.ts'
import { instance } from './fixtures/local-engine.fixture.ts'
import { readProcessRecord } from './process/process-record.ts'

const prlimit = '/usr/bin/prlimit'
const script = fileURLToPath(new URL('../../../testing/starved-engine.fixture.ts', import.meta.url))

/** An engine and a gateway in a process whose limit of descriptors can be changed. */
async function startEngine() {
  const dataDir = await createDataFolder()
  const child = fork(script, [dataDir], { stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [port] = (await once(child, 'message')) as [number]
  const limits = await readFile(`/proc/${child.pid}/limits`, 'utf8')
  const [, usual = ''] = /^Max open files +(\d+)/m.exec(limits) ?? []
  const limitFiles = (count: string) =>
    execFileSync(prlimit, ['--pid', String(child.pid), `--nofile=${count}:`])
  return {
    child,
    async apply(key: string): Promise<string> {
      const response = once(child, 'message')
      child.send(instance(key))
      return String((await response)[0])
    },
    status: (key: string) =>
      sitePage(port, `${key}.localhost`).then(
        (page) => page.status,
        () => undefined,
      ),
    pidOf: async (key: string) =>
      (await readProcessRecord(createLayout(dataDir).site(key).process))?.pid,
    /** Lets the process open no further file: all descriptors below this limit are in use. */
    starve: () => limitFiles('8'),
    feed: () => limitFiles(usual),
  }
}

it('programs do not start without file descriptors, and running ones count as running', async () => {
  const program = fileURLToPath(
    new URL('../../../testing/starved-programs.fixture.ts', import.meta.url),
  )
  const command = ['ulimit -n 64; exec "$0" "$@"', process.execPath, program]
  const run = promisify(execFile)
  const { stdout } = await run('/bin/sh', ['-c', ...command, await createDataFolder()])
  expect(JSON.parse(stdout)).toEqual({
    archive: 'EMFILE',
    content: 'EMFILE',
    adopted: 'alive, then exited',
  })
})

describe.skipIf(!existsSync(prlimit))(
  'an engine without file descriptors (needs prlimit of util-linux)',
  () => {
    it('rejects another site, and restarts a site that ended once it has some', async () => {
      const { child, apply, status, pidOf, starve, feed } = await startEngine()
      expect(await apply('first')).toBe('applied')
      await until(async () => (await status('first')) === 200)
      starve()

      expect(await apply('second')).toBe('CapacityError')
      const ended = await pidOf('first')
      if (ended === undefined) throw new Error('the site has no process')
      process.kill(ended, 'SIGKILL')
      await until(async () => (await status('first')) !== 200)

      feed()
      await until(async () => (await status('first')) === 200)
      expect(await pidOf('first')).not.toBe(ended)
      expect(await apply('second')).toBe('applied')
      await until(async () => (await status('second')) === 200)
      child.send('close')
      expect(await once(child, 'exit')).toEqual([0, null])
    })
  },
)
