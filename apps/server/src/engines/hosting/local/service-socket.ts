import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Log } from '../../../log.ts'

/** The endpoints that sites may call, by their names in the provider's metadata. */
const calls = new Map([
  ['GET /configuration', null],
  ['POST /token', 'token_endpoint'],
  ['GET /userinfo', 'userinfo_endpoint'],
])

const timeoutMs = 10_000
/** Of all sites: without a limit one could take all file descriptors of the server. */
const maxConnections = 128
/** A site sends its short request at once. */
const requestTimeoutMs = 5_000
const maxBodyBytes = 16 * 1024

export type ServiceSocket = { close(): Promise<void> }

async function readShort(request: IncomingMessage): Promise<Buffer | null> {
  const length = Number(request.headers['content-length'] ?? 0)
  return length > maxBodyBytes || request.headers['transfer-encoding'] ? null : buffer(request)
}

/** The URL of the metadata, or of an endpoint that it names (OpenID Connect Discovery §4). */
async function urlOf(endpoint: string | null, consoleUrl: string): Promise<string> {
  const metadataUrl = `${consoleUrl}/.well-known/openid-configuration`
  if (endpoint === null) return metadataUrl
  const options: RequestInit = { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }
  const metadata = (await (await fetch(metadataUrl, options)).json()) as Record<string, string>
  const url = new URL(metadata[endpoint] ?? '')
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

async function forward(request: IncomingMessage, response: ServerResponse, consoleUrl: string) {
  const endpoint = calls.get(`${request.method} ${request.url}`)
  const body = endpoint === undefined ? null : await readShort(request)
  if (endpoint === undefined || body === null) {
    response.writeHead(404).end()
    return
  }
  const { authorization, 'content-type': type } = request.headers
  const received = await fetch(await urlOf(endpoint, consoleUrl), {
    method: request.method as string,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const content = Buffer.from(await received.arrayBuffer())
  response.writeHead(received.status, {
    'content-type': received.headers.get('content-type') ?? 'application/json',
    'content-length': content.length,
  })
  response.end(content)
}

/**
 * A socket by which sites in a sandbox, which have no network, reach the login provider and nothing
 * else. It gives them no rights: each call has the site's own credentials.
 */
export async function openServiceSocket(
  folder: string,
  consoleUrl: () => string,
  log: Log,
): Promise<ServiceSocket> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
  const path = join(folder, 's')
  await rm(path, { force: true })
  const timeouts = {
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs,
  }
  const server = createServer(timeouts, (request, response) => {
    forward(request, response, consoleUrl()).catch((err: unknown) => {
      log.warn({ err }, 'A site could not reach the login provider')
      if (response.headersSent) return void response.end()
      // The site logs it for its owner.
      response.writeHead(502, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: `no connection to ${consoleUrl()}: ${reasonOf(err)}` }))
    })
  })
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, 0o666)
  return {
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
