import { second } from '@slipway/contract/limits'

/** The responses that `inline/load-bundle.ts` prefetches, by URL, and their session's token. */
type PrefetchedResponses = { token: string | null; responses: Record<string, Promise<Response>> }

declare global {
  var prefetched: PrefetchedResponses | undefined
}

/** How long the responses are fresh, counted from the start of the page load. */
const lifetime = 30 * second

/**
 * The prefetched response to a request. Undefined if none was prefetched, if it belongs to another
 * session, and after `lifetime`. Each response is used once; later calls go to the network.
 */
export function popPrefetchedResponse(url: string, init: RequestInit | undefined) {
  const { prefetched } = globalThis
  if (!prefetched || init?.method !== 'GET' || performance.now() > lifetime) return undefined
  const response = prefetched.responses[url]
  delete prefetched.responses[url]
  const authorization = new Headers(init.headers).get('Authorization')
  const expected = prefetched.token === null ? null : `Bearer ${prefetched.token}`
  return authorization === expected ? response : undefined
}
