import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startHostingWorld } from '../../../../testing/hosting-world.ts'
import { pollOptions, until } from '../../../../testing/until.ts'
import { createLayout } from '../files/layout.ts'
import {
  contentOf,
  createProbeSite,
  instance,
  noteCollector,
} from '../fixtures/local-engine.fixture.ts'

/** An instance of the probe site that exits at once with code 7. */
const exitingInstance = (key: string) => instance(key, { name: 'Ends at once' })

describe('createSupervisor', () => {
  it('restarts a killed site with its content unchanged', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('killed'))
    const [pid, content] = [await world.pid('killed'), await contentOf(world.dataDir, 'killed')]

    process.kill(pid, 'SIGKILL')

    await expect.poll(() => world.pid('killed').catch(() => pid), pollOptions).not.toBe(pid)
    await expect(contentOf(world.dataDir, 'killed')).resolves.toBe(content)
    expect(world.lines).toContainEqual(
      expect.objectContaining({ message: 'A site died', key: 'killed', pid, signal: 'SIGKILL' }),
    )
  })

  it('doubles the wait before each restart up to the maximum', async () => {
    const backoff = { initialMs: 1, maxMs: 4, resetAfterMs: 60_000 }
    const world = await startHostingWorld({ siteSource: await createProbeSite(), backoff })
    await world.engine.apply(exitingInstance('loop'), { mayCreate: true })

    const deaths = () => world.lines.filter((line) => line.message === 'A site died')
    await expect.poll(() => deaths().length, pollOptions).toBeGreaterThan(4)
    expect(deaths()[0]).toMatchObject({ waitMs: 1, restarts: 1, code: 7 })
    // Strictly increasing, with gaps: an exit before the pid is recorded is counted but not logged.
    const restarts = deaths().map((line) => Number(line.restarts))
    expect(restarts).toEqual([...new Set(restarts)].sort((first, second) => first - second))
    for (const line of deaths())
      expect(line.waitMs).toBe(Math.min(2 ** (Number(line.restarts) - 1), 4))
  })

  it('apply does not shorten the backoff', async () => {
    const backoff = { initialMs: 3_600_000, maxMs: 3_600_000, resetAfterMs: 60_000 }
    const world = await startHostingWorld({ siteSource: await createProbeSite(), backoff })
    const messages = () => world.lines.map((line) => line.message)
    await world.engine.apply(exitingInstance('loop'), { mayCreate: true })
    await expect.poll(messages, pollOptions).toContain('A site died')

    await world.engine.apply(exitingInstance('loop'), { mayCreate: true })
    expect(messages()).toEqual(['A site started', 'A site died'])
  })

  it('reports a crash loop after the third crash, until another launch runs', async () => {
    const backoff = { initialMs: 1, maxMs: 4, resetAfterMs: 60_000 }
    const { output, notes } = noteCollector()
    const world = await startHostingWorld({ siteSource: await createProbeSite(), backoff, output })
    await world.applyUntilHealthy(instance('loop'))
    const crashFile = join(createLayout(world.dataDir).site('loop').data, 'ends-at-once')
    await writeFile(crashFile, '')
    process.kill(await world.pid('loop'), 'SIGKILL')
    await expect.poll(() => world.engine.problemOf('loop'), pollOptions).toBe('program_crashes')
    expect(world.engine.crashesOf('loop')?.count).toBeGreaterThanOrEqual(3)

    await rm(crashFile)
    await world.applyUntilHealthy(instance('loop', { restarts: 1 }))
    expect(world.engine.crashesOf('loop')).toBeNull()
    expect(world.engine.problemOf('loop')).toBeNull()
    // Only the crashes before the loop are in the site's log.
    expect(notes()).toHaveLength(2)
  })

  it('reports no problem of a site that crashed once', async () => {
    const world = await startHostingWorld()
    await world.applyUntilHealthy(instance('once'))
    const pid = await world.pid('once')
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => world.pid('once').catch(() => pid), pollOptions).not.toBe(pid)
    expect(world.engine.crashesOf('once')).toMatchObject({ count: 1 })
    expect(world.engine.problemOf('once')).toBeNull()
  })

  it('says in the log how a program ended that ran for an hour, and resets the backoff', async () => {
    let now = 0
    const { output, notes } = noteCollector()
    const backoff = { initialMs: 1, maxMs: 1_000, resetAfterMs: 60_000 }
    const world = await startHostingWorld({
      siteSource: await createProbeSite(),
      backoff,
      output,
      now: () => now,
    })
    await world.applyUntilHealthy(instance('hourly'))
    const crash = async (end: (pid: number) => unknown) => {
      const pid = await world.pid('hourly')
      await end(pid)
      await until(async () => (await world.pid('hourly').catch(() => pid)) !== pid)
    }
    await crash((pid) => process.kill(pid, 'SIGKILL'))
    now += 2_000
    await crash((pid) => process.kill(pid, 'SIGKILL'))
    now += 3_600_000
    await crash(() => world.visit('hourly', '/exit').catch(() => undefined))

    await expect
      .poll(notes, pollOptions)
      .toEqual([
        'Slipway: the program ended after 0 seconds by SIGKILL and was started again.',
        'Slipway: the program ended after 2 seconds by SIGKILL and was started again.',
        'Slipway: the program ended after 1 hour with exit code 7 and was started again.',
      ])
    const deaths = world.lines.filter(({ message }) => message === 'A site died')
    expect(deaths.map(({ waitMs }) => waitMs)).toEqual([1, 2, 1])
  })

  it('drops the crashes of a site that has run well since', async () => {
    const world = await startHostingWorld({ steadyMs: 0 })
    await world.applyUntilHealthy(instance('steady'))
    const pid = await world.pid('steady')
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => world.pid('steady').catch(() => pid), pollOptions).not.toBe(pid)
    expect(world.engine.crashesOf('steady')).toBeNull()
  })

  it('restarts a site that runs well between its crashes at once, and reports no loop', async () => {
    const backoff = { initialMs: 1, maxMs: 1_000, resetAfterMs: 0 }
    const world = await startHostingWorld({ backoff, steadyMs: 0 })
    await world.applyUntilHealthy(instance('hourly'))
    for (let crashes = 0; crashes < 3; crashes++) {
      const pid = await world.pid('hourly')
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => world.pid('hourly').catch(() => pid), pollOptions).not.toBe(pid)
    }
    // A running site would have no crashes: the last restart fails.
    const pid = await world.pid('hourly')
    await rename(createLayout(world.dataDir).site('hourly').data, join(world.dataDir, 'hourly'))
    process.kill(pid, 'SIGKILL')
    const messages = () => world.lines.map(({ message }) => message)
    await expect.poll(messages, pollOptions).toContain('A site could not be restarted')
    expect(world.engine.crashesOf('hourly')).toMatchObject({ count: 1 })
    expect(world.engine.problemOf('hourly')).toBeNull()
    const deaths = world.lines.filter(({ message }) => message === 'A site died')
    expect(deaths.map(({ waitMs }) => waitMs)).toEqual([1, 1, 1, 1])
  })

  it('knows no crashes of a site that is stopped', async () => {
    const backoff = { initialMs: 1, maxMs: 4, resetAfterMs: 60_000 }
    const world = await startHostingWorld({ siteSource: await createProbeSite(), backoff })
    await world.engine.apply(exitingInstance('loop'), { mayCreate: true })
    await expect.poll(() => world.engine.problemOf('loop'), pollOptions).toBe('program_crashes')
    await world.engine.apply({ ...exitingInstance('loop'), power: 'stopped' }, { mayCreate: false })
    expect(world.engine.problemOf('loop')).toBeNull()
  })

  it('lists a site that waits for its restart as one that runs', async () => {
    const backoff = { initialMs: 3_600_000, maxMs: 3_600_000, resetAfterMs: 60_000 }
    const world = await startHostingWorld({ siteSource: await createProbeSite(), backoff })
    await world.engine.apply(exitingInstance('waiting'), { mayCreate: true })
    await expect.poll(() => world.engine.crashesOf('waiting'), pollOptions).not.toBeNull()
    expect(await world.engine.list(['waiting'])).toMatchObject([{ running: true }])
  })
})
