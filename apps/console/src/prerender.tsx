import { type Locale, locales, m, setLocale } from '@slipway/phrases'
import { pinDetectedLocale } from '@slipway/phrases/browser-locale'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { layoutNamesFrom } from './layouts/all-layouts.ts'
import { paths } from './paths.ts'
import { prefetchPathsOf } from './prefetch-paths.ts'
import { createConsoleRouter } from './router.tsx'
import { screens, screensByFile } from './screens/all-screens.ts'
import { prerenderedScreens, withoutMessage } from './screens/prerendered-screens.ts'
import { needsSession } from './screens/screen-facts.ts'
import { AlphaBanner } from './shell/layout/alpha-banner.tsx'
import { BrandMark, brandClass } from './shell/layout/brand-mark.tsx'
import {
  areaLinkClass,
  NavigationFrame,
  navigationClass,
} from './shell/layout/navigation-frame.tsx'
import { brandName } from './shell/page/document-title.ts'

/** HTML that a page shows before the bundle has loaded, in one language. */
export type PrerenderedHtml = {
  locale: Locale
  /** A regular expression for the path, the query string and, after a `#`, the history's state. */
  address: string
  /** Limits it to guests or to signed-in users. */
  session?: 'guest' | 'user'
  /** The path of the screen that React hydrates. Other HTML is replaced. */
  screen?: string
  title?: string
  description: string
  html: string
}

/** A page of the build. The first matching HTML is shown. */
type PrerenderedPage = { file: string; prerendered: PrerenderedHtml[] }

/** The code and data that the page of a screen requests before the bundle has loaded. */
export type ScreenRequests = {
  /** The path in the router's syntax. */
  paths: string[]
  needsSession: boolean
  /** The modules that declare it and its layouts, relative to `screens/`. */
  modules: string[]
  /** Paths below the API's base. */
  requests: string[]
}

export type Prerendered = {
  pages: PrerenderedPage[]
  screens: ScreenRequests[]
  /** The content for a browser without JavaScript. */
  withoutScripts: string
}

/** The paths where a guest is redirected to the login page and a user sees the navigation. */
const signedInPaths = (() => {
  const areas = screens
    .filter(({ layout }) => needsSession(layout))
    .map(({ path }) => path.split('/')[1])
  return `^/(?:(?:${[...new Set(areas)].join('|')})(?:[/?#]|$)|[?#]|$)`
})()

/** Simulates the browser of a first visit, or of a signed-in user. */
function simulateBrowser(locale: Locale, session: PrerenderedHtml['session']) {
  const stored: Record<string, string> = session === 'user' ? { token: 'x' } : {}
  const storage = { getItem: (key: string) => stored[key] ?? null, setItem() {}, removeItem() {} }
  for (const [name, value] of Object.entries({
    self: globalThis,
    origin: 'http://localhost',
    localStorage: storage,
    sessionStorage: storage,
  }))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  pinDetectedLocale()
  void setLocale(locale, { reload: false })
}

/** React's first render of the screen at an address, as HTML. */
async function render(locale: Locale, session: PrerenderedHtml['session'], address: string) {
  simulateBrowser(locale, session)
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  const html = renderToString(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
  if (!html.includes('<h1')) throw new Error(`${address} cannot be prerendered.`)
  // The content security policy forbids inline styles.
  if (/ style=/.test(html)) throw new Error(`${address} has inline styles.`)
  return html
}

/** The navigation as plain links, which work before the bundle has loaded. */
const EarlyNavigation = () => (
  <header className={navigationClass}>
    <NavigationFrame
      brand={
        <a href={paths.home()} className={brandClass}>
          <BrandMark />
        </a>
      }
      link={({ to, name }) => (
        <a href={to} className={areaLinkClass}>
          {name()}
        </a>
      )}
    />
  </header>
)

/** A part of a page. React does not hydrate it but replaces it. */
function renderPart(locale: Locale, markup: ReactNode) {
  simulateBrowser(locale, 'guest')
  return {
    locale,
    description: m.description_console({}, { locale }),
    html: renderToStaticMarkup(markup),
  }
}

const banner = (locale: Locale): PrerenderedHtml => ({
  ...renderPart(locale, <AlphaBanner />),
  address: '',
})

const navigation = (locale: Locale): PrerenderedHtml => ({
  ...renderPart(
    locale,
    <>
      <AlphaBanner />
      <EarlyNavigation />
    </>,
  ),
  address: signedInPaths,
  session: 'user',
})

async function renderScreen(
  locale: Locale,
  screen: (typeof prerenderedScreens)[number],
): Promise<PrerenderedHtml> {
  const { path, session, search = '', condition = '', description, placeholder } = screen
  const title = screens.find((declared) => declared.path === path)?.title
  if (!title) throw new Error(`No screen has the path ${path}.`)
  const html = await render(locale, session, path + search)
  return {
    locale,
    address: `^${path}/?(?=[?#])${condition}`,
    session,
    screen: placeholder === undefined ? path : undefined,
    title: `${title({}, { locale })} · ${brandName}`,
    description: description({}, { locale }),
    html: placeholder === undefined ? html : html.replace(placeholder, '…'),
  }
}

/** Sequentially, because the renders share the globals. */
async function inAllLanguages(
  make: (locale: Locale) => PrerenderedHtml | Promise<PrerenderedHtml>,
) {
  const prerendered: PrerenderedHtml[] = []
  for (const locale of locales) prerendered.push(await make(locale))
  return prerendered
}

/** The pages of the prerendered screens, and the page of all other paths. */
async function prerenderPages(): Promise<PrerenderedPage[]> {
  const banners = await inAllLanguages(banner)
  const pages: PrerenderedPage[] = []
  let login: PrerenderedHtml[] = []
  for (const screen of prerenderedScreens) {
    const html = await inAllLanguages((locale) => renderScreen(locale, screen))
    if (screen.path === paths.login.pattern) login = html
    pages.push({ file: `${screen.path.slice(1)}.html`, prerendered: [...html, ...banners] })
  }
  // A first visit often opens `/`, which redirects a guest to the login page.
  const redirectedToLogin = login.map((html) => ({
    ...html,
    address: `${signedInPaths}${withoutMessage}`,
  }))
  const navigations = await inAllLanguages(navigation)
  const prerendered = [...login, ...redirectedToLogin, ...navigations, ...banners]
  return [...pages, { file: 'index.html', prerendered }]
}

const screenRequests = (): ScreenRequests[] =>
  Object.entries(screensByFile).map(([file, screen]) => ({
    // `/` redirects to the projects.
    paths:
      screen.path === paths.projects.pattern ? [screen.path, paths.home.pattern] : [screen.path],
    needsSession: needsSession(screen.layout),
    modules: [
      file,
      ...layoutNamesFrom(screen.layout).map((name) => `../layouts/${name}.layout.ts`),
    ],
    requests: prefetchPathsOf(screen),
  }))

/** In every language: without JavaScript the page cannot detect the visitor's. */
const withoutScripts = () =>
  renderToStaticMarkup(
    <main className="mx-auto max-w-prose p-6">
      <h1 className="font-semibold">{brandName}</h1>
      {locales.map((locale) => (
        <p key={locale} lang={locale} className="mt-4">
          {m.navigation_no_script({}, { locale })}
        </p>
      ))}
    </main>,
  )

/** The parts of the console's sources that the build reads. */
export const prerender = async (): Promise<Prerendered> => ({
  pages: await prerenderPages(),
  screens: screenRequests(),
  withoutScripts: withoutScripts(),
})
