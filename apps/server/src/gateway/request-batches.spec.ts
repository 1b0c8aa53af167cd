import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FinishedRequest } from './finished-request.ts'
import { createRequestBatches } from './request-batches.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const requestTo = (path: string): FinishedRequest => ({
  key: 'site',
  time: 0,
  method: 'GET',
  host: 'site.test',
  path,
  status: 200,
  isOffline: false,
  bytes: 1,
  duration: 1,
  referrer: undefined,
  agent: undefined,
  address: '192.0.2.1',
})

function createBatches() {
  const handled: string[] = []
  return { handled, ...createRequestBatches(({ path }) => handled.push(path)) }
}

describe('a batch of finished requests', () => {
  it('is handled in order 20 ms after its first request', () => {
    const { add, handled } = createBatches()
    add(requestTo('/1'))
    vi.advanceTimersByTime(10)
    add(requestTo('/2'))
    vi.advanceTimersByTime(9)
    expect(handled).toEqual([])
    vi.advanceTimersByTime(1)
    expect(handled).toEqual(['/1', '/2'])
    add(requestTo('/3'))
    vi.advanceTimersByTime(19)
    expect(handled).toHaveLength(2)
    vi.advanceTimersByTime(1)
    expect(handled).toHaveLength(3)
  })

  it('is handled at once when it is full', () => {
    const { add, handled } = createBatches()
    for (let number = 1; number <= 257; number++) add(requestTo(`/${number}`))
    expect(handled).toHaveLength(256)
    vi.advanceTimersByTime(20)
    expect(handled.at(-1)).toBe('/257')
    expect(handled).toHaveLength(257)
  })

  it('is handled once when it is flushed', () => {
    const { add, flush, handled } = createBatches()
    add(requestTo('/'))
    flush()
    expect(handled).toEqual(['/'])
    vi.advanceTimersByTime(20)
    flush()
    expect(handled).toEqual(['/'])
  })
})
