import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { OpenedContent } from './content.ts'
import { preferredLanguage } from './language.ts'
import type { Log } from './log.ts'
import { contentSecurityPolicy, homePage, icon, notAllowedPage, notFoundPage } from './page.ts'
import type { Settings } from './settings.ts'

export type Site = {
  settings: () => Settings
  opened: OpenedContent
  version: string
  log: Log
}

type Handler = (site: Site, request: IncomingMessage, response: ServerResponse) => void

const send = (
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
) => {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  // Node leaves the body out of the answer to a HEAD request by itself.
  response.end(body)
}

const sendPage = (response: ServerResponse, status: number, body: string, allow?: string) =>
  send(response, status, 'text/html', body, {
    'cache-control': 'no-cache',
    vary: 'Accept-Language',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(allow ? { allow } : {}),
  })

const language = (request: IncomingMessage) => preferredLanguage(request.headers['accept-language'])

const showHome: Handler = (site, request, response) =>
  sendPage(response, 200, homePage(language(request), site.settings().name, site.opened.content))

const showIcon: Handler = (site, _request, response) =>
  send(response, 200, 'image/svg+xml', icon(site.settings().name), {
    'cache-control': 'no-cache',
  })

const showHealth: Handler = (site, _request, response) => {
  const { key } = site.settings()
  const { version, opened } = site
  const health = {
    status: 'ok',
    key,
    pid: process.pid,
    version,
    damagedFile: opened.damagedFile,
  }
  send(response, 200, 'application/json', JSON.stringify(health), { 'cache-control': 'no-store' })
}

/** Every page, by path and method. A HEAD request is answered like its GET. */
const routes = new Map<string, Partial<Record<string, Handler>>>([
  ['/', { GET: showHome }],
  ['/favicon.svg', { GET: showIcon }],
  ['/healthz', { GET: showHealth }],
])

const answer: Handler = (site, request, response) => {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const methods = routes.get(path)
  if (!methods) {
    return sendPage(response, 404, notFoundPage(language(request), site.settings().name))
  }
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
  const handler = methods[method]
  if (handler) return handler(site, request, response)
  const allow = Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]))
  const page = notAllowedPage(language(request), site.settings().name)
  return sendPage(response, 405, page, allow.join(', '))
}

/** The site's HTTP server, not listening yet. */
export const createSiteServer = (site: Site): Server =>
  createServer((request, response) => {
    try {
      answer(site, request, response)
    } catch (error) {
      site.log.error({ url: request.url, reason: String(error) }, 'A request failed')
      send(response, 500, 'text/plain', 'Internal Server Error\n')
    }
  })
