import { LRUCache } from 'lru-cache'
import type { FinishedRequest } from '../gateway/finished-request.ts'
import { cacheLast } from './cache-last.ts'
import type { LogWriter } from './log-writer.ts'

const maxPathLength = 500
const maxAgentLength = 120

const cachedAgents = 2_000

/**
 * Logs the requests to sites, without the visitor's address and without the query, which may have
 * tokens, email addresses and search terms.
 */
export function createRequestLog({ add }: Pick<LogWriter, 'add'>) {
  const agents = new LRUCache<string, string>({ max: cachedAgents })

  /** A browser's name without minor versions, which could identify visitors. */
  function shorten(agent: string) {
    const cached = agents.get(agent)
    if (cached !== undefined) return cached
    // Without the lookbehind, a long number would be read again from each of its digits.
    const short = agent.replace(/(?<!\d)(\d+)\.[\d.]+/g, '$1').slice(0, maxAgentLength)
    agents.set(agent, short)
    return short
  }

  const shortAgent = cacheLast(shorten)
  const referringHost = cacheLast(hostOf)

  return (request: FinishedRequest) =>
    add(request.key, 'requests', {
      time: request.time,
      request: {
        method: request.method,
        host: request.host,
        path: withoutQuery(request.path),
        status: request.status,
        bytes: request.bytes,
        duration: Math.round(request.duration),
        referrer: request.referrer === undefined ? null : referringHost(request.referrer),
        agent: request.agent === undefined ? null : shortAgent(request.agent),
      },
    })
}

function withoutQuery(path: string) {
  const [query, fragment] = [path.indexOf('?'), path.indexOf('#')]
  const end = Math.min(
    query === -1 ? maxPathLength : query,
    fragment === -1 ? maxPathLength : fragment,
  )
  return path.slice(0, Math.min(end, maxPathLength))
}

/** The host of a URL, whose path may be private; null for other texts. */
function hostOf(referrer: string) {
  const [, host] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]{1,253})/i.exec(referrer) ?? []
  return host?.toLowerCase() ?? null
}
