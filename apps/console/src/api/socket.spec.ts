import { limits } from '@slipway/contract/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ConnectionState, keepSocketOpen } from './socket.ts'

/** A WebSocket that the test opens, sends through and closes. */
class FakeSocket {
  static all: FakeSocket[] = []
  readonly sent: string[] = []
  closed = false
  bufferedAmount = 0
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  readonly url: string

  constructor(url: string) {
    this.url = url
    FakeSocket.all.push(this)
  }

  static get last() {
    const connection = FakeSocket.all.at(-1)
    if (!connection) throw new Error('No socket was opened')
    return connection
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
    onOpen: (isReconnect) => opened.push(isReconnect),
    onSessionEnd,
    WebSocket: FakeSocket as unknown as typeof WebSocket,
  })
  return { socket, states, events, opened, onSessionEnd }
}

const drop = (code = 1006) => FakeSocket.last.onclose?.({ code })

beforeEach(() => {
  FakeSocket.all = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('keepSocketOpen', () => {
  it('goes from connecting to connected to disconnected', () => {
    const { states } = start()
    FakeSocket.last.onopen?.()
    drop()
    expect(states).toEqual(['connecting', 'connected', 'disconnected'])
  })

  it('sends a ping every 50 seconds until the connection closes', () => {
    start()
    const connection = FakeSocket.last
    connection.onopen?.()
    vi.advanceTimersByTime(100_000)
    expect(connection.sent).toEqual(['ping', 'ping'])
    drop()
    vi.advanceTimersByTime(500)
    expect(connection.sent).toHaveLength(2)
  })

  it('passes on events and ignores timeout, invalid JSON and unknown kinds', () => {
    const { events } = start()
    FakeSocket.last.onopen?.()
    for (const data of [
      'timeout',
      'not json',
      '{"kind":"Weather","data":{}}',
      '{"kind":"Project","data":{}}',
      'null',
      new ArrayBuffer(2),
      JSON.stringify(project),
    ])
      FakeSocket.last.onmessage?.({ data })
    expect(events).toEqual([project])
  })

  it('reconnects after 1, 5, 10, 15, 30 and then every 30 seconds', () => {
    start()
    for (const delay of [1000, 5000, 10_000, 15_000, 30_000, 30_000, 30_000]) {
      const attempts = FakeSocket.all.length
      drop()
      vi.advanceTimersByTime(delay - 1)
      expect(FakeSocket.all).toHaveLength(attempts)
      vi.advanceTimersByTime(1)
      expect(FakeSocket.all).toHaveLength(attempts + 1)
    }
  })

  it('restarts the delays once a connection opens, and reports the reconnect', () => {
    const { opened } = start()
    FakeSocket.last.onopen?.()
    drop()
    vi.advanceTimersByTime(1000)
    drop()
    vi.advanceTimersByTime(5000)
    FakeSocket.last.onopen?.()
    drop()
    vi.advanceTimersByTime(1000)
    expect(FakeSocket.all).toHaveLength(4)
    expect(opened).toEqual([false, true])
  })

  it('reconnects at once when woken between two attempts', () => {
    const { socket } = start()
    drop()
    socket.wake()
    expect(FakeSocket.all).toHaveLength(2)
    vi.advanceTimersByTime(60_000)
    expect(FakeSocket.all).toHaveLength(2)
  })

  it('ignores a wake while it is connected', () => {
    const { socket } = start()
    FakeSocket.last.onopen?.()
    vi.advanceTimersByTime(100_000)
    socket.wake()
    expect(FakeSocket.all).toHaveLength(1)
  })

  it("replaces a connection after the device slept longer than the server's timeout", () => {
    const { socket } = start()
    const sleeping = FakeSocket.last
    sleeping.onopen?.()
    vi.setSystemTime(Date.now() + limits.socketSilence + 1)
    socket.wake()
    expect(sleeping.closed).toBe(true)
    expect(FakeSocket.all).toHaveLength(2)
    sleeping.onclose?.({ code: 1006 })
    vi.advanceTimersByTime(60_000)
    expect(FakeSocket.all).toHaveLength(2)
  })

  it('replaces a connection whose last ping is still in the buffer', () => {
    const { states } = start()
    const dead = FakeSocket.last
    dead.onopen?.()
    vi.advanceTimersByTime(50_000)
    dead.bufferedAmount = 8
    vi.advanceTimersByTime(50_000)
    expect(dead.sent).toEqual(['ping'])
    expect(dead.closed).toBe(true)
    expect(FakeSocket.all).toHaveLength(2)
    expect(states.at(-1)).toBe('connecting')
    FakeSocket.last.onopen?.()
    expect(states.at(-1)).toBe('connected')
  })

  it('reconnects when woken after a close', () => {
    const { socket, states, opened } = start()
    FakeSocket.last.onopen?.()
    socket.close()
    expect(states.at(-1)).toBe('disconnected')
    socket.wake()
    FakeSocket.last.onopen?.()
    expect(FakeSocket.all).toHaveLength(2)
    expect(states.at(-1)).toBe('connected')
    expect(opened).toEqual([false, true])
  })

  it('stays closed and reports it when the session ends', () => {
    const { onSessionEnd } = start()
    FakeSocket.last.onopen?.()
    drop(4401)
    vi.advanceTimersByTime(120_000)
    expect(onSessionEnd).toHaveBeenCalledOnce()
    expect(FakeSocket.all).toHaveLength(1)
  })

  it('stays closed and ignores events after a close', () => {
    const { socket, events, states } = start()
    const connection = FakeSocket.last
    connection.onopen?.()
    socket.close()
    connection.onmessage?.({ data: JSON.stringify(project) })
    connection.onclose?.({ code: 1000 })
    vi.advanceTimersByTime(120_000)
    expect(connection.closed).toBe(true)
    expect(events).toEqual([])
    expect(FakeSocket.all).toHaveLength(1)
    expect(states.at(-1)).toBe('disconnected')
  })
})
