import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hour, second } from '@slipway/contract/limits'
import { type Locale, m, preferredLocale } from '@slipway/phrases'
import { mark } from '../brand.ts'
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
  | 'site_not_set_up'
  | 'site_unreachable'
  | 'site_failed'
  | 'site_timeout'

/** A state in which visitors get a page in place of the site. */
export type OfflineState = 'stopped' | 'suspended' | 'failed'

const offlineProblems: Record<OfflineState, Problem> = {
  stopped: 'site_stopped',
  suspended: 'site_suspended',
  failed: 'site_not_set_up',
}

/** The page in place of a site that is offline; undefined for any other site. */
export const offlineProblem = (state: string): Problem | undefined =>
  offlineProblems[state as OfflineState]

type Phrase = (inputs: { host: string }, options: { locale: Locale }) => string

/** A link below the text of a page. */
type Action = { label: (inputs: object, options: { locale: Locale }) => string; href: string }

/** Requests the same page again. */
const retry: Action = { label: m.hosting_retry, href: '' }
const homePage: Action = { label: m.hosting_home_page, href: '/' }

type ProblemPage = {
  status: number
  title: Phrase
  text: Phrase
  /** Seconds until a retry makes sense. */
  retryAfter?: number
  /** The page reloads after that time. */
  reloads?: boolean
  action?: Action
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
    action: homePage,
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
  site_not_set_up: {
    status: 503,
    title: m.hosting_not_set_up_title,
    text: m.hosting_not_set_up_text,
    retryAfter: hour / second,
  },
  site_unreachable: {
    status: 503,
    title: m.hosting_unreachable_title,
    text: m.hosting_unreachable_text,
    retryAfter: 2,
    reloads: true,
  },
  site_failed: {
    status: 502,
    title: m.hosting_failed_title,
    text: m.hosting_failed_text,
    action: retry,
  },
  site_timeout: {
    status: 504,
    title: m.hosting_timeout_title,
    text: m.hosting_timeout_text,
    action: retry,
  },
}

const style = `
:root { color-scheme: light dark; --paper: #f6f8f8; --ink: #0f1a1c; --soft: #53605f; --water: #d3eaec; --deep: #bfe0e3; --fill: #0b6b75 }
@media (prefers-color-scheme: dark) { :root { --paper: #0a1012; --ink: #e8f0f0; --soft: #9aaaab; --water: #0d3035; --deep: #114148 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; grid-template-rows: 1fr auto; background: var(--paper); color: var(--ink); font: 16px/1.6 Geist, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
main { width: 100%; max-width: 560px; margin: auto; padding: 32px 24px }
p { margin: 0; color: var(--soft); text-wrap: pretty }
h1 { margin: 20px 0 8px; font-size: 26px; line-height: 1.25; font-weight: 600; letter-spacing: -.02em; text-wrap: balance }
strong { color: var(--ink); font-weight: 600 }
.action { display: inline-flex; align-items: center; min-height: 44px; margin-top: 24px; padding: 0 16px; border-radius: 6px; background: var(--fill); color: #fff; font-weight: 500; text-decoration: none }
.action:hover { text-decoration: underline }
.action:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
.status { margin-top: 24px; font-size: 13px; font-variant-numeric: tabular-nums }
.mark { width: 40px; height: 40px }
.mark svg { display: block; width: 100%; height: 100% }
.water { display: block; width: 100%; height: 96px }
`

/** Two waves along the lower edge of the page. */
const water = `<svg class="water" viewBox="0 0 1200 96" preserveAspectRatio="none" aria-hidden="true"><path d="M0 34c100 0 150-22 300-22s200 22 300 22 150-22 300-22 200 22 300 22v62H0z" fill="var(--water)"/><path d="M0 56c100 0 200 18 300 18s150-18 300-18 200 18 300 18 150-18 300-18v40H0z" fill="var(--deep)"/></svg>`

const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256')
  .update(style)
  .digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character)

/** Stands for the host in a text until the text is escaped. */
const hostPlace = '\u0000'

type View = { locale: Locale; host: string; path: string; isRead: boolean }

const page = (problemPage: ProblemPage, { locale, host, path, isRead }: View): string => {
  const title = escapeHtml(problemPage.title({ host }, { locale }))
  const text = escapeHtml(problemPage.text({ host: hostPlace }, { locale })).replace(
    hostPlace,
    () => `<strong>${escapeHtml(host)}</strong>`,
  )
  const refresh =
    isRead && problemPage.reloads
      ? `\n<meta http-equiv="refresh" content="${problemPage.retryAfter}">`
      : ''
  // A link does not send a form again, and a missing home page needs none to itself.
  const { action } = problemPage
  const link =
    action && isRead && action.href !== path
      ? `\n<p><a class="action" href="${action.href}">${escapeHtml(action.label({}, { locale }))}</a></p>`
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
<div class="mark">${mark}</div>
<h1>${title}</h1>
<p>${text}</p>${link}
<p class="status">${problemPage.status}</p>
</main>
${water}
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
      ? page(problemPage, { locale, host, path: request.url ?? '', isRead })
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
