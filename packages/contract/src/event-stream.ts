import type * as z from 'zod/mini'
import { second } from './limits.ts'

const entries = new WeakMap<object, z.ZodMiniType>()

/**
 * The response of an endpoint that sends a stream of events (`text/event-stream`, HTML Standard
 * §9.2) to callers that accept it: the same entries, each an event in JSON with its id. A caller
 * that sends the last id as `Last-Event-ID` gets the entries after it. Comments keep the connection
 * alive. The stream ends with the session or the permission; the response to the next request says
 * why.
 */
// A bundler may drop the call with an unused endpoint: its entry is never read then.
/* @__NO_SIDE_EFFECTS__ */
export function orEventStream<Response extends z.ZodMiniType>(
  response: Response,
  entry: z.ZodMiniType,
): Response {
  entries.set(response, entry)
  return response
}

export const eventStreamType = 'text/event-stream'

/**
 * An idle stream gets a comment this often: proxies close connections that are silent for a minute.
 */
export const heartbeatInterval = 15 * second
/** The connection counts as lost after this time without a byte. */
export const silenceTimeout = 3 * heartbeatInterval

/** The schema of the events that an endpoint can stream; undefined if it streams none. */
export const eventStreamEntry = (response: object | undefined) => response && entries.get(response)
