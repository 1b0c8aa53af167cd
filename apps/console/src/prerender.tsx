import { type Locale, locales, m, setLocale } from '@slipway/phrases'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { paths } from './paths.ts'
import { createConsoleRouter } from './router.tsx'
import { AlphaBanner } from './shell/layout/alpha-banner.tsx'
import { BrandMark, brandClass } from './shell/layout/brand-mark.tsx'
import {
  areaLinkClass,
  NavigationFrame,
  navigationClass,
} from './shell/layout/navigation-frame.tsx'
import { brandName } from './shell/page/document-title.ts'

/** What a page holds to be shown before the program has come, in one language. */
export type Painted = {
  locale: Locale
  /** A pattern of the path, the query and, after a `#`, the history's state, where it is what will show. */
  at: string
  /** Whom it is for; whoever comes, where it is left out. */
  who?: 'guest' | 'user'
  /** The path whose first screen it is, which the program goes on with; it replaces what has none. */
  screen?: string
  title?: string
  description: string
  html: string
}

/** A file of the build: its path, and what it holds, of which the first that fits is shown. */
export type PrerenderedPage = { file: string; painted: Painted[] }

type Text = (inputs?: Record<string, never>, options?: { locale: Locale }) => string
type Screen = {
  path: string
  /** What the path is opened with to be rendered. */
  query?: string
  /** What must follow the path for the screen to look as it was rendered. */
  after?: string
  who?: 'guest' | 'user'
  description: Text
}

/** Stands in the query of a link that carries on what was wanted: the page's script puts it there. */
const nextPlace = `?next=${encodeURIComponent(paths.home())}`

/** Not where the screen begins with an invitation, or with what an outside login came back with. */
const plain = '(?!.*(invitations|[?&]error=))'

const screens: Screen[] = [
  {
    path: paths.login(),
    query: nextPlace,
    after: plain,
    who: 'guest',
    description: m.description_login,
  },
  {
    path: paths.signUp(),
    query: nextPlace,
    after: plain,
    who: 'guest',
    description: m.description_sign_up,
  },
  { path: paths.forgotPassword(), description: m.description_forgot_password },
  {
    path: paths.resetPassword(),
    query: '?token=x',
    after: '.*([?&]token=[^&#]|"emailToken":"[^"])',
    description: m.description_reset_password,
  },
  {
    path: paths.askVerify(),
    after: '(?!.*"verificationEmailTo")',
    who: 'user',
    description: m.description_ask_verify,
  },
  { path: paths.verify(), query: '?token=x', description: m.description_verify },
  { path: paths.externalLogin(), description: m.description_external_login },
  { path: paths.terms(), description: m.description_terms },
  { path: paths.privacy(), description: m.description_privacy },
]

/** A site's sign-in names the site, which only its address tells: the program replaces what is shown. */
const unknownSite = 'site.invalid'
const siteSignIn = {
  path: paths.projectLogin(),
  query: `?client_id=x&redirect_uri=https://${unknownSite}/&state=x&response_type=code`,
}

/** Below these a guest is led to the login page, and whoever is signed in sees the navigation. */
const areas = '^/(?:(?:projects|teams|support|account)(?:[/?#]|$)|[?#]|$)'

/** What the browser would give to the screens, for one who was never here; or is signed in. */
function beBrowser(locale: Locale, who: Screen['who']) {
  const kept: Record<string, string> = who === 'user' ? { token: 'x' } : {}
  const storage = { getItem: (key: string) => kept[key] ?? null, setItem() {}, removeItem() {} }
  for (const [name, value] of Object.entries({
    self: globalThis,
    origin: 'http://localhost',
    localStorage: storage,
    sessionStorage: storage,
  }))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  void setLocale(locale, { reload: false })
}

/** The screen at an address as React renders it first. */
async function render(locale: Locale, who: Screen['who'], address: string) {
  beBrowser(locale, who)
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  const html = renderToString(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
  if (!html.includes('<h1')) throw new Error(`${address} cannot be rendered ahead.`)
  // The policy of the page has no place for them.
  if (/ style=/.test(html)) throw new Error(`${address} has styles of its own.`)
  return html
}

/** What the screen will call the page: by its heading. */
function titleOf(html: string) {
  const [, heading = ''] = html.match(/<h1[^>]*>([^<]*)</) ?? []
  const text = heading.replace(/&#x([0-9a-f]+);/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return `${text} · ${brandName}`
}

/** The navigation as it stands before it can tell anything: its links lead there all the same. */
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

/** What the program replaces, where no more is known of what it will show. */
function part(locale: Locale, markup: ReactNode): Omit<Painted, 'at' | 'who'> {
  beBrowser(locale, 'guest')
  const description = m.description_console({}, { locale })
  return { locale, description, html: renderToStaticMarkup(markup) }
}

const banner = (locale: Locale): Painted => ({
  ...part(locale, <AlphaBanner />),
  at: '',
})

const navigation = (locale: Locale): Painted => ({
  ...part(
    locale,
    <>
      <AlphaBanner />
      <EarlyNavigation />
    </>,
  ),
  at: areas,
  who: 'user',
})

async function paint(locale: Locale, screen: Screen): Promise<Painted> {
  const { path, query = '', after = '', who, description } = screen
  const html = await render(locale, who, path + query)
  return {
    locale,
    at: `^${path}/?(?=[?#])${after}`,
    who,
    screen: path,
    title: titleOf(html),
    description: description({}, { locale }),
    html,
  }
}

async function paintSiteSignIn(locale: Locale): Promise<Painted> {
  const html = await render(locale, 'user', siteSignIn.path + siteSignIn.query)
  return {
    locale,
    at: `^${siteSignIn.path}/?\\?.*client_id=`,
    who: 'user',
    title: titleOf(html),
    description: m.description_site_sign_in({}, { locale }),
    html: html.replace(unknownSite, '…'),
  }
}

const fileOf = (path: string) => `${path.slice(1)}.html`

/** One after the other, for each needs the browser to itself. */
async function inAllLanguages(make: (locale: Locale) => Painted | Promise<Painted>) {
  const painted: Painted[] = []
  for (const locale of locales) painted.push(await make(locale))
  return painted
}

/** Every page of the build: those of the screens that are the same for all, and the one for the others. */
export async function prerender(): Promise<PrerenderedPage[]> {
  const banners = await inAllLanguages(banner)
  const pages: PrerenderedPage[] = []
  for (const screen of screens) {
    const painted = await inAllLanguages((locale) => paint(locale, screen))
    pages.push({ file: fileOf(screen.path), painted: [...painted, ...banners] })
  }
  const site = await inAllLanguages(paintSiteSignIn)
  pages.push({ file: fileOf(siteSignIn.path), painted: [...site, ...banners] })

  // Whoever comes for the first time opens the root, and is led to the login page.
  const login = pages[0]?.painted.filter(({ screen }) => screen) ?? []
  const atAreas = login.map((each) => ({ ...each, at: `${areas}${plain}` }))
  const navigations = await inAllLanguages(navigation)
  pages.push({ file: 'index.html', painted: [...login, ...atAreas, ...navigations, ...banners] })
  return pages
}
