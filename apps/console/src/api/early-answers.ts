import { second } from '@slipway/contract/limits'

/** What `index.html` asks for before the program has come: answers by address, and whose they are. */
type EarlyAnswers = { token: string | null; answers: Record<string, Promise<Response>> }

declare global {
  var earlyAnswers: EarlyAnswers | undefined
}

/** As long as an answer counts as fresh, since the page began to load. */
const lifetime = 30 * second

/**
 * The answer to a call that the page has asked for already; undefined when it has not, for another session,
 * or too long ago. Each is given once: whoever asks again wants to know anew.
 */
export function takeEarlyAnswer(url: string, init: RequestInit | undefined) {
  const early = globalThis.earlyAnswers
  if (!early || init?.method !== 'GET' || performance.now() > lifetime) return undefined
  const answer = early.answers[url]
  delete early.answers[url]
  const caller = new Headers(init.headers).get('Authorization')
  return caller === (early.token && `Bearer ${early.token}`) ? answer : undefined
}
