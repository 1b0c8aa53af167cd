import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Log } from '../../../../log.ts'
import { maxLinesAtOnce } from '../../../../logs/log-record.ts'
import { createLogBook } from '../../../../testing/log-book.ts'
import { until } from '../../../../testing/until.ts'
import { errorOfBrokenBody } from '../api/api-error.ts'
import { startApiServer } from '../api/api-server.fixture.ts'
import { createLogFollower, type LogFollowerOptions, type PrintingPod } from './log-follower.ts'

const pod: PrintingPod = {
  key: 'shop',
  namespace: 'slipway-shop',
  name: 'site-1',
  uid: 'u-1',
  createdAt: '2026-11-23T07:00:00Z',
  restarts: 0,
  hasRun: true,
}
const timestamp = (milliseconds: number) =>
  new Date(Date.parse(pod.createdAt) + milliseconds).toISOString()

/**
 * Follows the pods of an API server that responds with these texts, one for each request, and with
 * `before` for the previous container, which is deleted if it is null. Later requests end at once
 * or stay open.
 */
async function follow(
  responses: string[],
  {
    stored = null as string | null,
    before = '' as string | null,
    endsAfterResponses = false,
    log = pino({ level: 'silent' }) as Log,
    time = undefined as LogFollowerOptions['time'],
  } = {},
) {
  const queries: URLSearchParams[] = []
  const { cluster } = await startApiServer((_request, response, url) => {
    queries.push(url.searchParams)
    if (url.searchParams.has('previous') && before === null) response.statusCode = 400
    const text = url.searchParams.has('previous')
      ? (before ?? '{}')
      : (responses.shift() ?? (endsAfterResponses ? '' : undefined))
    // The request stays open: the container prints no more.
    if (text === undefined) response.flushHeaders()
    else response.end(text)
  })
  const lines: string[] = []
  const follower = createLogFollower({
    cluster,
    container: 'site',
    output: {
      add: (key, _source, { time, text }) =>
        void lines.push(`${key} ${new Date(time).toISOString()} ${text}`),
      page: async () =>
        stored === null
          ? []
          : [{ position: '0', time: stored, text: '', request: null, dropped: null }],
    },
    log,
    maxFollowed: 2,
    retry: { initialMs: 1, maxMs: 1 },
    time,
  })
  onTestFinished(() => follower.close())
  return { follower, lines, queries }
}

