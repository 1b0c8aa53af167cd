import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createLimiter, type Limiter } from '../../../limiter.ts'
import { startHostingWorld } from '../../../testing/hosting-world.ts'
import { until } from '../../../testing/until.ts'
import { createLayout } from './files/layout.ts'
import { instance } from './fixtures/local-engine.fixture.ts'
import { artifactOf, serverOf } from './runtimes/node/node-site.fixture.ts'

const concurrentStarts = 2

/** Listens late, and records when each of its processes started and listened. */
const warmUp = `
  const { appendFileSync } = require('node:fs')
  const record = (event) =>
    appendFileSync(process.env.HOME + '/events', event + ' ' + process.hrtime.bigint() + '\\n')
  record('started')
  setTimeout(() => {
    require('node:http').createServer((request, response) => response.end('ready'))
      .listen(process.env.PORT, () => record('listens'))
  }, 500)`

/** Listens once the test has written a file. */
const untilSignal = `
  const { existsSync } = require('node:fs')
  const timer = setInterval(() => {
    if (!existsSync(process.env.HOME + '/signal')) return
    clearInterval(timer)
    require('node:http').createServer((request, response) => response.end('slow'))
      .listen(process.env.PORT)
  }, 10)`

/** The most processes that had started and did not listen yet, at any time. */
async function mostWarmingUp(dataDir: string, keys: readonly string[]) {
  const files = keys.map((key) => join(createLayout(dataDir).site(key).data, 'events'))
  const lines = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('').trim()
  const events = lines
    .split('\n')
    .map((line) => line.split(' '))
    .map(([event, time = '']) => ({ change: event === 'started' ? 1 : -1, time: BigInt(time) }))
    .toSorted((a, b) => (a.time < b.time ? -1 : 1))
  let warmingUp = 0
  return Math.max(...events.map(({ change }) => (warmingUp += change)))
}

describe('starts of sites on this machine', () => {
  it('are limited, also those that replace a running process', async () => {
    const times = { startSlotMs: 600_000 }
    const world = await startHostingWorld({
      withoutSandbox: true,
      starts: createLimiter(concurrentStarts),
      times,
    })
    const artifact = await artifactOf(world, {
      'package.json': '{"main":"app.js"}',
      'app.js': warmUp,
    })
    const keys = Array.from({ length: 6 }, (_, index) => `site-${index}`)
    const applyAll = (restarts: number) =>
      Promise.all(
        keys.map((key) =>
          world.applyUntilHealthy(instance(key, { runtime: 'node', artifact, restarts })),
        ),
      )
    await applyAll(0)
    expect(await mostWarmingUp(world.dataDir, keys)).toBe(concurrentStarts)
    await applyAll(1)
    expect(await mostWarmingUp(world.dataDir, keys)).toBe(concurrentStarts)
  })

  it('do not wait for processes that are slow to respond', async () => {
    const world = await startHostingWorld({
      withoutSandbox: true,
      starts: createLimiter(concurrentStarts),
      times: { startSlotMs: 200, healthMs: 600_000, stopGraceMs: 100 },
    })
    const release = (program: string) =>
      artifactOf(world, { 'package.json': '{"main":"app.js"}', 'app.js': program })
    const artifact = await release(serverOf("'works'"))
    const slow = await release(untilSignal)
    const slowSites = ['slow-0', 'slow-1'].map((key) =>
      instance(key, { runtime: 'node', artifact: slow }),
    )
    const staged = Promise.all(
      slowSites.map((site) => world.engine.stage(site, { mayCreate: true })),
    )
    await until(() => world.lines.filter(startsBeside).length === slowSites.length)
    await world.applyUntilHealthy(instance('new', { runtime: 'node', artifact }))
    for (const { key } of slowSites)
      await writeFile(join(createLayout(world.dataDir).site(key).data, 'signal'), '')
    expect(await staged).toEqual([null, null])
  })

  it('begin with a site that has no process, before replacements that wait longer', async () => {
    const limiter = createLimiter(1)
    let acquired = 0
    const acquire: Limiter['acquire'] = (options) => {
      acquired += 1
      return limiter.acquire(options)
    }
    const world = await startHostingWorld({
      withoutSandbox: true,
      starts: { ...limiter, acquire },
      times: { startSlotMs: 600_000 },
    })
    const artifact = await artifactOf(world, {
      'package.json': '{"main":"app.js"}',
      'app.js': serverOf("'works'"),
    })
    const serving = instance('serving', { runtime: 'node', artifact })
    await world.applyUntilHealthy(serving)
    const releaseSlot = await limiter.acquire()
    const replaced = world.applyUntilHealthy({ ...serving, restarts: 1 })
    await until(() => acquired === 2)
    const started = world.applyUntilHealthy(instance('new', { runtime: 'node', artifact }))
    await until(() => acquired === 3)
    releaseSlot()
    await Promise.all([replaced, started])
    const startsInOrder = world.lines.filter(({ message }) => message.startsWith('A site started'))
    expect(startsInOrder.map(({ key }) => key)).toEqual(['serving', 'new', 'serving'])
  })
})

const startsBeside = ({ message }: { message: string }) =>
  message === 'A site started beside the one that serves'
