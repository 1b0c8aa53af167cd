import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { type ClientOptions, readJson, requestPath } from './client.ts'
import type { Endpoint, RequestOf } from './endpoint.ts'
import { eventStreamType, silenceTimeout } from './event-stream.ts'

export type StreamedEvent = { id: string; data: unknown }

/**
 * Opens the event stream of an endpoint that declares one. Yields lists of events that arrived
 * together; a first, empty list means that the stream is open. Ends with the stream. Rejects with
 * an ApiError for an error response and with the error of `fetch` when the connection is lost, or
 * is silent for `silence` milliseconds.
 */
export async function* streamEvents<E extends Endpoint>(
  options: ClientOptions,
  endpoint: E,
  request: RequestOf<E> & { lastEventId?: string | undefined },
  signal: AbortSignal,
  silence = silenceTimeout,
): AsyncGenerator<StreamedEvent[]> {
  const silent = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const expectBytes = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(), silence)
  }
  expectBytes()
  try {
    yield* readStream(
      options,
      endpoint,
      request,
      AbortSignal.any([signal, silent.signal]),
      expectBytes,
    )
  } finally {
    clearTimeout(timer)
  }
}

async function* readStream<E extends Endpoint>(
  options: ClientOptions,
  endpoint: E,
  request: RequestOf<E> & { lastEventId?: string | undefined },
  signal: AbortSignal,
  onBytes: () => void,
): AsyncGenerator<StreamedEvent[]> {
  const token = options.token()
  const { lastEventId } = request
  const response = await (options.fetch ?? fetch)(
    options.base + requestPath(endpoint, request as never),
    {
      headers: {
        Accept: eventStreamType,
        'Accept-Language': options.locale(),
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
      },
      signal,
    },
  )
  if (!response.ok || !response.body) {
    await readJson(response)
    return
  }
  let events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => events.push(event) })
  yield []
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    onBytes()
    parser.feed(value)
    if (events.length === 0) continue
    yield events.map(({ id = '', data }) => ({ id, data: JSON.parse(data) }))
    events = []
  }
}
