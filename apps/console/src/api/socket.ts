import { type Event, event } from '@slipway/contract/events'
import { limits } from '@slipway/contract/limits'

export type ConnectionState = 'disconnected' | 'connecting' | 'connected'

/** The server closes the socket of an ended session with this code (RFC 6455 §7.4.2: 4000-4999). */
const sessionEnded = 4401

export type SocketOptions = {
  /** The address for the next connection, with the token that holds then. */
  url: () => string
  onState: (state: ConnectionState) => void
  onEvent: (event: Event) => void
  /** A connection opened; `again` when there was one before, so that something may have been missed. */
  onOpen: (again: boolean) => void
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
    // Not JSON: a proxy's or a newer server's word, which is not for us.
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/**
 * Keeps a socket open: pings, and connects again after the delays of `limits.socketReconnectDelays`,
 * which start over after a connection has opened. `wake` connects at once when none is open, or when
 * the open one has slept so long that the server has given it up. `close` ends it until it
 * is woken.
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
        // The ping before has not gone out: nobody is there any more, and it would take long to be told so.
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
      leave()
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

  function leave() {
    clearInterval(pinging)
    clearTimeout(waiting)
    const left = socket
    socket = null
    left?.close()
  }

  function reconnect() {
    leave()
    failures = 0
    connect()
  }

  connect()
  return {
    wake() {
      const asleep = pinging !== undefined && now() - lastPing > limits.socketSilence
      if (!socket || asleep) reconnect()
    },
    close() {
      leave()
      options.onState('disconnected')
    },
  }
}
