import { limits } from '@slipway/contract/limits'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type RouterHistory,
  redirect,
} from '@tanstack/react-router'
import { sessionToken } from './api/session.ts'
import { pathParam, paths } from './paths.ts'
import { parseSearch, stringifySearch } from './search-parameters.ts'
import { Crash } from './shell/errors/crash.tsx'
import { lazyScreen } from './shell/layout/lazy-screen.tsx'
import { RootLayout } from './shell/layout/root.layout.tsx'
import { limitRedirects } from './shell/navigation/redirect-limit.ts'

/**
 * Starts what a screen will ask for. The query client comes in a chunk of its own, so the pages that do
 * not need it are spared it; whether it comes is for the screen, which needs it too, to say.
 */
function ahead(start: (prefetch: typeof import('./shell/layout/signed-in.ts').prefetch) => void) {
  import('./shell/layout/signed-in.ts')
    .then(({ prefetch }) => start(prefetch))
    .catch(() => undefined)
}

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

const auth = createRoute({
  getParentRoute: () => root,
  id: 'auth',
  component: lazyScreen(() => import('./shell/layout/auth.layout.tsx')),
})

const text = createRoute({
  getParentRoute: () => root,
  id: 'text',
  component: lazyScreen(() => import('./shell/layout/text.layout.tsx')),
})

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: lazyScreen(() =>
    import('./shell/layout/signed-in.ts').then(({ AppPage: Page }) => ({ Page })),
  ),
  loader: () => ahead((prefetch) => prefetch.account()),
  beforeLoad: ({ location }) => {
    if (!sessionToken()) throw redirect({ to: paths.login(), search: { next: location.href } })
  },
})

const withTeams = createRoute({
  getParentRoute: () => app,
  id: 'with-teams',
  component: lazyScreen(() =>
    import('./shell/layout/signed-in.ts').then(({ TeamsPage: Page }) => ({ Page })),
  ),
  loader: () => ahead((prefetch) => prefetch.teams()),
})

type Group = typeof auth | typeof text | typeof app | typeof withTeams

const route = (
  group: Group,
  path: string,
  load: Parameters<typeof lazyScreen>[0],
  loader?: (at: {
    params: Record<string, string>
    location: { search: Record<string, unknown> }
  }) => void,
) =>
  createRoute({
    getParentRoute: () => group as typeof app,
    path,
    component: lazyScreen(load),
    loader,
  })

const routeTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: paths.projects(), replace: true })
    },
  }),
  auth.addChildren([
    route(auth, '/auth/login', () => import('./features/auth/login.page.tsx')),
    route(auth, '/auth/sign-up', () => import('./features/auth/sign-up.page.tsx')),
    route(
      auth,
      '/auth/forgot-password',
      () => import('./features/auth/password/forgot-password.page.tsx'),
    ),
    route(
      auth,
      '/auth/reset-password',
      () => import('./features/auth/password/reset-password.page.tsx'),
    ),
    route(auth, '/auth/ask-verify', () => import('./features/auth/verify/ask-verify.page.tsx')),
    route(auth, '/auth/verify', () => import('./features/auth/verify/verify.page.tsx')),
    route(
      auth,
      '/auth/login/oauth',
      () => import('./features/auth/external-login/external-login.page.tsx'),
    ),
    route(auth, '/auth/code', () => import('./features/auth/site-sign-in/site-sign-in.page.tsx')),
  ]),
  text.addChildren([
    route(text, '/terms', () => import('./features/legal/terms.page.tsx')),
    route(text, '/privacy', () => import('./features/legal/privacy.page.tsx')),
  ]),
  app.addChildren([
    withTeams.addChildren([
      route(
        withTeams,
        '/projects',
        () => import('./features/projects/list/project-list.page.tsx'),
        () => ahead((prefetch) => prefetch.projects()),
      ),
      route(
        withTeams,
        '/projects/create',
        () => import('./features/projects/create/create-project.page.tsx'),
        () => ahead((prefetch) => prefetch.projectPrice()),
      ),
      route(
        withTeams,
        '/projects/view/$projectKey',
        () => import('./features/projects/view-project.page.tsx'),
        ({ params }) => ahead((prefetch) => prefetch.project(pathParam(params, 'projectKey'))),
      ),
      route(
        withTeams,
        '/teams/view/$teamId',
        () => import('./features/teams/view-team.page.tsx'),
        ({ params }) => ahead((prefetch) => prefetch.team(pathParam(params, 'teamId'))),
      ),
    ]),
    route(
      app,
      '/teams',
      () => import('./features/teams/team-list.page.tsx'),
      () =>
        ahead((prefetch) => {
          prefetch.teams()
          prefetch.invitations()
        }),
    ),
    route(
      app,
      '/teams/invitations',
      () => import('./features/teams/invitations.page.tsx'),
      () => ahead((prefetch) => prefetch.invitations()),
    ),
    route(
      app,
      '/support/tickets',
      () => import('./features/support/ticket-list.page.tsx'),
      () => ahead((prefetch) => prefetch.tickets()),
    ),
    route(
      app,
      '/support/tickets/create',
      () => import('./features/support/create-ticket.page.tsx'),
    ),
    route(
      app,
      '/support/tickets/view/$ticketId',
      () => import('./features/support/view-ticket.page.tsx'),
      ({ params }) => ahead((prefetch) => prefetch.ticket(pathParam(params, 'ticketId'))),
    ),
    route(app, '/account/profile', () => import('./features/account/profile.page.tsx')),
    route(
      app,
      '/account/billing/overview',
      () => import('./features/billing/overview.page.tsx'),
      () => ahead((prefetch) => prefetch.billing()),
    ),
    route(
      app,
      '/account/billing/invoices',
      () => import('./features/billing/invoices/invoice-list.page.tsx'),
      ({ location }) => ahead((prefetch) => prefetch.invoices(location.search)),
    ),
    route(
      app,
      '/account/billing/invoices/view/$invoiceId',
      () => import('./features/billing/invoices/invoice-view.page.tsx'),
      ({ params }) => ahead((prefetch) => prefetch.invoice(pathParam(params, 'invoiceId'))),
    ),
    route(
      app,
      '/account/billing/invoices/pay',
      () => import('./features/billing/pay/pay-invoices.page.tsx'),
      () => ahead((prefetch) => prefetch.payment()),
    ),
    route(
      app,
      '/account/billing/payment-methods/add',
      () => import('./features/billing/payment-methods/add-payment-method.page.tsx'),
    ),
  ]),
])

/** The console's routes. */
export function createConsoleRouter(history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context: { endRedirects: () => endRedirects() },
    history,
    defaultPreload: 'intent',
    defaultPreloadDelay: limits.linkPreloadDelay,
    defaultErrorComponent: Crash,
    notFoundMode: 'root',
    // A history of its own has no page that could be scrolled.
    scrollRestoration: history === undefined,
    parseSearch,
    stringifySearch,
  })
  const endRedirects = limitRedirects(router.history)
  return router
}