describe('the follower of logs', () => {
  it('continues after the last line once the connection has ended, without repeating any', async () => {
    const { follower, lines, queries } = await follow([
      `${timestamp(1)} one\n${timestamp(2)} two\n`,
      `${timestamp(2)} two\n${timestamp(3)} three\n`,
    ])
    follower.update('shop', [pod])
    await until(() => queries.length === 3)
    expect(lines).toEqual([
      `shop ${timestamp(1)} one`,
      `shop ${timestamp(2)} two`,
      `shop ${timestamp(3)} three`,
    ])
    expect(queries.map((query) => query.get('sinceTime'))).toEqual([
      null,
      timestamp(2).replace('Z', '000000Z'),
      timestamp(3).replace('Z', '000000Z'),
    ])
    expect(queries[0]?.get('follow')).toBe('true')
  })

  it('continues after the last line that an earlier server has stored', async () => {
    const { follower, queries } = await follow([], { stored: timestamp(500) })
    follower.update('shop', [pod])
    await until(() => queries.length === 1)
    expect(queries[0]?.get('sinceTime')).toBe(timestamp(500))
  })

  it.each([
    ['-05:00', -5],
    ['+03:00', 3],
  ])('continues after the stored line of a node whose time zone is %s', async (zone, hours) => {
    const printedAt = (milliseconds: number) =>
      timestamp(hours * 3_600_000 + milliseconds).replace('Z', `000000${zone}`)
    const { follower, lines } = await follow([`${printedAt(1)} one\n${printedAt(2)} two\n`], {
      stored: timestamp(1),
    })
    follower.update('shop', [pod])
    await until(() => lines.length > 0)
    expect(lines).toEqual([`shop ${timestamp(2)} two`])
  })

  it('reads the end of a container that has been replaced', async () => {
    const before = `${timestamp(1)} one\n${timestamp(2)} its end\n`
    const { follower, lines, queries } = await follow([`${timestamp(1)} one\n`], {
      before,
      endsAfterResponses: true,
    })
    follower.update('shop', [pod])
    await until(() => lines.length === 1)
    follower.update('shop', [{ ...pod, restarts: 1 }])
    await until(() => lines.length === 2)
    expect(lines[1]).toBe(`shop ${timestamp(2)} its end`)
    expect(queries.some((query) => query.get('previous') === 'true')).toBe(true)
  })

  it('continues with a container whose predecessor is deleted', async () => {
    const responses = [`${timestamp(1)} one\n`]
    const { follower, lines, queries } = await follow(responses, {
      before: null,
      endsAfterResponses: true,
    })
    follower.update('shop', [pod])
    await until(() => lines.length === 1)
    follower.update('shop', [{ ...pod, restarts: 1 }])
    await until(() => queries.some((query) => query.has('previous')))
    responses.push(`${timestamp(9)} after the restart\n`)
    await until(() => lines.length === 2)
    expect(lines[1]).toBe(`shop ${timestamp(9)} after the restart`)
  })

  it('follows no pod that has not run, and no more than its limit', async () => {
    const { follower, queries } = await follow([])
    follower.update('shop', [{ ...pod, hasRun: false }])
    for (const name of ['a', 'b', 'c']) follower.update(name, [{ ...pod, key: name, uid: name }])
    await until(() => queries.length === 2)
    expect(queries).toHaveLength(2)
  })

  it('follows a pod above its limit once another one is gone', async () => {
    const texts = Array.from({ length: 1_000 }, (_, index) => `${timestamp(index)} line\n`)
    const { follower, lines } = await follow(texts, { endsAfterResponses: true })
    for (const name of ['a', 'b', 'gone', 'c'])
      follower.update(name, [{ ...pod, key: name, uid: name }])
    const hasLineOf = (name: string) => lines.some((line) => line.startsWith(`${name} `))
    await until(() => hasLineOf('a') && hasLineOf('b'))
    expect(hasLineOf('c')).toBe(false)
    follower.update('gone', [])
    follower.update('a', [])
    await until(() => hasLineOf('c'))
    expect(hasLineOf('gone')).toBe(false)
  })

  it('warns of pods above its limit with one line for many events', async () => {
    const { log, lines } = createLogBook()
    const { follower } = await follow([], { log })
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of [...names, ...names])
      follower.update(name, [{ ...pod, key: name, uid: name }])
    expect(lines).toMatchObject([
      {
        message: 'The output of some sites is not followed: too many are',
        waiting: 1,
        maxFollowed: 2,
      },
    ])
  })

  /** Follows pods that print `count` short lines each, while no time passes. */
  async function followEndless(count: number, pods: string[]) {
    const waits: number[] = []
    const text = `${timestamp(1)} \n`.repeat(count)
    const { follower, lines } = await follow(
      pods.map(() => text),
      { time: { now: () => 0, wait: async (ms) => void waits.push(ms) } },
    )
    for (const uid of pods) follower.update(uid, [{ ...pod, key: uid, uid }])
    await until(() => lines.length === count * pods.length)
    return Math.max(...waits)
  }

  it('reads a limited number of lines of a pod at once', async () => {
    // The last chunk starts when those before it are over.
    const last = await followEndless(40_000, ['a'])
    expect(last).toBeLessThanOrEqual((40_000 / maxLinesAtOnce) * 500)
    expect(last).toBeGreaterThan((30_000 / maxLinesAtOnce) * 500)
  })

  it('reads a limited number of characters of a pod at once', async () => {
    const waits: number[] = []
    const text = `${timestamp(1)} ${'x'.repeat(4_000)}\n`.repeat(1_000)
    const { follower, lines } = await follow([text], {
      time: { now: () => 0, wait: async (ms) => void waits.push(ms) },
    })
    follower.update('shop', [pod])
    await until(() => lines.length === 1_000)
    expect(Math.max(...waits)).toBeGreaterThan(6_000)
  })

  it('reports no failure of a pod that prints nothing for long', async () => {
    const { log, lines } = createLogBook()
    const timeout = Object.assign(new Error('Body Timeout'), { code: 'UND_ERR_BODY_TIMEOUT' })
    let streams = 0
    const follower = createLogFollower({
      cluster: {
        streamLog: () => ({
          [Symbol.asyncIterator]: () => ({
            async next() {
              streams += 1
              throw errorOfBrokenBody('GET /log', 200, timeout)
            },
          }),
        }),
      },
      container: 'site',
      output: { add: () => undefined, page: async () => [] },
      log,
      retry: { initialMs: 1, maxMs: 1 },
    })
    onTestFinished(() => follower.close())
    follower.update('shop', [pod])
    await until(() => streams >= 10)
    expect(lines).toEqual([])
  })
})
