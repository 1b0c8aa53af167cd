import type { Server } from 'node:http'
import { editorPath } from './cookies.ts'
import type { Handler, Methods } from './handler.ts'
import { messagePage } from './page.ts'
import { phrases } from './phrases.ts'
import { send, sendPage, sendPrivatePage } from './respond.ts'
import { createVisit, type Site, type Visit, visitedUrl } from './visit.ts'

// Not `import`, which reads every export of the module: for some, such as `WebSocket`, Node loads
// its HTTP client. That takes a third of the processor time of a start, and each visit to a site
// that sleeps waits for it.
const { createServer } = process.getBuiltinModule('node:http')

/** Public, so it contains no details. */
const showHealth: Handler = ({ response }) =>
  send(response, 200, 'application/json', '{"status":"ok"}', { 'cache-control': 'no-store' })

/** Pages and editor are loaded when they are first requested: an idle site needs less memory. */
const methodsOf = async (path: string): Promise<Methods> => {
  if (path === '/healthz') return { GET: showHealth }
  if (path.startsWith(editorPath)) {
    const { editorMethods } = await import('./editor-routes.ts')
    const methods = editorMethods(path)
    if (methods) return methods
  }
  const { publicMethods } = await import('./public-routes.ts')
  return publicMethods(path)
}

const rejectMethod = (visit: Visit, methods: Methods) => {
  const { site, language } = visit
  const head = methods.GET && methods.HEAD === undefined ? ['HEAD'] : []
  const allowed = Object.keys(methods).filter((name) => methods[name])
  const page = messagePage(language, site.settings().name, phrases[language].notAllowed)
  sendPage(visit, 405, page, { allow: [...allowed, ...head].join(', ') })
}

const handle = async (visit: Visit): Promise<void> => {
  const methods = await methodsOf(visit.path)
  const method =
    visit.request.method === 'HEAD' && methods.HEAD === undefined ? 'GET' : visit.request.method
  const handler = methods[method ?? 'GET']
  const { content, website } = visit.site
  await Promise.all([content.refresh(), website.refresh()])
  if (handler) return handler(visit)
  rejectMethod(visit, methods)
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
