import { limits } from '@slipway/contract/limits'
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import type { ScreenQueries } from './api/prefetch.ts'
import { sessionToken } from './api/session.ts'
import { layouts } from './layouts/all-layouts.ts'
import { pathParams, paths } from './paths.ts'
import { ancestorsOf, screens } from './screens/all-screens.ts'
import type { Screen } from './screens/screen.ts'
import { type LayoutName, needsSession } from './screens/screen-facts.ts'
import { parseSearch, stringifySearch } from './search-parameters.ts'
import { Crash } from './shell/errors/crash.tsx'
import { lazyScreen } from './shell/layout/lazy-screen.tsx'
import { RootLayout } from './shell/layout/root.layout.tsx'
import { limitRedirects } from './shell/navigation/redirect-limit.ts'

const NotFound = {
  guest: lazyScreen(() => import('./shell/layout/not-found.page.tsx')),
  signedIn: lazyScreen(() => import('./shell/layout/not-found-signed-in.page.tsx')),
}

const root = createRootRouteWithContext<{ endRedirects: () => void }>()({
  beforeLoad: ({ preload, context }) => {
    if (!preload) context.endRedirects()
  },
  component: RootLayout,
  notFoundComponent: () => (sessionToken() ? <NotFound.signedIn /> : <NotFound.guest />),
})

const home = createRoute({
  getParentRoute: () => root,
  path: paths.home.pattern,
  beforeLoad: () => {
    throw redirect({ to: paths.projects(), replace: true })
  },
})

type LoaderContext = {
  params: Record<string, string>
  location: { search: Record<string, unknown> }
}

/**
 * Prefetches the first queries of a screen or layout. The query client is in a separate chunk, so
 * that auth pages do not load it. If that chunk fails to load, the screen reports it.
 */
const loaderOf = (queries: ScreenQueries) => (context: LoaderContext) => {
  import('./shell/layout/signed-in.ts')
    .then(({ prefetch }) =>
      prefetch(queries, { params: pathParams(context.params), search: context.location.search }),
    )
    .catch(() => undefined)
}

/** The route of a layout, with the routes of its screens and of the layouts in it. */
function layoutRoute(name: LayoutName, parent: AnyRoute): AnyRoute {
  const { page, queries } = layouts[name]
  const route = createRoute({
    getParentRoute: () => parent,
    id: `${name}-layout`,
    component: lazyScreen(page),
    loader: queries && loaderOf(queries),
    beforeLoad: ({ location }) => {
      if (needsSession(name) && !sessionToken())
        throw redirect({ to: paths.login(), search: { next: location.href } })
    },
  })
  const innerLayouts = layoutNames.filter((each) => layouts[each].parent === name)
  return route.addChildren([
    ...innerLayouts.map((each) => layoutRoute(each, route)),
    ...screens.filter(({ layout }) => layout === name).map((each) => screenRoute(each, route)),
  ])
}

function screenRoute(screen: Screen, parent: AnyRoute) {
  const { path, page, layout, queries } = screen
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyScreen(page),
    loader: queries && needsSession(layout) ? loaderOf(queries) : undefined,
    // For `useScreen`.
    staticData: { screen, ancestors: ancestorsOf(screen) },
  })
}

const layoutNames = Object.keys(layouts) as LayoutName[]
const outerLayouts = layoutNames.filter((name) => layouts[name].parent === undefined)
const routeTree = root.addChildren([home, ...outerLayouts.map((name) => layoutRoute(name, root))])

/**
 * Returns a function that is false at its first call if the page was scrolled while the bundle
 * loaded: the page then stays where it is.
 */
function scrollsWhenRendered() {
  let isScrolled = scrollY > 0
  // To read the position only when the page has been rendered would force a layout.
  const update = () => {
    isScrolled = scrollY > 0
  }
  addEventListener('scroll', update)
  return () => {
    const wasScrolled = isScrolled
    isScrolled = false
    removeEventListener('scroll', update)
    return !wasScrolled
  }
}

export function createConsoleRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context: { endRedirects: () => endRedirects() },
    history,
    defaultPreload: 'intent',
    defaultPreloadDelay: limits.linkPreloadDelay,
    defaultErrorComponent: Crash,
    notFoundMode: 'root',
    // A memory history has no page to scroll.
    scrollRestoration: history === undefined && scrollsWhenRendered(),
    parseSearch,
    stringifySearch,
  })
  const endRedirects = limitRedirects(router.history)
  return router
}
