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

/** Lets the request of a ticket end. */
const settle = () => vi.advanceTimersByTimeAsync(0)

async function start(url = async () => 'ws://example.com/common/ws?token=t') {
  const states: ConnectionState[] = []
  const events: unknown[] = []
  const opened: boolean[] = []
  const onSessionEnd = vi.fn()
  const socket = keepSocketOpen({
    url,
    onState: (state) => states.push(state),
    onEvent: (event) => events.push(event),
    onOpen: (isReconnect) => opened.push(isReconnect),
    onSessionEnd,
    WebSocket: FakeSocket as unknown as typeof WebSocket,
  })
  await settle()
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
  it('goes from connecting to connected to disconnected', async () => {
    const { states } = await start()
    FakeSocket.last.onopen?.()
    drop()
    expect(states).toEqual(['connecting', 'connected', 'disconnected'])
  })

  it('sends a ping every 50 seconds until the connection closes', async () => {
    await start()
    const connection = FakeSocket.last
    connection.onopen?.()
    vi.advanceTimersByTime(100_000)
    expect(connection.sent).toEqual(['ping', 'ping'])
    drop()
    await vi.advanceTimersByTimeAsync(500)
    expect(connection.sent).toHaveLength(2)
  })

  it('passes on events and ignores timeout, invalid JSON and unknown kinds', async () => {
    const { events } = await start()
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

  it('reconnects after 1, 5, 10, 15, 30 and then every 30 seconds', async () => {
    await start()
    for (const delay of [1000, 5000, 10_000, 15_000, 30_000, 30_000, 30_000]) {
      const attempts = FakeSocket.all.length
      drop()
      vi.advanceTimersByTime(delay - 1)
      expect(FakeSocket.all).toHaveLength(attempts)
      await vi.advanceTimersByTimeAsync(1)
      expect(FakeSocket.all).toHaveLength(attempts + 1)
    }
  })

  it('restarts the delays once a connection opens, and reports the reconnect', async () => {
    const { opened } = await start()
    FakeSocket.last.onopen?.()
    drop()
    await vi.advanceTimersByTimeAsync(1000)
    drop()
    await vi.advanceTimersByTimeAsync(5000)
    FakeSocket.last.onopen?.()
    drop()
    await vi.advanceTimersByTimeAsync(1000)
    expect(FakeSocket.all).toHaveLength(4)
    expect(opened).toEqual([false, true])
  })

  it('reconnects at once when woken between two attempts', async () => {
    const { socket } = await start()
    drop()
    socket.wake()
    await settle()
    expect(FakeSocket.all).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(FakeSocket.all).toHaveLength(2)
  })

  it('requests a new ticket for each attempt, with the same delays when none is issued', async () => {
    let requests = 0
    const { states } = await start(async () => {
      requests++
      if (requests === 2) throw new Error('no ticket')
      return `ws://example.com/common/ws?token=${requests}`
    })
    expect(FakeSocket.last.url).toContain('token=1')
    drop()
    await vi.advanceTimersByTimeAsync(1000)
    expect(states.at(-1)).toBe('disconnected')
    await vi.advanceTimersByTimeAsync(5000)
    expect(FakeSocket.all.map(({ url }) => url.at(-1))).toEqual(['1', '3'])
  })

  it('opens no connection with a ticket that arrives after a close', async () => {
    let issue = (_url: string) => {}
    const { socket, states } = await start(() => new Promise((resolve) => (issue = resolve)))
    socket.wake()
    socket.close()
    issue('ws://example.com/common/ws?token=t')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(FakeSocket.all).toHaveLength(0)
    expect(states.at(-1)).toBe('disconnected')
  })

  it('ignores a wake while it is connected', async () => {
    const { socket } = await start()
    FakeSocket.last.onopen?.()
    vi.advanceTimersByTime(100_000)
    socket.wake()
    expect(FakeSocket.all).toHaveLength(1)
  })

  it("replaces a connection after the device slept longer than the server's timeout", async () => {
    const { socket } = await start()
    const sleeping = FakeSocket.last
    sleeping.onopen?.()
    vi.setSystemTime(Date.now() + limits.socketSilence + 1)
    socket.wake()
    await settle()
    expect(sleeping.closed).toBe(true)
    expect(FakeSocket.all).toHaveLength(2)
    sleeping.onclose?.({ code: 1006 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(FakeSocket.all).toHaveLength(2)
  })

  it('replaces a connection whose last ping is still in the buffer', async () => {
    const { states } = await start()
    const dead = FakeSocket.last
    dead.onopen?.()
    vi.advanceTimersByTime(50_000)
    dead.bufferedAmount = 8
    await vi.advanceTimersByTimeAsync(50_000)
    expect(dead.sent).toEqual(['ping'])
    expect(dead.closed).toBe(true)
    expect(FakeSocket.all).toHaveLength(2)
    expect(states.at(-1)).toBe('connecting')
    FakeSocket.last.onopen?.()
    expect(states.at(-1)).toBe('connected')
  })

  it('reconnects when woken after a close', async () => {
    const { socket, states, opened } = await start()
    FakeSocket.last.onopen?.()
    socket.close()
    expect(states.at(-1)).toBe('disconnected')
    socket.wake()
    await settle()
    FakeSocket.last.onopen?.()
    expect(FakeSocket.all).toHaveLength(2)
    expect(states.at(-1)).toBe('connected')
    expect(opened).toEqual([false, true])
  })

  it('stays closed and reports it when the session ends', async () => {
    const { onSessionEnd } = await start()
    FakeSocket.last.onopen?.()
    drop(4401)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(onSessionEnd).toHaveBeenCalledOnce()
    expect(FakeSocket.all).toHaveLength(1)
  })

  it('stays closed and ignores events after a close', async () => {
    const { socket, events, states } = await start()
    const connection = FakeSocket.last
    connection.onopen?.()
    socket.close()
    connection.onmessage?.({ data: JSON.stringify(project) })
    connection.onclose?.({ code: 1000 })
    await vi.advanceTimersByTimeAsync(120_000)
    expect(connection.closed).toBe(true)
    expect(events).toEqual([])
    expect(FakeSocket.all).toHaveLength(1)
    expect(states.at(-1)).toBe('disconnected')
  })
})
