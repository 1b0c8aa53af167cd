import { mkdir } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createDataFolder } from '../../../testing/data-folder.ts'
import { createLogBook } from '../../../testing/log-book.ts'
import { pollOptions } from '../../../testing/until.ts'
import { createLayout } from './files/layout.ts'
import { instance } from './fixtures/local-engine.fixture.ts'
import { writeApplied } from './process/site-folder.ts'
import { createSiteOutput } from './process/site-output.ts'
import type { SiteProcess } from './process/site-process.ts'
import type { LocalRuntime } from './runtimes/runtime.ts'
import { createSchedules } from './schedules.ts'
import type { Supervisor } from './supervisor/supervisor.ts'

/** The schedules of an engine with running WordPress sites of these keys. */
async function startSchedules(
  keys: readonly string[],
  background: NonNullable<LocalRuntime['background']>,
) {
  const layout = createLayout(await createDataFolder())
  for (const key of keys) {
    await mkdir(layout.site(key).folder, { recursive: true })
    await writeApplied(layout.site(key), instance(key, { runtime: 'wordpress' }), null)
  }
  const running = { current: () => ({ record: { socket: null } }) as SiteProcess } as Supervisor
  const { log, lines } = createLogBook()
  const closing = new AbortController()
  const schedules = createSchedules({
    layout,
    supervisors: new Map(keys.map((key) => [key, running])),
    checked: () => [],
    runtimes: [{ id: 'wordpress', background } as LocalRuntime],
    output: createSiteOutput({ add: () => undefined, flush: async () => undefined }, log),
    logCheckMs: 60_000,
    forkCheckMs: 60_000,
    backgroundMs: 1,
    closing: closing.signal,
    log,
  })
  onTestFinished(() => {
    closing.abort()
    schedules.stop()
  })
  schedules.start()
  return { lines }
}

it('the background work of a site that hangs or fails delays no other site', async () => {
  const done = new Set<string>()
  const { lines } = await startSchedules(
    ['hanging', 'failing', 'first', 'second'],
    async (_socket, { key }, signal) => {
      if (key === 'hanging')
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      if (key === 'failing') throw new Error('no response')
      done.add(key)
    },
  )
  await expect.poll(() => [...done].sort(), pollOptions).toEqual(['first', 'second'])
  await expect.poll(() => lines, pollOptions).toMatchObject([{ level: 'error', key: 'failing' }])
})
