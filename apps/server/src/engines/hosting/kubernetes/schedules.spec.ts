import type { Runtime } from '@slipway/contract/runtimes'
import { expect, it, onTestFinished } from 'vitest'
import { createLogBook } from '../../../testing/log-book.ts'
import { pollOptions } from '../../../testing/until.ts'
import type { ClusterState } from './cluster-state.ts'
import type { InstanceTable } from './instance-table.ts'
import type { ClusterRuntime } from './runtimes/cluster-runtime.ts'
import { createSchedules } from './schedules.ts'

/** The schedules of an engine with these sites; those without an address do not run. */
function startSchedules(
  sites: Record<string, { runtime: Runtime; host: string | null }>,
  background: NonNullable<ClusterRuntime['background']>,
) {
  const { log, lines } = createLogBook()
  const closing = new AbortController()
  const state = {
    isSynced: () => true,
    keys: () => Object.keys(sites),
    namespace: (key: string) => ({
      record: { instance: { runtime: sites[key]?.runtime, hosts: [`${key}.test`] } },
    }),
  } as unknown as ClusterState
  const table = {
    find(key: string) {
      const host = sites[key]?.host ?? null
      return { address: host === null ? null : { host, port: 9000 } }
    },
  } as unknown as InstanceTable
  const schedules = createSchedules({
    state: () => state,
    isReachable: () => true,
    runtimes: new Map([['wordpress', { background } as ClusterRuntime]]),
    table,
    repair: () => undefined,
    closing: closing.signal,
    log,
    times: { sleepCheckMs: 1, repairMs: 60_000, backgroundMs: 1 },
  })
  onTestFinished(() => {
    closing.abort()
    schedules.stop()
  })
  schedules.start({ sleeps: false })
  return { lines }
}

it('the background work runs in each site with a pod and such work, also after a failure', async () => {
  const calls: string[] = []
  const { lines } = startSchedules(
    {
      asleep: { runtime: 'wordpress', host: null },
      node: { runtime: 'node', host: '192.0.2.1' },
      first: { runtime: 'wordpress', host: '192.0.2.2' },
      second: { runtime: 'wordpress', host: '192.0.2.3' },
    },
    async (address, { hosts }) => {
      calls.push(`${'host' in address && address.host} ${hosts}`)
      if (hosts[0] === 'first.test') throw new Error('no response')
    },
  )
  await expect.poll(() => calls.length, pollOptions).toBeGreaterThanOrEqual(4)
  const each = ['192.0.2.2 first.test', '192.0.2.3 second.test']
  expect(calls.slice(0, 4)).toEqual([...each, ...each])
  expect(lines[0]).toMatchObject({ key: 'first', message: 'The background work of a site failed' })
})

it('a site whose background work hangs does not delay the next one', async () => {
  const calls: string[] = []
  startSchedules(
    {
      hanging: { runtime: 'wordpress', host: '192.0.2.2' },
      next: { runtime: 'wordpress', host: '192.0.2.3' },
    },
    (_address, { hosts }, signal) => {
      calls.push(String(hosts))
      if (hosts[0] !== 'hanging.test') return Promise.resolve()
      return new Promise((_, reject) => signal.addEventListener('abort', reject))
    },
  )
  await expect.poll(() => calls, pollOptions).toEqual(['hanging.test', 'next.test'])
})
