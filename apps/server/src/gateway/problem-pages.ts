import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hour, second } from '@slipway/contract/limits'
import { type Locale, m, preferredLocale } from '@slipway/phrases'
import { hasBody, projectHeader } from './headers.ts'

/** Why the gateway responds instead of a site. */
export type Problem =
  | 'malformed_request'
  | 'site_not_found'
  | 'site_empty'
  | 'page_not_found'
  | 'method_not_allowed'
  | 'length_required'
  | 'site_starting'
  | 'site_stopped'
  | 'site_suspended'
  | 'site_unreachable'
  | 'site_failed'
  | 'site_timeout'

type Phrase = (inputs: { host: string }, options: { locale: Locale }) => string

type ProblemPage = {
  status: number
  title: Phrase
  text: Phrase
  /** Seconds until a retry makes sense. */
  retryAfter?: number
  /** The page reloads after that time. */
  reloads?: boolean
}

const pages: Record<Problem, ProblemPage> = {
  malformed_request: {
    status: 400,
    title: m.hosting_malformed_title,
    text: m.hosting_malformed_text,
  },
  site_not_found: {
    status: 404,
    title: m.hosting_not_found_title,
    text: m.hosting_not_found_text,
  },
  site_empty: { status: 404, title: m.hosting_empty_title, text: m.hosting_empty_text },
  page_not_found: {
    status: 404,
    title: m.hosting_page_not_found_title,
    text: m.hosting_page_not_found_text,
  },
  method_not_allowed: {
    status: 405,
    title: m.hosting_method_not_allowed_title,
    text: m.hosting_method_not_allowed_text,
  },
  length_required: {
    status: 411,
    title: m.hosting_length_required_title,
    text: m.hosting_length_required_text,
  },
  site_starting: {
    status: 503,
    title: m.hosting_starting_title,
    text: m.hosting_starting_text,
    retryAfter: 1,
    reloads: true,
  },
  site_stopped: {
    status: 503,
    title: m.hosting_stopped_title,
    text: m.hosting_stopped_text,
    retryAfter: hour / second,
  },
  site_suspended: {
    status: 503,
    title: m.hosting_suspended_title,
    text: m.hosting_suspended_text,
    retryAfter: hour / second,
  },
  site_unreachable: {
    status: 503,
    title: m.hosting_unreachable_title,
    text: m.hosting_unreachable_text,
    retryAfter: 2,
    reloads: true,
  },
  site_failed: { status: 502, title: m.hosting_failed_title, text: m.hosting_failed_text },
  site_timeout: { status: 504, title: m.hosting_timeout_title, text: m.hosting_timeout_text },
}

const style = `
:root { color-scheme: light dark; --paper: #fafafa; --ink: #18181b; --soft: #5f5f68; --line: #e4e4e7 }
@media (prefers-color-scheme: dark) { :root { --paper: #111113; --ink: #ededef; --soft: #a0a0a9; --line: #2a2a2e } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 32px 24px; background: var(--paper); color: var(--ink); font: 16px/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
main { width: 100%; max-width: 440px }
p { margin: 0; color: var(--soft); text-wrap: pretty }
h1 { margin: 16px 0 8px; font-size: 24px; line-height: 1.25; font-weight: 600; letter-spacing: -.02em; text-wrap: balance }
.status { display: inline-block; padding: 0 8px; border: 1px solid var(--line); border-radius: 6px; font: 13px/24px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--soft) }
`

const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(style)
  .digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (one) => entities[one] ?? one)

const page = (locale: Locale, problemPage: ProblemPage, host: string, reload: boolean): string => {
  const title = escapeHtml(problemPage.title({ host }, { locale }))
  const text = escapeHtml(problemPage.text({ host }, { locale }))
  const refresh =
    reload && problemPage.reloads
      ? `\n<meta http-equiv="refresh" content="${problemPage.retryAfter}">`
      : ''
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<span class="status">${problemPage.status}</span>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`
}

type Format = 'html' | 'json' | 'text'

/** HTML for page views, JSON for API clients, text for the rest, such as image requests. */
const preferredFormat = (accept: string | undefined): Format => {
  if (accept === undefined || accept.includes('text/html')) return 'html'
  if (/\bapplication\/(?:[\w.-]+\+)?json\b/.test(accept)) return 'json'
  return accept.includes('*/*') && !/^(?:image|audio|video|font|text\/css)\b/.test(accept)
    ? 'html'
    : 'text'
}

const contentTypes: Record<Format, string> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
}

/**
 * Responds with the gateway's own error page, in the visitor's language and format. `key` is the
 * project whose site would have responded.
 */
export const sendProblem = (
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  host = '',
  key?: string,
): void => {
  const problemPage = pages[problem]
  const locale = preferredLocale(request.headers['accept-language'])
  const format = preferredFormat(request.headers.accept)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const body =
    format === 'html'
      ? page(locale, problemPage, host, isRead)
      : format === 'json'
        ? `${JSON.stringify({ code: problemPage.status, error: problem })}\n`
        : `${problemPage.title({ host }, { locale })}\n`
  // The request body stays unread, so the connection cannot be reused.
  if (hasBody(request)) response.shouldKeepAlive = false
  response.writeHead(problemPage.status, {
    'content-type': contentTypes[format],
    'content-length': Buffer.byteLength(body),
    'content-language': locale,
    vary: 'Accept, Accept-Language',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    ...(key === undefined ? {} : { [projectHeader]: key }),
    ...(problemPage.status === 405 ? { allow: 'GET, HEAD' } : {}),
    ...(format === 'html' ? { 'content-security-policy': contentSecurityPolicy } : {}),
    ...(problemPage.retryAfter ? { 'retry-after': String(problemPage.retryAfter) } : {}),
  })
  response.end(body)
}
