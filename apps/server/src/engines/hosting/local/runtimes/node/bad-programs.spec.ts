import { describe, expect, it } from 'vitest'
import { createLogs } from '../../../../../logs/logs.ts'
import { createDataFolder } from '../../../../../testing/data-folder.ts'
import { hasDebianPackage } from '../../../../../testing/debian-package.ts'
import { startHostingWorld } from '../../../../../testing/hosting-world.ts'
import { createLogBook } from '../../../../../testing/log-book.ts'
import { isAlive } from '../../../../../testing/processes.ts'
import { pollOptions } from '../../../../../testing/until.ts'
import { UnhealthyError } from '../../../engine.ts'
import { instance } from '../../fixtures/local-engine.fixture.ts'
import { artifactOf, serverOf } from './node-site.fixture.ts'

const isLinux = process.platform === 'linux'
const canRun =
  isLinux && (await hasDebianPackage('bwrap', 'bubblewrap')) && process.getuid?.() === 0

const listening = "require('node:http').createServer((q, s) => s.end('ok')).listen"

/** For programs that keep running without becoming healthy: the wait ends by its timeout. */
const shortTime = { healthMs: 4_000 }

/** Programs that do not become healthy, and the error of their release. */
const bad: Record<string, [program: string, problem: object, times?: object]> = {
  'exits at once': [
    'console.log("Goodbye"); process.exit(3)',
    { failure: 'program_exited', detail: '3', output: 'Goodbye' },
  ],
  'throws at the start': [
    'throw new Error("No database")',
    { failure: 'program_exited', detail: '1', output: expect.stringContaining('No database') },
  ],
  'listens nowhere': [
    'console.log("Waiting"); setInterval(() => {}, 1000)',
    { failure: 'not_listening', output: 'Waiting' },
    shortTime,
  ],
  'listens on another port': [
    `${listening}(8081)`,
    { failure: 'other_port', detail: '8081' },
    // Without the end by the other port, the deployment would take longer than a test may.
    { healthMs: 600_000, otherPortMs: 200 },
  ],
  'responds with errors': [
    "require('node:http').createServer((q, s) => { s.statusCode = 503; s.end() }).listen(process.env.PORT)",
    { failure: 'unhealthy', detail: '503' },
    shortTime,
  ],
  'eats memory at the start': [
    "const all = []; for (;;) all.push(Buffer.alloc(2 ** 22, 'x'))",
    { failure: 'out_of_memory' },
  ],
  'logs without end instead of listening': [
    "setInterval(() => { for (let n = 0; n < 100; n++) console.log('x'.repeat(1000)) })",
    { failure: 'not_listening' },
    shortTime,
  ],
}

describe.skipIf(!canRun)('a release whose program', () => {
  async function serving(times = {}) {
    const world = await startHostingWorld({ times: { stopGraceMs: 300, ...times } })
    const release = (program: string) =>
      artifactOf(world, { 'package.json': '{"main":"app.js"}', 'app.js': program })
    const site = instance('app', { runtime: 'node', artifact: await release(serverOf("'good'")) })
    await world.applyUntilHealthy(site)
    const body = async () => (await world.visit('app', '/')).body
    return { world, site, release, body }
  }

  it.each(Object.entries(bad))(
    '%s fails with the reason, and the old release keeps serving',
    async (_title, [program, problem, times]) => {
      const { world, site, release, body } = await serving(times)
      const next = { ...site, artifact: await release(program) }
      await expect(world.engine.stage(next)).resolves.toMatchObject(problem)
      expect(await body()).toBe('good')
    },
  )

  it('listens late is live once it listens', async () => {
    const { world, site, release, body } = await serving()
    const late = `setTimeout(() => { ${serverOf("'late'")} }, 1500)`
    const next = { ...site, artifact: await release(late) }
    await expect(world.engine.stage(next)).resolves.toBeNull()
    expect(await body()).toBe('good')
    await world.engine.apply(next, { mayCreate: false })
    await expect.poll(body, pollOptions).toBe('late')
  })

  it('opens another port before its own is live once it listens there', async () => {
    const { world, site, release, body } = await serving()
    const late = `${listening}(8081); setTimeout(() => { ${serverOf("'late'")} }, 1500)`
    const next = { ...site, artifact: await release(late) }
    await expect(world.engine.stage(next)).resolves.toBeNull()
    await world.engine.apply(next, { mayCreate: false })
    await expect.poll(body, pollOptions).toBe('late')
  })

  it('fails after a change of its variables keeps serving, logs why, and is not restarted at once', async () => {
    const program = `if (process.env.BROKEN) { console.log('No key'); process.exit(1) };${serverOf("'good'")}`
    const dataDir = await createDataFolder()
    const logs = createLogs(dataDir, createLogBook().log)
    const world = await startHostingWorld({ dataDir, output: logs })
    const artifact = await artifactOf(world, {
      'package.json': '{"main":"app.js"}',
      'app.js': program,
    })
    const site = instance('app', { runtime: 'node', artifact })
    await world.applyUntilHealthy(site)
    const changed = { ...site, environment: { BROKEN: 'yes' } }
    const attempts = () => world.lines.filter(({ message }) => message.includes('started beside'))
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(world.engine.apply(changed, { mayCreate: false })).rejects.toThrow(
        UnhealthyError,
      )
    expect(attempts()).toHaveLength(1)
    // Once for each attempt, not for each time that it waits.
    const printed = (await logs.page('app', 'site', { limit: 10 })).map(({ text }) => text)
    expect(printed).toEqual(['No key'])
    expect((await world.visit('app', '/')).body).toBe('good')
    // Another change does not wait.
    await world.engine.apply({ ...site, environment: { X: '1' } }, { mayCreate: false })
    expect(attempts()).toHaveLength(2)
  })

  it('crashes later is started again', async () => {
    const { world, body } = await serving()
    const pid = await world.pid('app')
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => world.pid('app').catch(() => pid), pollOptions).not.toBe(pid)
    expect(await body()).toBe('good')
  })

  it('ignores SIGTERM is killed after its grace period', async () => {
    const { world, site, release, body } = await serving()
    const stubborn = serverOf("'stubborn'", "process.on('SIGTERM', () => {});")
    await world.engine.apply({ ...site, artifact: await release(stubborn) }, { mayCreate: false })
    await expect.poll(body, pollOptions).toBe('stubborn')
    const pid = await world.pid('app')
    await world.engine.remove('app')
    await expect(isAlive(pid)).resolves.toBe(false)
  })
})
