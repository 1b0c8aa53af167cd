import { limits } from '@slipway/contract/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ConnectionState, keepSocketOpen } from './socket.ts'

/** The network's end of a socket: the test opens it, speaks through it and closes it. */
class Line {
  static all: Line[] = []
  readonly sent: string[] = []
  closed = false
  bufferedAmount = 0
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  readonly url: string

  constructor(url: string) {
    this.url = url
    Line.all.push(this)
  }

  static get last() {
    const line = Line.all.at(-1)
    if (!line) throw new Error('No socket was asked for')
    return line
  }

  send(text: string) {
    this.sent.push(text)
  }

  close() {
    this.closed = true
  }
}

const project = { kind: 'Project', data: { type: 'Updated', projectId: 'p1' } }

function start() {
  const states: ConnectionState[] = []
  const events: unknown[] = []
  const opened: boolean[] = []
  const onSessionEnd = vi.fn()
  const socket = keepSocketOpen({
    url: () => 'ws://example.com/common/ws?token=t',
    onState: (state) => states.push(state),
    onEvent: (event) => events.push(event),
    onOpen: (again) => opened.push(again),
    onSessionEnd,
    WebSocket: Line as unknown as typeof WebSocket,
  })
  return { socket, states, events, opened, onSessionEnd }
}

const drop = (code = 1006) => Line.last.onclose?.({ code })

beforeEach(() => {
  Line.all = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('keepSocketOpen', () => {
  it('goes from connecting to connected to disconnected', () => {
    const { states } = start()
    Line.last.onopen?.()
    drop()
    expect(states).toEqual(['connecting', 'connected', 'disconnected'])
  })

  it('says ping every 50 seconds, and nothing once it is closed', () => {
    start()
    const line = Line.last
    line.onopen?.()
    vi.advanceTimersByTime(100_000)
    expect(line.sent).toEqual(['ping', 'ping'])
    drop()
    vi.advanceTimersByTime(500)
    expect(line.sent).toHaveLength(2)
  })

  it('hands over events, and drops timeout, what is not JSON and what it does not know', () => {
    const { events } = start()
    Line.last.onopen?.()
    for (const data of [
      'timeout',
      'not json',
      '{"kind":"Weather","data":{}}',
      '{"kind":"Project","data":{}}',
      'null',
      new ArrayBuffer(2),
      JSON.stringify(project),
    ])
      Line.last.onmessage?.({ data })
    expect(events).toEqual([project])
  })

  it('connects again after 1, 5, 10, 15, 30 and then always 30 seconds', () => {
    start()
    for (const delay of [1000, 5000, 10_000, 15_000, 30_000, 30_000, 30_000]) {
      const tried = Line.all.length
      drop()
      vi.advanceTimersByTime(delay - 1)
      expect(Line.all).toHaveLength(tried)
      vi.advanceTimersByTime(1)
      expect(Line.all).toHaveLength(tried + 1)
    }
  })

  it('starts the delays over after a connection has opened, and says that it opened again', () => {
    const { opened } = start()
    Line.last.onopen?.()
    drop()
    vi.advanceTimersByTime(1000)
    drop()
    vi.advanceTimersByTime(5000)
    Line.last.onopen?.()
    drop()
    vi.advanceTimersByTime(1000)
    expect(Line.all).toHaveLength(4)
    expect(opened).toEqual([false, true])
  })

  it('connects at once when it is woken while it waits', () => {
    const { socket } = start()
    drop()
    socket.wake()
    expect(Line.all).toHaveLength(2)
    vi.advanceTimersByTime(60_000)
    expect(Line.all).toHaveLength(2)
  })

  it('is not disturbed by a wake while it is connected', () => {
    const { socket } = start()
    Line.last.onopen?.()
    vi.advanceTimersByTime(100_000)
    socket.wake()
    expect(Line.all).toHaveLength(1)
  })

  it('replaces a connection that slept longer than the server waits', () => {
    const { socket } = start()
    const slept = Line.last
    slept.onopen?.()
    vi.setSystemTime(Date.now() + limits.socketSilence + 1)
    socket.wake()
    expect(slept.closed).toBe(true)
    expect(Line.all).toHaveLength(2)
    slept.onclose?.({ code: 1006 })
    vi.advanceTimersByTime(60_000)
    expect(Line.all).toHaveLength(2)
  })

  it('replaces a connection that has not sent the last ping', () => {
    const { states } = start()
    const dead = Line.last
    dead.onopen?.()
    vi.advanceTimersByTime(50_000)
    dead.bufferedAmount = 8
    vi.advanceTimersByTime(50_000)
    expect(dead.sent).toEqual(['ping'])
    expect(dead.closed).toBe(true)
    expect(Line.all).toHaveLength(2)
    expect(states.at(-1)).toBe('connecting')
    Line.last.onopen?.()
    expect(states.at(-1)).toBe('connected')
  })

  it('is woken again after it was closed', () => {
    const { socket, states, opened } = start()
    Line.last.onopen?.()
    socket.close()
    expect(states.at(-1)).toBe('disconnected')
    socket.wake()
    Line.last.onopen?.()
    expect(Line.all).toHaveLength(2)
    expect(states.at(-1)).toBe('connected')
    expect(opened).toEqual([false, true])
  })

  it('ends for good, and says so, when the session has ended', () => {
    const { onSessionEnd } = start()
    Line.last.onopen?.()
    drop(4401)
    vi.advanceTimersByTime(120_000)
    expect(onSessionEnd).toHaveBeenCalledOnce()
    expect(Line.all).toHaveLength(1)
  })

  it('ends for good when it is closed, and hears nothing more', () => {
    const { socket, events, states } = start()
    const line = Line.last
    line.onopen?.()
    socket.close()
    line.onmessage?.({ data: JSON.stringify(project) })
    line.onclose?.({ code: 1000 })
    vi.advanceTimersByTime(120_000)
    expect(line.closed).toBe(true)
    expect(events).toEqual([])
    expect(Line.all).toHaveLength(1)
    expect(states.at(-1)).toBe('disconnected')
  })
})
