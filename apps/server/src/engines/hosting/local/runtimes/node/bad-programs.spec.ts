import { readFile, stat } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLogs } from '../../../../../logs/logs.ts'
import { controlGroups } from '../../../../../testing/control-groups.ts'
import { createDataFolder } from '../../../../../testing/data-folder.ts'
import { hasDebianPackage } from '../../../../../testing/debian-package.ts'
import {
  type HostingWorldOptions,
  startHostingWorld,
} from '../../../../../testing/hosting-world.ts'
import { createLogBook } from '../../../../../testing/log-book.ts'
import { isAlive } from '../../../../../testing/processes.ts'
import { pollOptions, until } from '../../../../../testing/until.ts'
import { UnhealthyError } from '../../../engine.ts'
import { createLayout } from '../../files/layout.ts'
import { instance } from '../../fixtures/local-engine.fixture.ts'
import { readLogTail } from '../../process/site-log.ts'
import { siteNotes } from '../../process/site-notes.ts'
import { artifactOf, serverOf } from './node-site.fixture.ts'

const isLinux = process.platform === 'linux'
const canRun =
  isLinux && (await hasDebianPackage('bwrap', 'bubblewrap')) && process.getuid?.() === 0

const listening = "require('node:http').createServer((q, s) => s.end('ok')).listen"

const megabyte = 2 ** 20

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
  'listens and sends nothing': [
    "require('node:http').createServer(() => {}).listen(process.env.PORT)",
    { failure: 'not_responding' },
    shortTime,
  ],
  'listens on another port': [
    `${listening}(8081)`,
    { failure: 'other_port', detail: '8081' },
    // If the other port did not end the wait, the deployment would take longer than a test may.
    { healthMs: 600_000, otherPortMs: 200 },
  ],
  'responds with errors': [
    "require('node:http').createServer((q, s) => { s.statusCode = 503; s.end() }).listen(process.env.PORT)",
    { failure: 'unhealthy', detail: '503' },
    shortTime,
  ],
  'takes too much memory at the start': [
    "const all = []; for (;;) all.push(Buffer.alloc(2 ** 22, 'x'))",
    { failure: 'out_of_memory' },
  ],
  'fills its heap at the start': [
    "const all = []; for (;;) all.push({ text: 'x'.repeat(10) + all.length })",
    { failure: 'out_of_memory' },
  ],
  'forks without end': [
    "require('node:child_process').spawn('sh', ['-c', 'f() { f | f & }; f'], { stdio: 'ignore' })",
    { failure: 'too_many_processes' },
    shortTime,
  ],
  'ends because it starts too many programs': [
    "setInterval(() => require('node:child_process').spawn('sleep', ['1000']))",
    { failure: 'too_many_processes', output: expect.stringContaining('EAGAIN') },
  ],
  'fills the disk': [
    `const { writeFileSync } = require('node:fs')
     for (let file = 0; file < 30; file++) writeFileSync('/data/' + file, Buffer.alloc(2 ** 20, 'x'))
     setInterval(() => {}, 1000)`,
    { failure: 'disk_full' },
  ],
  'logs without end instead of listening': [
    "setInterval(() => { for (let n = 0; n < 100; n++) console.log('x'.repeat(1000)) })",
    { failure: 'not_listening' },
    shortTime,
  ],
}

