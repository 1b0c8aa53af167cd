import { expect, it } from 'vitest'
import { createChangeWaits } from './change-waits.ts'
import { createPodStarts, startsOnFastNodes, startsOnSlowNodes } from './pod-starts.ts'
import type { PodView } from './pod-state.ts'

const keys = Array.from({ length: startsOnSlowNodes }, (_, index) => `site-${index}`)

function createStarts({ hasFastNodes = false } = {}) {
  const closing = new AbortController()
  const pods = new Map<string, PodView>()
  const { notify, untilSeen } = createChangeWaits(closing.signal)
  const requireState = () => ({ pods: (key: string) => [pods.get(key)].filter((pod) => !!pod) })
  const written: string[] = []
  const { limit } = createPodStarts({
    requireState,
    untilSeen,
    hasFastNodes: () => hasFastNodes,
  })
  return {
    written,
    closing,
    start: (key: string, options?: { urgent: boolean }) =>
      limit(key, 'launch', async () => written.push(key), options),
    see(key: string, pod: Partial<PodView>) {
      pods.set(key, { launch: 'launch', hasRun: false, problem: null, ...pod } as PodView)
      notify(key)
    },
  }
}

it.each([
  ['runs', { hasRun: true }],
  ['has a problem', { problem: { kind: 'image_not_found', detail: '', isFinal: true } }],
] as const)('a pod starts once one of the pods that start before it %s', async (_, pod) => {
  const { start, see, written, closing } = createStarts()
  await Promise.all(keys.map((key) => start(key)))
  const next = start('next')
  see('site-3', { launch: 'another launch', hasRun: true })
  see('site-3', {})
  await new Promise(setImmediate)
  expect(written).toEqual(keys)
  see('site-3', pod)
  await next
  expect(written).toEqual([...keys, 'next'])
  closing.abort()
})

it('an urgent start is before those that wait already', async () => {
  const { start, see, written, closing } = createStarts()
  await Promise.all(keys.map((key) => start(key)))
  const others = [start('release'), start('wake', { urgent: true })]
  see('site-0', { hasRun: true })
  see('site-1', { hasRun: true })
  await Promise.all(others)
  expect(written).toEqual([...keys, 'wake', 'release'])
  closing.abort()
})

it('writes that fail pass their errors on, and delay no other', async () => {
  const closing = new AbortController()
  const { untilSeen } = createChangeWaits(closing.signal)
  const { limit } = createPodStarts({
    requireState: () => ({ pods: () => [] }),
    untilSeen,
    hasFastNodes: () => false,
  })
  for (const key of keys) {
    const failing = limit(key, 'launch', () => Promise.reject(new Error('not written')))
    await expect(failing).rejects.toThrow('not written')
  }
  expect(await limit('next', 'launch', async () => 'written')).toBe('written')
  closing.abort()
})

it('on nodes with Kubernetes 1.27 or newer, five times as many pods start at once', async () => {
  const { start, see, written, closing } = createStarts({ hasFastNodes: true })
  const many = Array.from({ length: startsOnFastNodes }, (_, index) => `site-${index}`)
  await Promise.all(many.map((key) => start(key)))
  const next = start('next')
  await new Promise(setImmediate)
  expect(written).toEqual(many)
  see('site-0', { hasRun: true })
  await next
  expect(written).toEqual([...many, 'next'])
  closing.abort()
})
