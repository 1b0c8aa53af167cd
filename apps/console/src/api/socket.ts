import { type Event, event } from '@slipway/contract/events'
import { limits } from '@slipway/contract/limits'

export type ConnectionState = 'disconnected' | 'connecting' | 'connected'

/** The server closes the socket of an ended session with this code (RFC 6455 §7.4.2: 4000-4999). */
const sessionEnded = 4401

export type SocketOptions = {
  /** The URL of the next connection, with a new ticket. If it rejects, the next attempt follows. */
  url: () => Promise<string>
  onState: (state: ConnectionState) => void
  onEvent: (event: Event) => void
  /** A connection opened. After a reconnect, events may have been missed. */
  onOpen: (isReconnect: boolean) => void
  onSessionEnd: () => void
  WebSocket?: typeof globalThis.WebSocket
  now?: () => number
}

function parseEvent(text: unknown): Event | null {
  if (typeof text !== 'string' || text === 'timeout') return null
  try {
    const parsed = event.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch (error) {
    // A proxy or a newer server may send text that is not JSON.
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/**
 * Keeps a socket open: pings, and reconnects after the delays of `limits.socketReconnectDelays`,
 * which restart once a connection opens. `wake` reconnects at once if no connection is open or
 * requested, or if the device slept longer than the server's timeout. `close` disconnects until the
 * next `wake`.
 */
export function keepSocketOpen(options: SocketOptions) {
  const { now = Date.now } = options
  const WebSocket = options.WebSocket ?? globalThis.WebSocket
  let socket: WebSocket | null = null
  /** The current attempt while it requests its URL. */
  let requesting: symbol | null = null
  let pinging: ReturnType<typeof setInterval> | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let openedBefore = false
  let lastPing = 0

  async function connect() {
    clearTimeout(waiting)
    options.onState('connecting')
    const attempt = Symbol()
    requesting = attempt
    // After any failure, the next attempt requests another ticket.
    const url = await options.url().catch(() => null)
    if (requesting !== attempt) return
    requesting = null
    if (url === null) return retry()
    open(url)
  }

  function retry() {
    options.onState('disconnected')
    waiting = setTimeout(connect, nextDelay())
  }

  function open(url: string) {
    const opened = new WebSocket(url)
    socket = opened

    opened.onopen = () => {
      if (socket !== opened) return
      failures = 0
      lastPing = now()
      pinging = setInterval(() => {
        // The previous ping is still in the buffer: the connection is dead.
        if (opened.bufferedAmount > 0) return reconnect()
        lastPing = now()
        opened.send('ping')
      }, limits.socketPing)
      options.onState('connected')
      options.onOpen(openedBefore)
      openedBefore = true
    }
    opened.onmessage = ({ data }) => {
      const parsed = socket === opened ? parseEvent(data) : null
      if (parsed) options.onEvent(parsed)
    }
    opened.onclose = ({ code }) => {
      if (socket !== opened) return
      disconnect()
      if (code !== sessionEnded) return retry()
      options.onState('disconnected')
      options.onSessionEnd()
    }
  }

  function nextDelay() {
    const delays = limits.socketReconnectDelays
    const delay = delays[Math.min(failures, delays.length - 1)]
    failures++
    return delay
  }

  function disconnect() {
    clearInterval(pinging)
    clearTimeout(waiting)
    requesting = null
    const previous = socket
    socket = null
    previous?.close()
  }

  function reconnect() {
    disconnect()
    failures = 0
    void connect()
  }

  void connect()
  return {
    wake() {
      const hasSlept = pinging !== undefined && now() - lastPing > limits.socketSilence
      if ((!socket && !requesting) || hasSlept) reconnect()
    },
    close() {
      disconnect()
      options.onState('disconnected')
    },
  }
}
