// The last script of the page: loads the bundle, together with the files and the responses that the screen
// at this address needs, so that they do not cost round trips later.
import { sessionToken } from '../api/session.ts'
import { type BundlePlan, planId, type ScreenPlan } from './bundle-plan.ts'

/** Where the number of reloads is stored until the bundle has run. */
const reloadsKey = 'bundleReloads'
const mostReloads = 3
const firstRetry = 1000
const slowestRetry = 30_000

function loadBundle(plan: BundlePlan) {
  const path = globalThis.earlyPage?.screen ?? location.pathname
  const token = sessionToken()
  const match = plan.screens.find(({ pattern }) => new RegExp(pattern).test(path))
  const screen = match && (token || !match.needsSession) ? match : undefined
  const needed = (screen?.files ?? []).map((index) => plan.files[index] ?? '')
  // A file that is imported runs first.
  const files = [...plan.shared, ...needed.reverse(), plan.entry]
  // The largest first: a browser has six connections to a server over HTTP/1.1.
  for (const href of plan.files.filter((file) => files.includes(file)))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    )
  runInTurn(plan, files, files)
  if (screen) sendRequests(plan, screen, path, token)
}

/**
 * Runs one file at a time, the entry last, so that a slow phone answers its user between them. A hidden
 * page has no user, and slow timers.
 */
function runInTurn(plan: BundlePlan, all: string[], [file = '', ...rest]: string[]) {
  const next = () => {
    if (document.hidden) runInTurn(plan, all, rest)
    else setTimeout(() => runInTurn(plan, all, rest))
  }
  if (rest.length > 0) import(/* @vite-ignore */ file).then(next, next)
  else
    import(/* @vite-ignore */ file).then(
      () => sessionStorage.removeItem(reloadsKey),
      () => retry(plan, all, firstRetry),
    )
}

/**
 * Reloads the page once the server has all files: a browser does not request a module again that failed.
 * Gives up when reloading has not helped.
 */
function retry(plan: BundlePlan, files: string[], delay: number) {
  const texts = plan.texts[document.documentElement.lang as keyof BundlePlan['texts']]
  const reloads = Number(sessionStorage.getItem(reloadsKey))
  if (reloads >= mostReloads) {
    sessionStorage.removeItem(reloadsKey)
    showAlert(texts?.failed)
    return
  }
  showAlert(texts?.retrying)
  setTimeout(async () => {
    const responses = files.map((file) => fetch(file, { cache: 'reload' }))
    const areThere = await Promise.all(responses).then(
      (all) => all.every(({ ok }) => ok),
      () => false,
    )
    if (!areThere) return retry(plan, files, Math.min(2 * delay, slowestRetry))
    sessionStorage.setItem(reloadsKey, String(reloads + 1))
    location.reload()
  }, delay)
}

let alert: HTMLElement | undefined
function showAlert(text = '') {
  alert ??= document.body.appendChild(
    Object.assign(document.createElement('p'), {
      role: 'alert',
      className:
        'fixed right-4 bottom-4 left-4 rounded-md border border-line bg-raised p-4 text-center elevated',
    }),
  )
  if (alert.textContent !== text) alert.textContent = text
}

/** Sends the requests that the screen starts with: `api/early-responses.ts` takes their responses. */
function sendRequests(plan: BundlePlan, screen: ScreenPlan, path: string, token: string | null) {
  const [, param = ''] = path.match(screen.pattern) ?? []
  const headers = {
    Accept: 'application/json',
    'Accept-Language': document.documentElement.lang,
    ...(token && { Authorization: `Bearer ${token}` }),
  }
  const responses: Record<string, Promise<Response>> = {}
  for (const request of screen.requests) {
    // The planned query belongs to an address without one.
    if (request.includes('?') && location.search) continue
    const url = plan.apiBase + request.replace('*', () => param)
    const response = fetch(url, { headers })
    response.catch(() => undefined)
    responses[url] = response
  }
  globalThis.earlyResponses = { token, responses }
}

// The development server has no plan: it loads the modules itself.
const json = document.getElementById(planId)?.textContent
if (json) {
  const plan: BundlePlan = JSON.parse(json)
  // A prerendered page is painted first, unless it is hidden.
  if (document.hidden || !document.getElementById('root')?.hasChildNodes()) loadBundle(plan)
  else requestAnimationFrame(() => setTimeout(() => loadBundle(plan)))
}
