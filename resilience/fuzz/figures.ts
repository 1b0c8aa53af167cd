import type { Endpoint } from '@slipway/contract/endpoint'

export type Figures = ReturnType<typeof createFigures>

export const createFigures = () => ({
  requests: 0,
  attacks: 0,
  /** Responses by status. */
  statuses: new Map<number, number>(),
  /** 429 of the server with the usual rate limit. */
  limited: 0,
  /** 503 with Retry-After that did not repeat. */
  shed: 0,
  /** Slow responses that did not repeat: the machine was busy. */
  slowOnce: 0,
  slowest: 0,
  socketEvents: 0,
  /** Responses of each endpoint by status and error code. */
  outcomes: new Map<Endpoint, Map<string, number>>(),
})

const increment = <Key>(counts: Map<Key, number>, key: Key) =>
  counts.set(key, (counts.get(key) ?? 0) + 1)

export function countOutcome(
  { statuses, outcomes }: Figures,
  endpoint: Endpoint,
  status: number,
  text: string,
) {
  increment(statuses, status)
  const ofEndpoint = outcomes.get(endpoint) ?? new Map<string, number>()
  outcomes.set(endpoint, ofEndpoint)
  const [, code = ''] = status < 400 ? [] : (/"error":"(\w+)"/.exec(text) ?? [])
  increment(ofEndpoint, `${status} ${code}`.trim())
}

const successes = ['200', '204', '303']

/** How often each endpoint was called and succeeded, the rarest success first. */
export const successesOf = ({ outcomes }: Figures) =>
  [...outcomes]
    .map(([endpoint, counts]) => ({
      endpoint,
      counts,
      calls: [...counts.values()].reduce((sum, count) => sum + count, 0),
      succeeded: successes.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0),
    }))
    .sort((one, other) => one.succeeded - other.succeeded)
