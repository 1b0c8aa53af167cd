import { second } from '@slipway/contract/limits'

/** What `inline/load-bundle.ts` has requested: responses by URL, and the session that they belong to. */
type EarlyResponses = { token: string | null; responses: Record<string, Promise<Response>> }

declare global {
  var earlyResponses: EarlyResponses | undefined
}

/** How long after the page began to load a response counts as fresh. */
const lifetime = 30 * second

/**
 * The response to a request that the page has sent early. Undefined if it has not, if the session is
 * another one, and after `lifetime`. Each response is used once; later calls go to the network.
 */
export function takeEarlyResponse(url: string, init: RequestInit | undefined) {
  const early = globalThis.earlyResponses
  if (!early || init?.method !== 'GET' || performance.now() > lifetime) return undefined
  const response = early.responses[url]
  delete early.responses[url]
  const authorization = new Headers(init.headers).get('Authorization')
  return authorization === (early.token && `Bearer ${early.token}`) ? response : undefined
}
