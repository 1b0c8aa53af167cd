import { describe, expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../../testing/data-folder.ts'
import { startHostingWorld } from '../../../../testing/hosting-world.ts'
import { isAlive } from '../../../../testing/processes.ts'
import { pollOptions } from '../../../../testing/until.ts'
import { applyAndKill, instance, noteCollector } from '../fixtures/local-engine.fixture.ts'
import { watchForHang } from './hang-watch.ts'

const never = 3_600_000

/** A process with scripted responses; resolves when the watch reports a hang. */
const watchResponses = async (responses: readonly boolean[], startMs = never) => {
  const { promise, resolve } = Promise.withResolvers<'hangs' | 'lives'>()
  let checks = 0
  const responds = async () => {
    const response = responses[checks]
    checks += 1
    if (response === undefined) resolve('lives')
    return response ?? true
  }
  const rules = { intervalMs: 1, failures: 3, startMs }
  onTestFinished(watchForHang(rules, responds, () => resolve('hangs')))
  return { outcome: await promise, checks }
}

describe('watchForHang', () => {
  const [yes, no] = [true, false]

  it('three failed checks in a row are a hang', async () => {
    const responses = [yes, no, no, yes, no, no, no, yes]
    await expect(watchResponses(responses)).resolves.toEqual({ outcome: 'hangs', checks: 7 })
  })

  it('a response resets the failed checks', async () => {
    const responses = [yes, no, no, yes, no, no, yes]
    await expect(watchResponses(responses)).resolves.toMatchObject({ outcome: 'lives' })
  })

  it('the grace period applies until the first response', async () => {
    await expect(watchResponses([no, no, no, no, yes])).resolves.toMatchObject({ outcome: 'lives' })
    const late = await watchResponses([no, no, no, no, yes], 0)
    expect(late).toEqual({ outcome: 'hangs', checks: 3 })
  })
})

describe('a hanging site (SIGSTOP)', () => {
  const hang = { intervalMs: 50, timeoutMs: 1_000, failures: 3, startMs: 5_000 }

  it('a hanging site is killed and restarted, and other sites are not', async () => {
    const { output, notes } = noteCollector()
    const world = await startHostingWorld({ hang, output })
    await Promise.all([
      world.applyUntilHealthy(instance('stands')),
      world.applyUntilHealthy(instance('runs')),
    ])
    const [stands, runs] = [await world.pid('stands'), await world.pid('runs')]

    process.kill(stands, 'SIGSTOP')

    await expect.poll(() => isAlive(stands), pollOptions).toBe(false)
    await expect.poll(() => world.engine.isHealthy(instance('stands')), pollOptions).toBe(true)
    await expect(world.pid('stands')).resolves.not.toBe(stands)
    await expect(world.pid('runs')).resolves.toBe(runs)
    const messages = world.lines.filter(({ pid }) => pid === stands).map(({ message }) => message)
    expect(messages).toEqual(['A site started', 'A site hangs and is killed', 'A site died'])
    const note =
      /^Slipway: the program stopped responding, was killed after .+ and was started again\.$/
    await expect.poll(notes, pollOptions).toEqual([expect.stringMatching(note)])
  })

  it('a hanging site can be removed', async () => {
    const world = await startHostingWorld({
      times: { stopGraceMs: 100 },
      hang: { intervalMs: never },
    })
    await world.applyUntilHealthy(instance('stands'))
    const pid = await world.pid('stands')
    process.kill(pid, 'SIGSTOP')
    await world.engine.remove('stands')
    await expect(isAlive(pid)).resolves.toBe(false)
  })

  it('a hanging site is a 504, and responds again when it continues', async () => {
    const world = await startHostingWorld({ hang: { intervalMs: never }, responseTimeoutMs: 200 })
    await world.applyUntilHealthy(instance('stands'))
    const pid = await world.pid('stands')
    process.kill(pid, 'SIGSTOP')
    const response = await world.visit('stands', '/', { accept: 'text/html' })
    expect(response.status).toBe(504)
    expect(response.body).toContain('<h1>')
    process.kill(pid, 'SIGCONT')
    await expect.poll(async () => (await world.visit('stands', '/')).status, pollOptions).toBe(200)
  })

  it('a restarted engine detects a hanging site', async () => {
    const dataDir = await createDataFolder()
    const pid = await applyAndKill(dataDir, instance('stands'))
    process.kill(pid, 'SIGSTOP')
    const world = await startHostingWorld({ dataDir, hang })
    await expect.poll(() => isAlive(pid), pollOptions).toBe(false)
    await world.applyUntilHealthy(instance('stands'))
  })
})
