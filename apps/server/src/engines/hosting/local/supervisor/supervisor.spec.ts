import { describe, expect, it } from 'vitest'
import { startHostingWorld } from '../../../../testing/hosting-world.ts'
import { pollOptions } from '../../../../testing/until.ts'
import { contentOf, instance, probeSite } from '../fixtures/local-engine.fixture.ts'

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
    const world = await startHostingWorld({ siteSource: probeSite, backoff })
    await world.engine.apply(exitingInstance('loop'), { mayCreate: true })

    const deaths = () => world.lines.filter((line) => line.message === 'A site died')
    await expect.poll(() => deaths().length, pollOptions).toBeGreaterThan(4)
    expect(deaths()[0]).toMatchObject({ waitMs: 1, restarts: 1, code: 7 })
    // Strictly increasing, with gaps: an exit before the pid is recorded is counted but not logged.
    const restarts = deaths().map((line) => Number(line.restarts))
    expect(restarts).toEqual([...new Set(restarts)].sort((one, other) => one - other))
    for (const line of deaths())
      expect(line.waitMs).toBe(Math.min(2 ** (Number(line.restarts) - 1), 4))
  })

  it('apply does not shorten the backoff', async () => {
    const backoff = { initialMs: 3_600_000, maxMs: 3_600_000, resetAfterMs: 60_000 }
    const world = await startHostingWorld({ siteSource: probeSite, backoff })
    const messages = () => world.lines.map((line) => line.message)
    await world.engine.apply(exitingInstance('loop'), { mayCreate: true })
    await expect.poll(messages, pollOptions).toContain('A site died')

    await world.engine.apply(exitingInstance('loop'), { mayCreate: true })
    expect(messages()).toEqual(['A site started', 'A site died'])
  })
})