describe.skipIf(!canRun)('a release whose program', () => {
  async function serving(times = {}, options: Partial<HostingWorldOptions> = {}) {
    const dataDir = await createDataFolder()
    const logs = createLogs(dataDir, createLogBook().log)
    onTestFinished(() => logs.close())
    const world = await startHostingWorld({
      dataDir,
      output: logs,
      forkCheckMs: 20,
      times: { stopGraceMs: 300, ...times },
      nodeApps: { limits: { memoryBytes: 128 * megabyte, processes: 64 } },
      disk: { bytes: 20 * megabyte, intervalMs: 20 },
      ...options,
    })
    const release = (program: string) =>
      artifactOf(world, { 'package.json': '{"main":"app.js"}', 'app.js': program })
    const site = instance('app', { runtime: 'node', artifact: await release(serverOf("'good'")) })
    await world.applyUntilHealthy(site)
    const body = async () => (await world.visit('app', '/')).body
    const logged = async () => {
      const lines = await logs.page('app', 'site', { limit: 100 })
      return lines.flatMap(({ text }) => (text?.startsWith('Slipway: ') ? [text] : []))
    }
    return { world, site, release, body, logged }
  }

  it.each(Object.entries(bad))(
    '%s fails with the reason, and the old release keeps serving',
    async (_title, [program, problem, times]) => {
      const { world, site, release, body } = await serving(times)
      const next = { ...site, artifact: await release(program) }
      await expect(world.engine.stage(next)).resolves.toMatchObject(problem)
      expect(await body()).toBe('good')
      await world.engine.unstage('app')
      const groups = (await controlGroups()).filter((name) => name.startsWith('app.'))
      expect(groups).toHaveLength(1)
      // The site is not stopped by the next measurement of its disk.
      await world.engine.apply(site, { mayCreate: false })
      expect(await body()).toBe('good')
    },
  )

  it('logs a gigabyte while it is checked gets live, and only the end of its output is kept', async () => {
    const { world, site, release, body } = await serving({}, { logCheckMs: 10 })
    // It waits until its output is cut: without that it would never listen.
    const verbose = `
      const { fstatSync, writeSync } = require('node:fs')
      const chunk = ('x'.repeat(1023) + '\\n').repeat(1024)
      let rest = 1024
      const print = () => {
        while (rest > 0 && fstatSync(1).size < 16 * 2 ** 20) {
          writeSync(1, chunk)
          rest -= 1
        }
        if (rest > 0) return setTimeout(print, 10)
        console.log('opens')
        ${serverOf("'verbose'")}
      }
      print()`
    const next = { ...site, artifact: await release(verbose) }
    await expect(world.engine.stage(next)).resolves.toBeNull()
    expect(await body()).toBe('good')
    const { candidateLog } = createLayout(world.dataDir).site('app')
    expect((await stat(candidateLog)).size).toBeLessThan(32 * megabyte)
    expect(await readLogTail(candidateLog)).toContain('opens')
    expect(await readFile(candidateLog, 'utf8')).toContain(siteNotes.outputRemoved)
    await world.engine.apply(next, { mayCreate: false })
    await expect.poll(body, pollOptions).toBe('verbose')
  })

  it('ignores SIGTERM is killed once it is replaced, without a failed request', async () => {
    const { world, site, release, body, logged } = await serving({
      minDrainMs: 100,
      maxDrainMs: 300,
    })
    const stubborn = serverOf("'stubborn'", "process.on('SIGTERM', () => {});")
    await world.engine.apply({ ...site, artifact: await release(stubborn) }, { mayCreate: false })
    await expect.poll(body, pollOptions).toBe('stubborn')
    const pid = await world.pid('app')
    await world.engine.apply({ ...site, restarts: 1 }, { mayCreate: false })
    const answers = new Set<string>()
    await until(async () => {
      answers.add(await body())
      return !(await isAlive(pid))
    })
    expect([...answers].filter((answer) => answer !== 'stubborn')).toEqual(['good'])
    const groups = async () => (await controlGroups()).filter((name) => name.startsWith('app.'))
    await expect.poll(groups, pollOptions).toHaveLength(1)
    await expect.poll(logged, pollOptions).toEqual([siteNotes.killed(300)])
  })

  it('starts too many programs once it is live says so once in the log of its site', async () => {
    const { world, site, release, body, logged } = await serving()
    const forking = serverOf(
      "request.url === '/fork' ? fork() : 'forking'",
      `const { spawn } = require('node:child_process')
       const fork = () => {
         for (let n = 0; n < 100; n++) spawn('sleep', ['1000']).on('error', () => {})
         return 'forked'
       }`,
    )
    await world.engine.apply({ ...site, artifact: await release(forking) }, { mayCreate: false })
    await expect.poll(body, pollOptions).toBe('forking')
    expect(await logged()).toEqual([])
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await world.visit('app', '/fork')).body).toBe('forked')
      await expect.poll(logged, pollOptions).toEqual([siteNotes.tooManyProcesses])
    }
  })

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

  it.each([
    ['by the kernel', "Buffer.alloc(2 ** 22, 'x')"],
    ['by V8', "{ text: 'x'.repeat(10) + all.length }"],
  ])(
    'eats its memory again and again, and is ended %s, is told apart from other crashes',
    async (_by, item) => {
      const backoff = { initialMs: 1, maxMs: 4, resetAfterMs: 60_000 }
      const { world, site, release } = await serving({}, { backoff })
      const hungry = serverOf(
        `request.url === '/eat' && (fs.writeFileSync('/data/hungry', ''), eat())`,
        `const fs = require('node:fs')
       const eat = () => { const all = []; for (;;) all.push(${item}) }
       if (fs.existsSync('/data/hungry')) eat()`,
      )
      await world.applyUntilHealthy({ ...site, artifact: await release(hungry) })
      await world.visit('app', '/eat').catch(() => undefined)
      await expect.poll(() => world.engine.problemOf('app'), pollOptions).toBe('out_of_memory')
    },
  )

  it('ignores SIGTERM is killed after its grace period, and says so in the log of its site', async () => {
    const { world, site, release, body, logged } = await serving()
    const program = serverOf("'stubborn'", "process.on('SIGTERM', () => {});")
    const stubborn = { ...site, artifact: await release(program) }
    await world.engine.apply(stubborn, { mayCreate: false })
    await expect.poll(body, pollOptions).toBe('stubborn')
    const pid = await world.pid('app')
    await world.engine.apply({ ...stubborn, power: 'stopped' }, { mayCreate: false })
    await expect(isAlive(pid)).resolves.toBe(false)
    expect(await logged()).toEqual([siteNotes.killed(300)])
  })
})
