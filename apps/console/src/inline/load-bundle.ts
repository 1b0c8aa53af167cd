// The last script of the page: loads the bundle, and at the same time the chunks and responses that
// the screen at this URL needs. This saves round trips.
import { sessionToken } from '../api/session.ts'
import { type BundlePlan, planId, type ScreenPlan } from './bundle-plan.ts'

/** Where the number of reloads is stored until the bundle has run. */
const reloadsKey = 'bundleReloads'
const maxReloads = 3
/** In milliseconds. The delay doubles after each retry. */
const firstRetryDelay = 1000
const maxRetryDelay = 30_000
const preloadsPerTask = 8

function loadBundle(plan: BundlePlan) {
  const path = globalThis.prerenderedPage?.screen ?? location.pathname
  const token = sessionToken()
  const match = plan.screens.find(({ pattern }) => new RegExp(pattern).test(path))
  const screen = match && (token || !match.needsSession) ? match : undefined
  const screenFiles = (screen?.files ?? []).map((index) => plan.files[index] ?? '')
  // A file runs after the files that it imports. The entry paints the layout while the
  // screen's files arrive.
  const files = [...plan.shared, plan.entry, ...screenFiles.reverse()]
  if (screen) sendRequests(plan, screen, path, token)
  // The largest first: a browser has six connections to a server over HTTP/1.1.
  preload(plan.files.filter((file) => files.includes(file)))
  runSequentially(plan, files)
}

/**
 * Lets the browser respond to input. A hidden page gets no input and has slow timers, so it does
 * not pause.
 */
const pause = () => (document.hidden ? undefined : new Promise((resolve) => setTimeout(resolve)))

/** Pauses after some files: a slow phone needs a few milliseconds to request one. */
async function preload(files: string[]) {
  for (const [index, href] of files.entries()) {
    if (index > 0 && index % preloadsPerTask === 0) await pause()
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    )
  }
}

/**
 * Runs one file at a time, with pauses. The router reports files of a screen that fail to load.
 */
async function runSequentially(plan: BundlePlan, files: string[]) {
  for (const file of files) {
    const hasRun = await import(/* @vite-ignore */ file).then(
      () => true,
      () => false,
    )
    if (file === plan.entry) {
      if (!hasRun) return retry(plan, files, firstRetryDelay)
      sessionStorage.removeItem(reloadsKey)
    }
    await pause()
  }
}

/**
 * Reloads the page once the server has all files, because browsers cache a failed module. Gives up
 * after `maxReloads`.
 */
function retry(plan: BundlePlan, files: string[], delay: number) {
  const texts = plan.texts[document.documentElement.lang as keyof BundlePlan['texts']]
  const reloads = Number(sessionStorage.getItem(reloadsKey))
  if (reloads >= maxReloads) {
    sessionStorage.removeItem(reloadsKey)
    showAlert(texts?.failed)
    return
  }
  showAlert(texts?.retrying)
  setTimeout(async () => {
    const responses = files.map((file) => fetch(file, { cache: 'reload' }))
    const areAvailable = await Promise.all(responses).then(
      (received) => received.every(({ ok }) => ok),
      () => false,
    )
    if (!areAvailable) return retry(plan, files, Math.min(2 * delay, maxRetryDelay))
    sessionStorage.setItem(reloadsKey, String(reloads + 1))
    location.reload()
  }, delay)
}

/** At the bottom of a prerendered page; in the middle of an empty one, where the user looks. */
let alert: HTMLElement | undefined
function showAlert(text = '') {
  alert ??= document.body.appendChild(
    Object.assign(document.createElement('p'), {
      role: 'alert',
      className: `fixed right-4 left-4 rounded-md border border-line bg-raised p-4 text-center elevated ${
        document.querySelector('h1') ? 'bottom-4' : 'top-1/3 mx-auto max-w-sm'
      }`,
    }),
  )
  if (alert.textContent !== text) alert.textContent = text
}

/** Prefetches the responses of the screen; `api/prefetched-responses.ts` uses them. */
function sendRequests(plan: BundlePlan, screen: ScreenPlan, path: string, token: string | null) {
  const [, param = ''] = path.match(screen.pattern) ?? []
  const headers = {
    Accept: 'application/json',
    'Accept-Language': document.documentElement.lang,
    ...(token && { Authorization: `Bearer ${token}` }),
  }
  const responses: Record<string, Promise<Response>> = {}
  for (const request of screen.requests) {
    // The plan has the request of a URL without a query string.
    if (request.includes('?') && location.search) continue
    const url = plan.apiBase + request.replace('*', () => param)
    const response = fetch(url, { headers })
    response.catch(() => undefined)
    responses[url] = response
  }
  globalThis.prefetched = { token, responses }
}

// The development server has no plan: it loads the modules itself.
const json = document.getElementById(planId)?.textContent
if (json) {
  const plan: BundlePlan = JSON.parse(json)
  // A prerendered page is painted first, unless it is hidden.
  if (document.hidden || !document.getElementById('root')?.hasChildNodes()) loadBundle(plan)
  else requestAnimationFrame(() => setTimeout(() => loadBundle(plan)))
}
