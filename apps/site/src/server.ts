import { createServer, type Server } from 'node:http'
import { appPath } from './cookies.ts'
import { saveDesign, showDesign } from './design-editor.ts'
import { saveContent, showEditor, signOut } from './editor.ts'
import { signOutPath } from './editor-layout.ts'
import { previewPath } from './editor-page.ts'
import { picturePath } from './markdown.ts'
import { messagePage } from './page.ts'
import { changePageList, showPageList } from './page-list.ts'
import { phrases } from './phrases.ts'
import { uploadPicture } from './picture-upload.ts'
import { changePicture, showPictures } from './pictures-editor.ts'
import { previewWritten, showPreview } from './preview.ts'
import { showHome, showIcon, showPage, showPicture, showRobots, showSitemap } from './public.ts'
import { send, sendPage, sendPrivatePage } from './respond.ts'
import { scriptsPath, showScript } from './scripts.ts'
import { beginSignIn, callbackPath, finishSignIn } from './sign-in.ts'
import { signInPath } from './sign-in-page.ts'
import { createVisit, type Site, type Visit, visitedUrl } from './visit.ts'

type Handler = (visit: Visit) => void | Promise<void>

/** Public, so it contains no details. */
const showHealth: Handler = ({ response }) =>
  send(response, 200, 'application/json', '{"status":"ok"}', { 'cache-control': 'no-store' })

/** A HEAD request to the callback would redeem the code without showing a page. */
const rejectHead: Handler = (visit) => showNotAllowed(visit, ['GET'])

/** All pages by path and method. HEAD is handled as GET unless listed. */
const routes = new Map<string, Partial<Record<string, Handler>>>([
  ['/', { GET: showHome }],
  ['/favicon.svg', { GET: showIcon }],
  ['/robots.txt', { GET: showRobots }],
  ['/sitemap.xml', { GET: showSitemap }],
  ['/healthz', { GET: showHealth }],
  [appPath, { GET: showEditor, POST: saveContent }],
  [previewPath, { GET: showPreview, POST: previewWritten }],
  [`${appPath}/pages`, { GET: showPageList, POST: changePageList }],
  [`${appPath}/design`, { GET: showDesign, POST: saveDesign }],
  [`${appPath}/pictures`, { GET: showPictures, POST: changePicture }],
  [`${appPath}/pictures/upload`, { POST: uploadPicture }],
  [signInPath, { GET: beginSignIn }],
  [callbackPath, { GET: finishSignIn, HEAD: rejectHead }],
  [signOutPath, { POST: signOut }],
])

const showNotAllowed = (visit: Visit, methods: string[]) => {
  const { site, language } = visit
  const page = messagePage(language, site.settings().name, phrases[language].notAllowed)
  sendPage(visit, 405, page, { allow: methods.join(', ') })
}

/** The pages without a fixed path. */
const handlerOf = (path: string): Handler => {
  if (path.startsWith(picturePath)) return showPicture
  return path.startsWith(scriptsPath) ? showScript : showPage
}

const handle: Handler = (visit) => {
  const { path } = visit
  const methods = routes.get(path) ?? { GET: handlerOf(path) }
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
