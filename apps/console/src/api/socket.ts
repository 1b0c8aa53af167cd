import { type Event, event } from '@slipway/contract/events'
import { limits } from '@slipway/contract/limits'

export type ConnectionState = 'disconnected' | 'connecting' | 'connected'

/** The server closes the socket of an ended session with this code (RFC 6455 §7.4.2: 4000-4999). */
const sessionEnded = 4401

export type SocketOptions = {
  /** The URL of the next connection, with the current token. */
  url: () => string
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
 * which restart once a connection opens. `wake` reconnects at once if no connection is open, or if
 * the device slept longer than the server's timeout. `close` disconnects until the next `wake`.
 */
export function keepSocketOpen(options: SocketOptions) {
  const { now = Date.now } = options
  const WebSocket = options.WebSocket ?? globalThis.WebSocket
  let socket: WebSocket | null = null
  let pinging: ReturnType<typeof setInterval> | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let openedBefore = false
  let lastPing = 0

  function connect() {
    clearTimeout(waiting)
    const opened = new WebSocket(options.url())
    socket = opened
    options.onState('connecting')

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
      options.onState('disconnected')
      if (code === sessionEnded) options.onSessionEnd()
      else waiting = setTimeout(connect, nextDelay())
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
    const previous = socket
    socket = null
    previous?.close()
  }

  function reconnect() {
    disconnect()
    failures = 0
    connect()
  }

  connect()
  return {
    wake() {
      const hasSlept = pinging !== undefined && now() - lastPing > limits.socketSilence
      if (!socket || hasSlept) reconnect()
    },
    close() {
      disconnect()
      options.onState('disconnected')
    },
  }
}
