import { createServer, type Server } from 'node:http'
import { appPath } from './cookies.ts'
import { saveContent, showEditor, signOut } from './editor.ts'
import { signOutPath } from './editor-page.ts'
import { homePage, icon, messagePage } from './page.ts'
import { phrases } from './phrases.ts'
import { send, sendPage, sendPrivatePage } from './respond.ts'
import { beginSignIn, callbackPath, finishSignIn } from './sign-in.ts'
import { signInPath } from './sign-in-page.ts'
import { createVisit, type Site, type Visit, visitedUrl } from './visit.ts'

type Handler = (visit: Visit) => void | Promise<void>

const showHome: Handler = (visit) => {
  const { site, language } = visit
  sendPage(visit, 200, homePage(language, site.settings().name, site.content.current()))
}

const showIcon: Handler = ({ site, response }) =>
  send(response, 200, 'image/svg+xml', icon(site.settings().name), {
    'cache-control': 'no-cache',
  })

/** Public, so it contains no details. */
const showHealth: Handler = ({ response }) =>
  send(response, 200, 'application/json', '{"status":"ok"}', { 'cache-control': 'no-store' })

/** A HEAD request to the callback would redeem the code without showing a page. */
const rejectHead: Handler = (visit) => showNotAllowed(visit, ['GET'])

/** All pages by path and method. HEAD is handled as GET unless listed. */
const routes = new Map<string, Partial<Record<string, Handler>>>([
  ['/', { GET: showHome }],
  ['/favicon.svg', { GET: showIcon }],
  ['/healthz', { GET: showHealth }],
  [appPath, { GET: showEditor, POST: saveContent }],
  [signInPath, { GET: beginSignIn }],
  [callbackPath, { GET: finishSignIn, HEAD: rejectHead }],
  [signOutPath, { POST: signOut }],
])

const showNotAllowed = (visit: Visit, methods: string[]) => {
  const { site, language } = visit
  const page = messagePage(language, site.settings().name, phrases[language].notAllowed)
  sendPage(visit, 405, page, { allow: methods.join(', ') })
}

const handle: Handler = (visit) => {
  const { site, language, path } = visit
  const methods = routes.get(path)
  if (!methods) {
    const page = messagePage(language, site.settings().name, phrases[language].notFound)
    return sendPage(visit, 404, page)
  }
  const method = visit.request.method ?? 'GET'
  const handler = methods[method] ?? (method === 'HEAD' ? methods.GET : undefined)
  if (handler) return handler(visit)
  const head = methods.GET && !methods.HEAD ? ['HEAD'] : []
  const allow = [...Object.keys(methods), ...head].filter((name) => methods[name] !== rejectHead)
  return showNotAllowed(visit, allow)
}

const sendFailure = (visit: Visit, error: unknown) => {
  const { site, request, response, path, language } = visit
  // Only the path: the query may contain an authorization code.
  site.log.error({ method: request.method, path, reason: String(error) }, 'A request failed')
  if (response.headersSent) return void response.destroy()
  // Without the site's name: the settings may be unreadable.
  const host = visitedUrl(visit)?.host ?? ''
  sendPrivatePage(visit, 500, messagePage(language, host, phrases[language].failed))
}

/** The site's HTTP server, not listening yet. */
export const createSiteServer = (site: Site): Server =>
  createServer((request, response) => {
    const visit = createVisit(site, request, response)
    void Promise.try(handle, visit).catch((error: unknown) => sendFailure(visit, error))
  })
