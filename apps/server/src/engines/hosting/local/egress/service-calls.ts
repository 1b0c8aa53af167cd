import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { minute } from '@slipway/contract/limits'
import { LRUCache } from 'lru-cache'
import type { Log } from '../../../../log.ts'

/** The host that sites name to call the login provider. No host of the internet lacks a dot. */
export const serviceHost = 'service'

/** The endpoints that sites may call, by their names in the provider's metadata. */
const calls = new Map([
  ['GET /configuration', null],
  ['POST /token', 'token_endpoint'],
  ['GET /userinfo', 'userinfo_endpoint'],
])

const timeoutMs = 10_000
const maxBodyBytes = 16 * 1024
const metadataMs = minute
const callsAtOncePerSite = 16
/** A fraction of what the login provider accepts from this machine, which all sites share. */
const callsPerMinutePerSite = 300

/** Responds to a call of one site. Never throws. */
export type RespondToCall = (request: IncomingMessage, response: ServerResponse) => void
/** The calls of the site with this key. */
export type CreateServiceCalls = (key: string) => RespondToCall

type Options = { consoleUrl: () => string; log: Log; now?: () => number }

async function readShort(request: IncomingMessage): Promise<Buffer | null> {
  const length = Number(request.headers['content-length'] ?? 0)
  return length > maxBodyBytes || request.headers['transfer-encoding'] ? null : buffer(request)
}

type Metadata = { text: string; endpoints: Record<string, string> }

/** The provider's metadata (OpenID Connect Discovery §4). */
async function fetchMetadata(consoleUrl: string): Promise<Metadata> {
  const url = `${consoleUrl}/.well-known/openid-configuration`
  const options: RequestInit = { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }
  const response = await fetch(url, options)
  const text = await response.text()
  if (!response.ok) throw new Error(`status ${response.status}`)
  return { text, endpoints: JSON.parse(text) as Record<string, string> }
}

function urlOf(endpoint: string, { endpoints }: Metadata, consoleUrl: string): string {
  const url = new URL(endpoints[endpoint] ?? '')
  if (url.origin !== new URL(consoleUrl).origin)
    throw new Error('The provider names an endpoint of another origin')
  return url.href
}

/** fetch says only that it failed; its cause has the reason of the network or TLS. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { code = '', message = '' } = (error.cause ?? error) as { code?: string; message?: string }
  return message || code || error.message
}

function sendJson(response: ServerResponse, status: number, content: string | Buffer) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(content),
  })
  response.end(content)
}

/** Fails a call with a reason, which the site logs for its owner. */
const sendFailure = (response: ServerResponse, status: number, error: string) =>
  sendJson(response, status, JSON.stringify({ error }))

/**
 * The calls by which sites in a sandbox reach the login provider and nothing else. They give a site
 * no rights: each call has the site's own credentials. Limited for each site, so that none can take
 * what the provider accepts from all sites of this machine.
 */
export function createServiceCalls({
  consoleUrl,
  log,
  now = () => performance.now(),
}: Options): CreateServiceCalls {
  const metadata = new LRUCache<string, Metadata>({
    max: 1,
    ttl: metadataMs,
    perf: { now },
    fetchMethod: fetchMetadata,
  })
  let lastMetadata: Metadata | undefined

  async function readMetadata(): Promise<Metadata> {
    try {
      lastMetadata = await metadata.forceFetch(consoleUrl())
    } catch (error) {
      // The provider limits the requests of this machine: a site may have sent too many.
      if (!lastMetadata) throw error
    }
    return lastMetadata
  }

  async function forward(request: IncomingMessage, response: ServerResponse, endpoint: string) {
    const body = await readShort(request)
    if (body === null) return sendFailure(response, 413, 'the request is too large')
    const { authorization, 'content-type': type } = request.headers
    const provider = await readMetadata()
    const received = await fetch(urlOf(endpoint, provider, consoleUrl()), {
      method: request.method as string,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    sendJson(response, received.status, Buffer.from(await received.arrayBuffer()))
  }

  return (key) => {
    let atOnce = 0
    let inMinute = 0
    let currentMinute = 0

    /** The reason to reject a call to the provider; null for one that is counted. */
    function limit(): { status: number; reason: string } | null {
      const thisMinute = Math.floor(now() / minute)
      if (thisMinute !== currentMinute) inMinute = 0
      currentMinute = thisMinute
      if (atOnce >= callsAtOncePerSite) return { status: 503, reason: 'too many calls at once' }
      if (inMinute >= callsPerMinutePerSite)
        return { status: 429, reason: 'too many calls in a minute' }
      inMinute += 1
      return null
    }

    async function respond(request: IncomingMessage, response: ServerResponse) {
      const endpoint = calls.get(`${request.method} ${request.url}`)
      if (endpoint === undefined) return sendFailure(response, 404, 'no such call')
      if (endpoint === null) return sendJson(response, 200, (await readMetadata()).text)
      const rejected = limit()
      if (rejected) return sendFailure(response, rejected.status, rejected.reason)
      atOnce += 1
      try {
        await forward(request, response, endpoint)
      } finally {
        atOnce -= 1
      }
    }

    return (request, response) => {
      respond(request, response).catch((err: unknown) => {
        // The site has left.
        if (response.destroyed) return
        log.warn({ key, err }, 'A site could not reach the login provider')
        sendFailure(response, 502, `no connection to ${consoleUrl()}: ${reasonOf(err)}`)
      })
    }
  }
}
