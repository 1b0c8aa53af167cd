import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../../testing/until.ts'
import { ClusterUnreachableError } from '../../engine.ts'
import { ApiError } from './api-error.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import type { Connection } from './connection.ts'

type Behavior = 'response' | 'error' | 'nothing' | 'silence'

const withoutResponse = new ApiError('no response', {
  failure: 'retry',
  status: 0,
  retryAfterMs: undefined,
})
const silent = new ApiError('silent', { failure: 'retry', status: 200, retryAfterMs: undefined })
const overloaded = new ApiError('later', { failure: 'retry', status: 503, retryAfterMs: undefined })

/** A breaker before an API server that behaves as `server.behavior` says. */
function startBreaker(toleranceMs = 0) {
  const server = { behavior: 'response' as Behavior, probes: 0, probing: 0, maxProbing: 0 }
  async function respond() {
    if (server.behavior === 'nothing') throw withoutResponse
    if (server.behavior === 'error') throw overloaded
    if (server.behavior === 'silence') throw silent
    return {}
  }
  const connection: Connection = {
    open: async () => undefined,
    server: async () => new URL('http://localhost'),
    async call(_method, path) {
      if (path !== '/version') return respond()
      server.probes += 1
      server.probing += 1
      server.maxProbing = Math.max(server.maxProbing, server.probing)
      return respond().finally(() => {
        server.probing -= 1
      })
    },
    text: async () => JSON.stringify(await respond()),
    async *lines() {
      yield await respond()
    },
    async *chunks() {
      yield String(await respond())
    },
    close: async () => undefined,
  }
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const breaker = createBreaker({
    name: 'one',
    connection,
    closing: closing.signal,
    log: pino({ level: 'silent' }),
    toleranceMs,
    pause: { initialMs: 1, maxMs: 4 },
  })
  const call = () =>
    breaker.calls.call('GET', '/api/v1/namespaces').then(
      () => 'response',
      (error: unknown) => (error instanceof Error ? error.name : error),
    )
  return { server, breaker, call }
}

const readStream = async ({ watches }: Breaker) => {
  for await (const part of watches.lines('/api/v1/pods')) expect(part).toEqual({})
}

describe('the breaker before a cluster', () => {
  it('rejects calls at once after three in a row without a response', async () => {
    const { server, breaker, call } = startBreaker()
    server.behavior = 'nothing'
    expect([await call(), await call(), await call()]).toEqual(Array(3).fill('ApiError'))
    expect(breaker.isOpen()).toBe(true)
    expect(await call()).toBe(ClusterUnreachableError.name)
  })

  it('stays closed when many calls break at once, as at the restart of an API server', async () => {
    const { server, breaker, call } = startBreaker(600_000)
    server.behavior = 'nothing'
    await Promise.all(Array.from({ length: 20 }, call))
    expect(breaker.isOpen()).toBe(false)
  })

  it('stays closed when a response arrives between failures, even an error response', async () => {
    const { server, breaker, call } = startBreaker()
    for (const behavior of ['nothing', 'nothing', 'error', 'nothing', 'nothing'] as const) {
      server.behavior = behavior
      await call()
    }
    expect(breaker.isOpen()).toBe(false)
  })

  it('sends one probe at a time, and passes calls on once one gets a response', async () => {
    const { server, breaker, call } = startBreaker()
    server.behavior = 'nothing'
    for (let number = 1; number <= 3; number++) await call()
    await until(() => server.probes >= 3)
    expect(server.maxProbing).toBe(1)
    server.behavior = 'error'
    await until(() => !breaker.isOpen())
    server.behavior = 'response'
    expect(await call()).toBe('response')
  })

  it('passes watches on while it is open, and closes when one of them begins', async () => {
    const { server, breaker, call } = startBreaker()
    server.behavior = 'nothing'
    for (let number = 1; number <= 3; number++) await call()
    server.behavior = 'response'
    for await (const line of breaker.watches.lines('/api/v1/pods')) expect(line).toEqual({})
    expect(breaker.isOpen()).toBe(false)
  })

  it('is not changed by streams that end without a part after their response', async () => {
    const { server, breaker, call } = startBreaker()
    server.behavior = 'silence'
    for (let number = 1; number <= 5; number++) await expect(readStream(breaker)).rejects.toThrow()
    expect(breaker.isOpen()).toBe(false)
    server.behavior = 'nothing'
    for (let number = 1; number <= 3; number++) await call()
    server.behavior = 'silence'
    await expect(readStream(breaker)).rejects.toThrow()
    expect(breaker.isOpen()).toBe(true)
  })

  it('does not count calls that their caller has ended', async () => {
    const { server, breaker } = startBreaker()
    server.behavior = 'nothing'
    const signal = AbortSignal.abort()
    for (let number = 1; number <= 3; number++)
      await breaker.calls.call('GET', '/api', { signal }).catch(() => undefined)
    expect(breaker.isOpen()).toBe(false)
  })
})
