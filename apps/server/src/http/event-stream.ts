import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { eventStreamType, heartbeatInterval } from '@slipway/contract/event-stream'
import { second } from '@slipway/contract/limits'
import { serviceLimits } from '@slipway/contract/service-limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, tooOften } from '../problem.ts'
import { createUserSlots } from '../user-slots.ts'

export type StreamedEvent = { id: string; data: unknown }

/** The source of a stream, which is polled until the stream ends. */
export type EventFeed = {
  /** The events since the last call, in order. */
  read(): Promise<readonly StreamedEvent[]>
  /** Throws a problem when the caller may no longer read. */
  check(): Promise<void>
}

const pollInterval = second / 2
/** How often session and permission are checked. */
const checkInterval = 3 * second
/** How long a client may read nothing while events are pending. */
const stallTimeout = 30 * second
/** Retry-After when too many streams are open, in seconds. */
const retryAfter = 30

/** True for a caller that prefers events. Browsers send this type with every `EventSource`. */
export const wantsEvents = ({ headers }: FastifyRequest) =>
  headers.accept?.toLowerCase().includes(eventStreamType) === true

/** Ids of this service have at most 100 characters; others are ignored. */
export const lastEventId = ({ headers }: FastifyRequest) => {
  const id = headers['last-event-id']
  return typeof id === 'string' && id.length <= 100 ? id : undefined
}

const encode = ({ id, data }: StreamedEvent) => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`

/** The event streams of one server: their number is limited, and they end when it closes. */
export function createEventStreams({ stalledAfter = stallTimeout } = {}) {
  const closing = new AbortController()
  const slots = createUserSlots({
    perUser: serviceLimits.streamsPerUser,
    total: serviceLimits.streamsPerServer,
  })
  /** The open streams by the session or personal token that opened them. */
  const controllersByLogin = new Map<string, Set<AbortController>>()

  /** Returns the function that releases the slot. */
  function acquireSlot(userId: string) {
    if (closing.signal.aborted) throw new Problem('unavailable', { retryAfter })
    const slot = slots.take(userId)
    if (slot === 'user') throw tooOften('too_many_streams', retryAfter)
    if (slot === 'process') throw new Problem('unavailable', { retryAfter })
    return slot
  }

  /** The signal of a stream aborts when the server closes, the login ends, or `end` is called. */
  function registerStream(loginId: string) {
    const controller = new AbortController()
    const controllers = controllersByLogin.get(loginId) ?? new Set()
    controllersByLogin.set(loginId, controllers.add(controller))
    return {
      signal: AbortSignal.any([closing.signal, controller.signal]),
      end: () => controller.abort(),
      unregister() {
        controllers.delete(controller)
        if (controllers.size === 0) controllersByLogin.delete(loginId)
      },
    }
  }

  async function* eventsOf(feed: EventFeed, first: readonly StreamedEvent[], signal: AbortSignal) {
    // Sent at once: a client knows that the stream is open before the first event.
    yield `retry: ${second}\n\n`
    let events = first
    let [checkedAt, sentAt] = [performance.now(), performance.now()]
    for (;;) {
      if (events.length > 0) yield events.map(encode).join('')
      else if (performance.now() - sentAt >= heartbeatInterval) yield ': still open\n\n'
      if (events.length > 0 || performance.now() - sentAt >= heartbeatInterval)
        sentAt = performance.now()
      try {
        await delay(pollInterval, undefined, { signal })
        if (performance.now() - checkedAt >= checkInterval) {
          await feed.check()
          checkedAt = performance.now()
        }
        events = await feed.read()
      } catch (error) {
        // The server closes, or the session or the permission has ended.
        if (signal.aborted || error instanceof Problem) return
        throw error
      }
    }
  }

  /** Destroys the stream of a client that reads too slowly, or whose login ends meanwhile. */
  async function* destroyWhenStalled(
    chunks: AsyncIterable<string>,
    signal: AbortSignal,
    destroy: () => void,
  ) {
    for await (const chunk of chunks) {
      if (signal.aborted) return destroy()
      // Backpressure: the generator continues once the buffer has room.
      const timer = setTimeout(destroy, stalledAfter)
      signal.addEventListener('abort', destroy)
      try {
        yield chunk
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', destroy)
      }
    }
  }

  return {
    /**
     * Responds with the events of a feed until the client disconnects or `check` rejects. Throws
     * `too_many_streams` for a user who has too many, `unavailable` while the server has too many
     * or closes, and what `openFeed` and the first `read` throw.
     */
    async send(
      reply: FastifyReply,
      { userId, loginId }: { userId: string; loginId: string },
      openFeed: () => Promise<EventFeed>,
    ) {
      const release = acquireSlot(userId)
      const registration = registerStream(loginId)
      try {
        const feed = await openFeed()
        const events = eventsOf(feed, await feed.read(), registration.signal)
        const stream = Readable.from(
          destroyWhenStalled(events, registration.signal, () => stream.destroy()),
          { highWaterMark: 1 },
        )
        stream.once('close', () => {
          release()
          registration.unregister()
        })
        // Otherwise the stream of a disconnected client ends only with its next event.
        reply.raw.once('close', registration.end)
        return (
          reply
            .type(eventStreamType)
            .header('cache-control', 'no-store')
            // nginx would collect the events in a buffer.
            .header('x-accel-buffering', 'no')
            .send(stream)
        )
      } catch (error) {
        release()
        registration.unregister()
        throw error
      }
    },
    /** Ends the streams of a session or a personal token that has ended. */
    end(loginId: string) {
      for (const controller of controllersByLogin.get(loginId) ?? []) controller.abort()
    },
    close: () => closing.abort(),
    get size() {
      return slots.taken
    },
  }
}

export type EventStreams = ReturnType<typeof createEventStreams>
