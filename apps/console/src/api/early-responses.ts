import { second } from '@slipway/contract/limits'

/**
 * The responses to the early requests of `inline/load-bundle.ts`, by URL, and their session's
 * token.
 */
type EarlyResponses = { token: string | null; responses: Record<string, Promise<Response>> }

declare global {
  var earlyResponses: EarlyResponses | undefined
}

/** How long the responses are fresh, counted from the start of the page load. */
const lifetime = 30 * second

/**
 * The response to an early request. Undefined if there is none, if it belongs to another session,
 * and after `lifetime`. Each response is used once; later calls go to the network.
 */
export function takeEarlyResponse(url: string, init: RequestInit | undefined) {
  const early = globalThis.earlyResponses
  if (!early || init?.method !== 'GET' || performance.now() > lifetime) return undefined
  const response = early.responses[url]
  delete early.responses[url]
  const authorization = new Headers(init.headers).get('Authorization')
  return authorization === (early.token && `Bearer ${early.token}`) ? response : undefined
}
