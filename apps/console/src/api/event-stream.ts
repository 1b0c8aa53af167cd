import { ApiError } from '@slipway/contract/client'
import type { Endpoint, RequestOf } from '@slipway/contract/endpoint'
import { type StreamedEvent, streamEvents } from '@slipway/contract/event-stream-client'
import { limits } from '@slipway/contract/limits'
import { getLocale } from '@slipway/phrases'
import { apiBase, call, loadErrorText } from './client.ts'
import { sessionToken } from './session.ts'

export type StreamListener = {
  /** Called with the events that arrived together, in order. */
  onEvents: (events: StreamedEvent[]) => void
  onState: (state: 'connected' | 'connecting') => void
  /**
   * Called for a final error, such as a missing project, which ends the stream; and for too many
   * open streams, after which it reconnects.
   */
  onFailure: (error: unknown) => void
}

const options = { base: apiBase, token: sessionToken, locale: getLocale }

/** Waits for the delay, or until the browser is online again or the signal aborts. */
const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const ended = new AbortController()
    const end = () => {
      clearTimeout(timer)
      ended.abort()
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { signal: ended.signal })
    addEventListener('online', end, { signal: ended.signal })
  })

const isFinal = (error: unknown) =>
  error instanceof ApiError && error.status < 500 && error.status !== 429

/**
 * Follows the event stream of an endpoint. Reconnects until it is closed, and resumes after the
 * last received event. Returns a function that closes it.
 */
export function followEvents<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  { onEvents, onState, onFailure }: StreamListener,
): () => void {
  const closing = new AbortController()
  const { signal } = closing
  let lastEventId: string | undefined
  let attempt = 0

  async function connect() {
    for await (const events of streamEvents(
      options,
      endpoint,
      { ...request, lastEventId },
      signal,
    )) {
      attempt = 0
      onState('connected')
      if (events.length === 0) continue
      lastEventId = events.at(-1)?.id
      onEvents(events)
    }
  }

  async function run() {
    while (!signal.aborted) {
      try {
        await connect()
      } catch (error) {
        await loadErrorText(error)
        if (signal.aborted) return
        if (isFinal(error)) {
          // `call` redirects after a lost session; its result is not needed.
          await (call as (...all: unknown[]) => Promise<unknown>)(endpoint, request).catch(
            () => undefined,
          )
          return onFailure(error)
        }
        if (error instanceof ApiError && error.code === 'too_many_streams') onFailure(error)
      }
      if (signal.aborted) return
      onState('connecting')
      const delays = limits.socketReconnectDelays
      await wait(delays[Math.min(attempt++, delays.length - 1)] ?? 0, signal)
    }
  }
  void run()
  return () => closing.abort()
}
